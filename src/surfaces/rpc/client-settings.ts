/** What a client says of the model agent of its session, in the words of that agent: prompt, tools, tool servers. */
import type { McpServer, ModelConfig } from '../../agents/model/config.ts'
import { toolFilter } from '../../config/tool-filter.ts'
import type { GuidanceConfig } from '../../guidance/guidance.ts'
import { defined } from '../../lib/defined.ts'
import { clientGuidance } from './client-guidance.ts'
import { mcpServersOf } from './client-servers.ts'
import type { AgentWish } from './parts.ts'

/** `own` is what every session of this home has; the client adds to it, takes away from it, or replaces it. */
export function clientSettings(
  { config, tools, canvases, subagents, transform }: AgentWish,
  own: {
    readonly instructions: readonly string[]
    readonly mcpServers?: Readonly<Record<string, McpServer>>
    readonly guidance: GuidanceConfig
    /** Where tool servers start that the client says no directory for. */
    readonly cwd: string
  },
) {
  const { promptChange, appended } = promptOf(config.systemMessage, transform)
  const said = [...own.instructions, appended].filter((text) => text !== '')
  const offered = tools.list()
  const replaced = new Set(offered.filter((it) => it.isInsteadOfOurs).map(({ name }) => name))
  const isWanted = toolFilter(config)
  const offers: NonNullable<ModelConfig['offers']> = (name, source, formerName) =>
    isWanted(name, source, formerName) && !(source === 'builtin' && replaced.has(name))
  const excluded = new Set(config.defaultAgent?.excludedTools)
  const disabled = new Set(config.disabledMcpServers)
  const servers = Object.entries({
    ...own.mcpServers,
    ...mcpServersOf(own.cwd, config.mcpServers, config.envValueMode),
  })
  return {
    /** Those of the client, which it runs itself. */
    tools: offered.filter(({ name }) => isWanted(name, 'custom')),
    settings: {
      offers,
      subagents,
      guidance: clientGuidance(config, own.guidance, own.cwd),
      mcpServers: Object.fromEntries(servers.filter(([name]) => !disabled.has(name))),
      ...(excluded.size > 0 && { notForUsual: (name: string) => excluded.has(name) }),
      ...defined({ promptChange, reasoningEffort: config.reasoningEffort }),
      ...(said.length > 0 && { instructions: said.join('\n\n') }),
      ...(canvases.canBeShown && { canvases: canvases.providers.list() }),
    },
  }
}

function promptOf(
  message: AgentWish['config']['systemMessage'],
  transform: AgentWish['transform'],
): { readonly promptChange?: ModelConfig['promptChange']; readonly appended: string } {
  const { mode = 'append', content = '', sections = {} } = message ?? {}
  if (mode === 'replace') return { promptChange: { kind: 'replaced', text: content }, appended: '' }
  if (mode === 'append') return { appended: content }
  return { promptChange: { kind: 'changed', sections, transform }, appended: content }
}
