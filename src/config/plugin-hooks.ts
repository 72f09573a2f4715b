/**
 * Hooks of a plugin in the words of our configuration. Written as the Copilot CLI reads them (`bash`, `timeoutSec`,
 * `preToolUse`) or as Claude Code does (`command`, `timeout`, `PreToolUse`, nested under a matcher). What happens
 * nowhere here, or is for another system, is left out.
 */
import { z } from 'zod'
import { defined } from '../lib/defined.ts'
import type { Config, HookConfig } from './config-file.ts'

const TYPES: Readonly<Record<string, keyof NonNullable<Config['hooks']>>> = {
  sessionStart: 'sessionStart',
  SessionStart: 'sessionStart',
  userPromptSubmitted: 'userPromptSubmitted',
  UserPromptSubmit: 'userPromptSubmitted',
  preToolUse: 'preToolUse',
  PreToolUse: 'preToolUse',
  postToolUse: 'postToolUse',
  PostToolUse: 'postToolUse',
  preCompact: 'preCompact',
  PreCompact: 'preCompact',
  sessionEnd: 'sessionEnd',
  SessionEnd: 'sessionEnd',
}

const one = z.looseObject({
  type: z.string().optional(),
  bash: z.string().optional(),
  command: z.string().optional(),
  cwd: z.string().optional(),
  env: z.record(z.string(), z.string()).optional(),
  timeoutSec: z.number().positive().optional(),
  timeout: z.number().positive().optional(),
  matcher: z.string().optional(),
})
const entry = one.extend({ hooks: z.array(one).optional() })
const file = z.looseObject({ hooks: z.record(z.string(), z.array(entry)).optional() })

/** `given`: a whole file, or its list of hooks. Undefined when it is neither. */
export function hooksFrom(
  given: Readonly<Record<string, unknown>>,
  folder: string,
): NonNullable<Config['hooks']> | undefined {
  const read = file.safeParse('hooks' in given ? given : { hooks: given })
  if (!read.success) return undefined
  const { hooks = {} } = read.data
  const found: Record<string, HookConfig[]> = {}
  for (const [name, entries] of Object.entries(hooks)) {
    const type = TYPES[name]
    if (type === undefined) continue
    const flat = entries.flatMap(({ hooks: nested, ...outer }) =>
      (nested ?? [outer]).map((each) => ({ ...defined({ matcher: outer.matcher }), ...each })),
    )
    found[type] = [...(found[type] ?? []), ...flat.flatMap((each) => hookOf(each, folder))]
  }
  return found
}

function hookOf(given: z.output<typeof one>, folder: string): readonly HookConfig[] {
  const said = given.bash ?? given.command
  if (said === undefined || (given.type ?? 'command') !== 'command') return []
  const seconds = given.timeoutSec ?? given.timeout
  const roots = { PLUGIN_ROOT: folder, COPILOT_PLUGIN_ROOT: folder, CLAUDE_PLUGIN_ROOT: folder }
  return [
    {
      command: given.cwd === undefined ? said : `cd ${quoted(given.cwd)} && ${said}`,
      env: { ...given.env, ...roots },
      ...defined({
        timeoutSeconds: seconds && Math.min(seconds, 600),
        tools: toolsOf(given.matcher),
      }),
    },
  ]
}

/** Names between bars. Any other expression is left to the hook itself, which is told the name. */
const toolsOf = (matcher: string | undefined): string[] | undefined =>
  matcher !== undefined && /^[\w-]+(?:\|[\w-]+)*$/.test(matcher) ? matcher.split('|') : undefined

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`
