/** A tool call as editors show it: a title, a kind, the places it touches, and what came of it. */
import { isAbsolute, resolve } from 'node:path'
import type { ToolCall, ToolCallContent, ToolKind } from '@agentclientprotocol/sdk'
import type { Payload } from '../../format/event.ts'
import { defined } from '../../lib/defined.ts'
import { isFields, objectsOf, textIn, type Fields } from '../../lib/fields.ts'
import { deedOf } from '../../state/tool-effects.ts'
import { textContent } from './update.ts'

const KINDS: readonly (readonly [RegExp, ToolKind])[] = [
  [/delete|remove/i, 'delete'],
  [/move|rename/i, 'move'],
  [/grep|glob|search|find/i, 'search'],
  [/fetch|web|http|url/i, 'fetch'],
  [/think|plan|todo/i, 'think'],
  [/read|view|list/i, 'read'],
]
const MAX_TITLE = 200

export type Called = {
  readonly toolCallId: string
  readonly toolName: string
  readonly arguments: unknown
  readonly toolTitle?: string | undefined
  /** What another agent said of its call besides: its kind, its places, `_meta`. */
  readonly theirs?: Fields
}

/** What is known of a call before it ran. */
export function callView(call: Called, cwd: string): ToolCall {
  const deed = deedOf(call.toolName, call.arguments)
  const paths = 'paths' in deed ? deed.paths : []
  const about = deed.kind === 'command' ? deed.command : paths[0]
  const title =
    call.toolTitle ?? (about === undefined ? call.toolName : `${call.toolName}: ${about}`)
  const diffs = diffsOf(call.arguments, cwd)
  return {
    toolCallId: call.toolCallId,
    title: oneLine(title),
    name: call.toolName,
    kind: kindOf(call.toolName, deed.kind),
    ...(paths.length > 0 && { locations: paths.map((path) => ({ path: place(path, cwd) })) }),
    ...(diffs.length > 0 && { content: diffs }),
    ...defined({ rawInput: call.arguments }),
  }
}

function kindOf(toolName: string, deed: ReturnType<typeof deedOf>['kind']): ToolKind {
  if (deed === 'write') return 'edit'
  if (deed === 'command') return 'execute'
  if (deed === 'read') return 'read'
  return KINDS.find(([pattern]) => pattern.test(toolName))?.[1] ?? 'other'
}

const oneLine = (title: string): string => {
  const line = title.split('\n', 1)[0] ?? ''
  return line.length > MAX_TITLE ? `${line.slice(0, MAX_TITLE - 1)}…` : line
}

const place = (path: string, cwd: string): string =>
  isAbsolute(path) || /^[A-Za-z]:/.test(path) ? path : resolve(cwd, path)

/** The change that the arguments of an editing tool spell out. */
function diffsOf(args: unknown, cwd: string): ToolCallContent[] {
  if (!isFields(args)) return []
  const path = textUnder(args, ['path', 'file_path', 'filePath'])
  if (path === undefined) return []
  const [oldText, newText] = [textUnder(args, OLD), textUnder(args, NEW)]
  if (oldText !== undefined)
    return [{ type: 'diff', path: place(path, cwd), oldText, newText: newText ?? '' }]
  const whole = textUnder(args, ['file_text', 'content'])
  return whole === undefined ? [] : [{ type: 'diff', path: place(path, cwd), newText: whole }]
}

/** As our own tools name them, and those of other agents. */
const OLD = ['old_str', 'old_string', 'oldString']
const NEW = ['new_str', 'new_string', 'newString']

const textUnder = (args: Fields, keys: readonly string[]): string | undefined =>
  keys.map((key) => textIn(args, key)).find((value) => value !== undefined)

/** Nothing in it is null, so that it can begin a call, too. */
type EndView = Partial<ToolCall> & Pick<ToolCall, 'toolCallId'>

/** What came of it. What another agent told of its own call is given on in that agent's words. */
export function endView(
  data: Payload<'tool.execution_complete'>,
  call: Called | undefined,
  cwd: string,
): EndView {
  const { toolCallId, success, result, error } = data
  const output = success ? result?.content : (error?.message ?? result?.content)
  const contents = (result?.contents ?? []).flatMap((content): ToolCallContent[] =>
    content.type === 'image' || content.type === 'audio' || content.type === 'resource_link'
      ? [{ type: 'content', content }]
      : [],
  )
  const own: ToolCallContent[] = [
    ...(success && call !== undefined ? diffsOf(call.arguments, cwd) : []),
    ...(output ? [textContent(output)] : []),
    ...contents,
  ]
  const exit = data.shellExecution
  return {
    toolCallId,
    status: success ? 'completed' : 'failed',
    ...(own.length > 0 && { content: own }),
    ...(output !== undefined && {
      rawOutput: { content: output, ...defined({ exitCode: exit?.exitCode }) },
    }),
    ...passedOn(data),
  }
}

function passedOn(data: object): Partial<ToolCall> {
  const { content, ...fields } = theirFields(data)
  // Its terminals are not known to the client that is told: what they wrote is.
  const shown = objectsOf(content).filter((each) => each['type'] !== 'terminal')
  return { ...fields, ...(shown.length > 0 && { content: shown as ToolCallContent[] }) }
}

/** What another agent said of its call besides what is ours to say. */
export function theirFields(data: object): Fields {
  const { acp } = data as { readonly acp?: unknown }
  if (!isFields(acp)) return {}
  const { toolCallId: _id, status: _status, updates: _odd, rawInput: _given, ...fields } = acp
  return fields
}
