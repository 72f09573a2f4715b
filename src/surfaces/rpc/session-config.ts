/**
 * What a client may say about a session when it creates or resumes one. Only what concerns sessions is looked at;
 * everything else that the SDK sends is let through and left alone. Nothing of it is ever stored or restored.
 */
import { z } from 'zod'
import { SessionIdSchema } from '../../format/id-schemas.ts'

const text = z.string().optional()
const flag = z.boolean().optional()

const windows = {
  maxPromptTokens: z.number().optional(),
  maxContextWindowTokens: z.number().optional(),
  maxOutputTokens: z.number().optional(),
} as const

export const provider = z.looseObject({
  name: text,
  type: z.enum(['openai', 'azure', 'anthropic']).optional(),
  wireApi: z.enum(['completions', 'responses']).optional(),
  baseUrl: z.url({ protocol: /^https?$/ }),
  apiKey: text,
  bearerToken: text,
  hasBearerTokenProvider: flag,
  headers: z.record(z.string(), z.string()).optional(),
  azure: z.looseObject({ apiVersion: text }).optional(),
  modelId: text,
  wireModel: text,
  ...windows,
})
export type ProviderConfig = z.output<typeof provider>

/** One of several models, at one of several providers. */
export const namedModel = z.looseObject({
  id: z.string(),
  provider: z.string(),
  wireModel: text,
  ...windows,
})
export type NamedModel = z.output<typeof namedModel>

export const offeredTool = z.looseObject({
  name: z.string().regex(/^[\w.-]{1,128}$/, 'letters, digits, dots, dashes and underscores'),
  description: z.string().default(''),
  parameters: z.record(z.string(), z.unknown()).optional(),
  skipPermission: flag,
  overridesBuiltInTool: flag,
})

const offeredCommand = z.looseObject({
  name: z.string().min(1),
  description: z.string().default(''),
})

const canvasAction = z.object({
  name: z.string().min(1),
  description: text,
  inputSchema: z.unknown().optional(),
})
export const offeredCanvas = z.looseObject({
  id: z.string().min(1),
  displayName: z.string().default(''),
  description: z.string().default(''),
  icon: text,
  inputSchema: z.unknown().optional(),
  actions: z.array(canvasAction).optional(),
})

const section = z.looseObject({ action: z.string(), content: text })
const systemMessage = z.looseObject({
  mode: z.enum(['append', 'replace', 'customize']).optional(),
  content: text,
  sections: z.record(z.string(), section).optional(),
})

const infiniteSession = z.looseObject({
  enabled: flag,
  backgroundCompactionThreshold: z.number().gt(0).lte(1).optional(),
  bufferExhaustionThreshold: z.number().gt(0).lte(1).optional(),
})
export type InfiniteSession = z.output<typeof infiniteSession>

export const mcpServer = z.looseObject({
  command: text,
  args: z.array(z.string()).optional(),
  env: z.record(z.string(), z.string()).optional(),
  cwd: text,
  url: text,
  headers: z.record(z.string(), z.string()).optional(),
  tools: z.array(z.string()).optional(),
  timeout: z.number().optional(),
})
export type McpServerConfig = z.output<typeof mcpServer>

const customAgent = z.looseObject({
  name: z.string().min(1),
  displayName: text,
  description: text,
  tools: z.array(z.string()).nullable().optional(),
  prompt: z.string(),
  infer: flag,
  skills: z.array(z.string()).optional(),
  mcpServers: z.record(z.string(), mcpServer).optional(),
  model: text,
  reasoningEffort: text,
})
export type CustomAgentConfig = z.output<typeof customAgent>

const subagentChoice = z.looseObject({ model: text, effortLevel: text, autoInvoke: flag })
export const subagentSettings = z.looseObject({
  agents: z.record(z.string(), subagentChoice).optional(),
  disabledSubagents: z.array(z.string()).optional(),
  maxConcurrency: z.int().positive().optional(),
  maxDepth: z.int().positive().optional(),
})
export type SubagentConfig = z.output<typeof subagentSettings>

const texts = z.array(z.string()).optional()

export const sessionConfig = {
  name: text,
  clientName: text,
  gitHubToken: text,
  sessionLimits: z.looseObject({ maxAiCredits: z.number().nullish() }).nullish(),
  enableManagedSettings: flag,
  managedSettings: z.unknown().optional(),
  model: text,
  reasoningEffort: text,
  workingDirectory: text,
  detachedFromSpawningParentSessionId: SessionIdSchema.optional(),
  streaming: flag,
  systemMessage: systemMessage.optional(),
  availableTools: z.array(z.string()).optional(),
  excludedTools: z.array(z.string()).optional(),
  provider: provider.optional(),
  providers: z.array(provider).optional(),
  models: z.array(namedModel).optional(),
  tools: z.array(offeredTool).optional(),
  commands: z.array(offeredCommand).optional(),
  canvases: z.array(offeredCanvas).optional(),
  canvasProvider: z.looseObject({ id: z.string().min(1), name: text }).optional(),
  mcpServers: z.record(z.string(), mcpServer).optional(),
  disabledMcpServers: z.array(z.string()).optional(),
  envValueMode: z
    .enum(['direct', 'indirect'])
    .optional()
    .describe('Whether env of tool servers has values, or names of our own variables.'),
  infiniteSessions: infiniteSession.optional(),
  enableFileChangeTracking: flag,
  skipCustomInstructions: flag,
  customAgents: z.array(customAgent).optional(),
  agent: text,
  defaultAgent: z.looseObject({ excludedTools: texts }).optional(),
  instructionDirectories: texts,
  skillDirectories: texts,
  disabledSkills: texts,
  enableSkills: flag,
  hooks: flag,
  requestPermission: flag,
  requestUserInput: flag,
  requestElicitation: flag,
  requestExitPlanMode: flag,
  requestMcpApps: flag.describe('Pages of tool servers can be shown.'),
  requestExtensions: flag.describe('Starts the extensions of the home and of the project.'),
  extensionSdkPath: text.describe('The Copilot SDK that these are given.'),
  requestedEnvironmentVariables: z
    .array(z.string())
    .optional()
    .describe('Of an extension: variables that it was started without.'),
  requestCanvasRenderer: flag.describe('Panels that clients declare can be shown.'),
} as const

/** What a session is begun by whose client says no name of its own. */
export const UNNAMED_CLIENT = 'reprise-server'

const SessionConfigSchema = z.looseObject(sessionConfig)
export type SessionConfig = Readonly<z.output<typeof SessionConfigSchema>>
