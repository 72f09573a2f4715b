/** What a tool of an agent gave, from all that the agent told of the call. Nothing of that is lost: it is kept as `acp`. */
import type { Payload } from '../../format/event.ts'
import type { ToolResultContent } from '../../format/events/tool.ts'
import { diff } from '../tools/diff.ts'
import { defined } from '../../lib/defined.ts'
import { countIn, isFields, listIn, fieldsOf, textIn, type Fields } from '../../lib/fields.ts'

export type TerminalEnd = { readonly output: string; readonly exitCode?: number }

type Completed = Payload<'tool.execution_complete'>

/** In the event up to here; a longer one goes where long texts of results go, out of the log. */
const INLINE_CHARS = 32 * 1024

export function completion(
  call: { readonly toolCallId: string; readonly raw: Fields; readonly output?: string },
  terminal: (id: string) => TerminalEnd | undefined,
): Completed {
  const { toolCallId, raw, output = '' } = call
  const success = raw['status'] !== 'failed'
  const ends = [
    ...listIn(raw, 'content').flatMap((each) =>
      each['type'] === 'terminal' ? (terminal(String(each['terminalId'])) ?? []) : [],
    ),
    ...ownTerminal(raw, output),
  ]
  const diffs = diffsIn(raw)
  const content = contentOf(raw, ends, diffs)
  const contents = listIn(raw, 'content').flatMap(richContent)
  const json = JSON.stringify(raw)
  const isLong = json.length > INLINE_CHARS
  const kept: ToolResultContent[] = isLong ? [...contents, asResource(toolCallId, json)] : contents
  const exitCode = ends.findLast((end) => end.exitCode !== undefined)?.exitCode
  const whole = { acp: isLong ? withoutBulk(raw) : raw }
  return {
    toolCallId,
    success,
    result: {
      content,
      ...(diffs.length > 0 && { detailedContent: diffs.map(({ text }) => text).join('\n') }),
      ...(kept.length > 0 && { contents: kept }),
    },
    ...(!success && { error: { message: content === '' ? 'The tool failed.' : content } }),
    ...(exitCode !== undefined && { shellExecution: { exitCode } }),
    ...(diffs.length > 0 && { fileEdits: diffs.map(({ path, kind }) => ({ path, kind })) }),
    ...whole,
  }
}

/** Where a piece of output stands in `_meta` of an update. */
export const OUTPUT = ['terminal_output', 'terminal_output_delta']

/** Codex and others run commands in terminals of their own, and tell what those write in the words of Zed. */
export const terminalOutput = ({ _meta }: Fields): string =>
  OUTPUT.map((key) => textIn(fieldsOf(fieldsOf(_meta)[key]), 'data') ?? '').join('')

function ownTerminal({ _meta }: Fields, output: string): TerminalEnd[] {
  const exitCode = countIn(fieldsOf(fieldsOf(_meta)['terminal_exit']), 'exit_code')
  return output === '' && exitCode === undefined ? [] : [{ output, ...defined({ exitCode }) }]
}

export type FileDiff = {
  readonly path: string
  readonly kind: 'create' | 'edit'
  readonly before: string | undefined
  readonly after: string
  readonly text: string
}

export function diffsIn(call: Fields): FileDiff[] {
  return listIn(call, 'content').flatMap((each) => {
    const [path, after] = [textIn(each, 'path'), textIn(each, 'newText')]
    if (each['type'] !== 'diff' || path === undefined || after === undefined) return []
    const before = textIn(each, 'oldText')
    const kind = before === undefined ? ('create' as const) : ('edit' as const)
    return [{ path, kind, before, after, text: diff(path, before, after) }]
  })
}

/** What the model saw, as far as it can be told: texts, else the output of terminals, else the raw output, else the diffs. */
function contentOf(raw: Fields, ends: readonly TerminalEnd[], diffs: readonly FileDiff[]): string {
  const texts = contentTexts(raw)
  if (texts !== '') return texts
  const outputs = ends.map(({ output }) => output.trimEnd()).filter((output) => output !== '')
  if (outputs.length > 0) return outputs.join('\n')
  const output = rawText(raw['rawOutput'])
  if (output !== '') return output
  return diffs
    .map(({ kind, path }) => `${kind === 'create' ? 'Created' : 'Edited'} ${path}.`)
    .join('\n')
}

export const contentTexts = (call: Fields): string =>
  listIn(call, 'content')
    .flatMap((each) =>
      each['type'] === 'content' ? (textIn(fieldsOf(each['content']), 'text') ?? []) : [],
    )
    .join('\n')

function rawText(output: unknown): string {
  if (output === undefined || output === null) return ''
  if (typeof output === 'string') return output
  if (!isFields(output)) return JSON.stringify(output)
  const named = ['output', 'stdout', 'content', 'message', 'error'].map((key) =>
    textIn(output, key),
  )
  return named.find((text) => text !== undefined && text !== '') ?? JSON.stringify(output)
}

function richContent(each: Fields): ToolResultContent[] {
  if (each['type'] !== 'content') return []
  const content = fieldsOf(each['content'])
  const type = content['type']
  const known =
    type === 'image' || type === 'audio' || type === 'resource' || type === 'resource_link'
  return known ? [content as unknown as ToolResultContent] : []
}

const asResource = (toolCallId: string, text: string): ToolResultContent => ({
  type: 'resource',
  resource: { uri: `acp:tool-call/${toolCallId}`, mimeType: 'application/json', text },
})

/** The small fields of a call that is kept whole elsewhere. */
const withoutBulk = (raw: Fields): Fields =>
  Object.fromEntries(
    Object.entries(raw).filter(([, value]) => (JSON.stringify(value)?.length ?? 0) < 1024),
  )
