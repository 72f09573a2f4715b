/**
 * The user's own configuration, one JSON file in their home. Nothing that a session or a repository holds is
 * ever read as configuration. What is not known is kept; what is wrong is named with its place.
 */
import { z } from 'zod'
import { FEATURES } from './feature-names.ts'
import { KEYS, THEMES } from './look-names.ts'

const hook = z.object({
  command: z.string().min(1),
  timeoutSeconds: z.number().positive().max(600).optional(),
  /** Variables that it is given besides those of the program. */
  env: z.record(z.string(), z.string()).optional(),
  /** For tool hooks: only these tools. */
  tools: z.array(z.string()).optional(),
})

const serverOptions = {
  /** Only these tools of it. */
  tools: z.array(z.string()).optional(),
  timeoutMs: z.number().positive().optional(),
  /** False: it is kept, and not started. */
  enabled: z.boolean().optional(),
}

const mcpServer = z.union([
  z.object({
    ...serverOptions,
    command: z.string(),
    args: z.array(z.string()).optional(),
    env: z.record(z.string(), z.string()).optional(),
    cwd: z.string().optional(),
  }),
  z.object({
    ...serverOptions,
    url: z.url(),
    headers: z.record(z.string(), z.string()).optional(),
  }),
])

const hookTypes = [
  'sessionStart',
  'userPromptSubmitted',
  'preToolUse',
  'postToolUse',
  'preCompact',
  'sessionEnd',
] as const

export const configSchema = z.looseObject({
  /** Who answers: offline, model, a known agent, or the command of an ACP program. */
  agent: z.string().min(1).optional(),
  /** Commands of ACP programs, by the names that sessions know them by; --agent "command" adds its own. */
  agents: z.record(z.string(), z.string().min(1)).optional(),
  model: z
    .looseObject({
      provider: z.enum(['openai-compatible', 'openai', 'anthropic']).optional(),
      name: z.string().optional(),
      baseUrl: z.url().optional(),
      /** The name of the environment variable that holds the key; keys themselves do not belong in a file. */
      apiKeyEnv: z.string().optional(),
      reasoningEffort: z.string().optional(),
      contextWindow: z.int().positive().optional(),
      headers: z.record(z.string(), z.string()).optional(),
    })
    .optional(),
  /** What sessions are called that nobody named. */
  titles: z
    .object({
      /** By the model, asked once after the first turn, or by the words of the first prompt. Default: model. */
      by: z.enum(['model', 'words']).optional(),
      /** A smaller one than the session's, of the same provider. */
      model: z.string().min(1).optional(),
    })
    .optional(),
  permissions: z
    .object({ allow: z.array(z.string()).optional(), deny: z.array(z.string()).optional() })
    .optional(),
  /** Whether commands run in a sandbox of the system: where there is one (the default), only there, or never. */
  sandbox: z.enum(['auto', 'on', 'off']).optional(),
  /** Variables of programs that a session starts: commands, hooks, tool servers, extensions. */
  environment: z
    .object({
      /** Those that they are given although they look secret; `*` stands for any letters. */
      pass: z.array(z.string().min(1)).optional(),
    })
    .optional(),
  /** How long a server keeps a question open while nobody is connected who could answer it. Default: 30. */
  answerWaitMinutes: z.number().positive().max(10_080).optional(),
  hooks: z.partialRecord(z.enum(hookTypes), z.array(hook)).optional(),
  mcpServers: z.record(z.string(), mcpServer).optional(),
  /** AGENTS.md and its like: which are left out, by path or id, and more folders to look in. */
  instructions: z
    .object({ off: z.array(z.string()).optional(), directories: z.array(z.string()).optional() })
    .optional(),
  /** Which skills a model is not offered, by name, and more folders with skills. */
  skills: z
    .object({ off: z.array(z.string()).optional(), directories: z.array(z.string()).optional() })
    .optional(),
  /** More folders with custom agents. */
  customAgents: z.object({ directories: z.array(z.string()).optional() }).optional(),
  /** GitHub's own tool server: off, only to look (`read`), or with all that the token may. */
  github: z
    .object({
      mcp: z.enum(['off', 'read', 'all']).optional(),
      /** The name of the environment variable that holds the token. Default: GITHUB_TOKEN, else GH_TOKEN. */
      tokenEnv: z.string().optional(),
      /** Of a GitHub of one's own. */
      url: z.url().optional(),
    })
    .optional(),
  /** How the terminal looks and behaves. */
  terminal: z
    .object({
      /** The user was shown around once. */
      welcomed: z.boolean().optional(),
      /** Its colours. Default: auto, by the background. */
      theme: z.enum(THEMES).optional(),
      /** Those of the editor. Default: usual. */
      keys: z.enum(KEYS).optional(),
      /** How a user who looks elsewhere is called back. Default: auto. */
      notify: z.enum(['auto', 'bell', 'osc9', 'osc99', 'osc777', 'off']).optional(),
    })
    .optional(),
  /** Commands of projects that may be used, by the hash of each text; the terminal asks for the others. */
  projectCommands: z.object({ allowed: z.array(z.string()).optional() }).optional(),
  extensions: z
    .object({
      enabled: z.array(z.string()).optional(),
      /** Programs that join sessions, by `user:name`, `project:name` or `plugin:plugin:name`: these are not started. */
      disabled: z.array(z.string()).optional(),
    })
    .optional(),
  /** Plugins that the Copilot CLI installed, by `name` or `name@marketplace`. */
  plugins: z
    .object({
      enabled: z.array(z.string()).optional(),
      /** Folders that list plugins, by the names that they give themselves. */
      marketplaces: z.record(z.string(), z.string()).optional(),
      /** The folder that a plugin came from by itself, by its name. */
      sources: z.record(z.string(), z.string()).optional(),
    })
    .optional(),
  telemetry: z.object({ endpoint: z.url().optional() }).optional(),
  redaction: z.object({ persist: z.enum(['on', 'off']).optional() }).optional(),
  /** How long what was taken back is kept. */
  retention: z
    .object({
      /** Days after which what undo took back goes for good. Default: it stays until it is discarded. */
      rewoundDays: z.number().min(0).max(36_500).optional(),
    })
    .optional(),
  /** The Mission Control that sessions of this home are exported to; "reprise remote login" sets it. */
  control: z
    .object({
      url: z.url().optional(),
      token: z.string().optional(),
      /** Of sessions for which nothing else is said. Default: off. */
      mode: z.enum(['off', 'export', 'steer']).optional(),
      /** By repository, as `owner/name`. */
      repositories: z.record(z.string(), z.enum(['off', 'export', 'steer'])).optional(),
      /** Whether people may allow for good, or switch to autopilot, from afar. Default: false. */
      mayWiden: z.boolean().optional(),
      /** Repositories of which reindex does not ask any more whether older sessions be sent. */
      dismissed: z.array(z.string()).optional(),
      /** Directories in which sessions may be started from afar, by repository. */
      kickstart: z.record(z.string(), z.string()).optional(),
    })
    .optional(),
  /** How sessions are searched besides by words. */
  search: z
    .object({
      /** An endpoint that makes vectors of texts, so that a session is found by what it means. Default: none is asked. */
      embedding: z
        .object({
          /** As `http://localhost:11434` (ollama) or `https://api.openai.com/v1`. */
          url: z.url(),
          model: z.string().min(1),
          kind: z.enum(['openai-compatible', 'ollama']).optional(),
          /** The name of the environment variable that holds the key. */
          apiKeyEnv: z.string().optional(),
        })
        .optional(),
    })
    .optional(),
  /** What is not wanted as a whole; "reprise features" lists them. Default: all on. */
  features: z.partialRecord(z.enum(FEATURES), z.boolean()).optional(),
  /** What "reprise worker" does on this machine for others. */
  worker: z
    .object({
      /** Hosts that repositories are cloned from, over https or ssh. */
      hosts: z.array(z.string().min(1)).optional(),
      /** Folders of this machine whose repositories may be cloned, too. */
      localRepositories: z.array(z.string().startsWith('/')).optional(),
      /** Variables that the agent is given besides the usual ones. */
      env: z.array(z.string().min(1)).optional(),
      /** Whether the branch with the result is pushed to where the repository came from. Default: false. */
      push: z.boolean().optional(),
    })
    .optional(),
  /** Dollars for a million tokens, by model. */
  prices: z
    .record(
      z.string(),
      z.object({ input: z.number(), output: z.number(), cacheRead: z.number().optional() }),
    )
    .optional(),
})

export type Config = z.output<typeof configSchema>
export type HookConfig = z.output<typeof hook>

export class BadConfig extends Error {
  override readonly name = 'BadConfig'
  constructor(path: string, problem: string) {
    super(
      `${path} cannot be used: ${problem}${/[.?]$/.test(problem) ? '' : '.'} Nothing was started. Mend the file, or see "reprise config --help".`,
    )
  }
}

export function parseConfig(text: string, path: string): Config {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    // Not the parser's own words: they quote the file, which may hold what should not be shown.
    const [place] = /(?:line \d+ column \d+|position \d+)/.exec(String(cause)) ?? []
    throw new BadConfig(path, `it is not JSON${place === undefined ? '' : ` (${place})`}`)
  }
  return checkConfig(value, path)
}

export function checkConfig(value: unknown, path: string): Config {
  const parsed = configSchema.safeParse(value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new BadConfig(
    path,
    `${issue?.path.join('.') || 'the file'}: ${issue?.message ?? 'not as expected'}`,
  )
}

export type ServerSettings = z.output<typeof mcpServer>

/** Those that are on. */
export const serversIn = ({ mcpServers = {} }: Config): Readonly<Record<string, ServerSettings>> =>
  Object.fromEntries(Object.entries(mcpServers).filter(([, { enabled = true }]) => enabled))
