/**
 * `fs/read_text_file` and `fs/write_text_file`, under the permissions of every other tool. What is written is recorded
 * as a tool of ours within the call of the agent.
 */
import type { AgentItem } from '../../engine/agent.ts'
import type { Draft } from '../../format/event.ts'
import { realPath } from '../../lib/real-path.ts'
import { runTool } from '../run-tool.ts'
import { create } from '../tools/create.ts'
import { textOnScreen } from '../tools/editor.ts'
import { looksBinary, openFile } from '../tools/files.ts'
import { locate, readingDeed } from '../tools/paths.ts'
import type { ToolContext } from '../tools/tool.ts'
import { textNow } from '../tools/writing.ts'
import { RpcFailure } from '../../lib/rpc-lines.ts'
import { INTERNAL, INVALID_PARAMS, NOT_ALLOWED } from './connection.ts'
import type { Desk } from './desk.ts'
import { parentOf, requireLeave } from './desk.ts'
import { countIn, textIn } from './raw.ts'
import type { Raw } from './raw.ts'
import type { FileDiff } from './tool-result.ts'

const MAX_BYTES = 16 * 1024 * 1024

export async function readTextFile(desk: Desk, params: Raw): Promise<Raw> {
  const path = required(params, 'path')
  const context = await contextOf(desk)
  const deed = await readingDeed(path, context, `Read ${path}`)
  if (deed !== undefined) {
    await requireLeave(desk, deed, desk.calls.current()?.toolCallId ?? desk.newId())
  }
  const place = await locate(path, context)
  const text = (await textOnScreen(place, context)) ?? (await wholeText(place))
  const [line, limit] = [countIn(params, 'line'), countIn(params, 'limit')]
  if (line === undefined && limit === undefined) return { content: text }
  const lines = text.split(/(?<=\n)/)
  const from = Math.max(0, (line ?? 1) - 1)
  return { content: lines.slice(from, limit === undefined ? undefined : from + limit).join('') }
}

export async function writeTextFile(desk: Desk, params: Raw): Promise<Raw> {
  const [path, content] = [required(params, 'path'), required(params, 'content')]
  const isAllowed = await wasShown(desk, path, content)
  const turn = isAllowed
    ? { ...desk.turn, permit: () => Promise.resolve({ kind: 'allow', by: 'policy' } as const) }
    : desk.turn
  const call = { toolCallId: desk.newId(), arguments: { path, file_text: content } }
  const parent = parentOf(desk)
  const running = runTool(turn, create, call, desk.signal)
  for (;;) {
    const next = await running.next()
    if (next.done !== true) {
      desk.outbox.push(within(next.value, parent))
      await desk.outbox.taken()
      continue
    }
    if (next.value.success) return {}
    const { code, message } = next.value.failure
    throw new RpcFailure(code === 'denied' ? NOT_ALLOWED : INTERNAL, message)
  }
}

/** A change that was shown with a question and allowed need not be asked for again, if it is that change. */
async function wasShown(desk: Desk, path: string, content: string): Promise<boolean> {
  if (desk.allowedDiffs.size === 0) return false
  const context = await contextOf(desk)
  const file = await locate(path, context)
  const now = await textNow(path, context)
  for (const shown of desk.allowedDiffs) {
    if ((await locate(shown.path, context)) !== file) continue
    if (changed(now, shown) === content) return desk.allowedDiffs.delete(shown)
  }
  return false
}

/** The text after a change; of a longer file agents show the piece that changes. Undefined when it does not fit. */
function changed(now: string | undefined, { before, after }: FileDiff): string | undefined {
  if (before === now) return after
  if (!before || now === undefined) return undefined
  const at = now.indexOf(before)
  return at === -1 ? undefined : now.slice(0, at) + after + now.slice(at + before.length)
}

function within(item: AgentItem, parent: { readonly parentToolCallId?: string }): AgentItem {
  if (!('draft' in item) || !item.draft.type.startsWith('tool.execution_')) return item
  return { draft: { ...item.draft, data: { ...item.draft.data, ...parent } } as Draft }
}

async function wholeText(path: string): Promise<string> {
  const file = await openFile(path)
  try {
    const { size } = await file.stat()
    if (size > MAX_BYTES)
      throw new RpcFailure(INTERNAL, `The file has ${size} bytes; ${MAX_BYTES} is the limit.`)
    const bytes = await file.readFile()
    if (looksBinary(bytes)) throw new RpcFailure(INTERNAL, 'The file is binary.')
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } finally {
    await file.close()
  }
}

const contextOf = async ({ turn, signal }: Desk): Promise<ToolContext> => ({
  cwd: await realPath(turn.cwd),
  workspacePath: turn.workspacePath,
  signal,
  editor: turn.switchboard?.editor(turn.sessionId),
})

function required(params: Raw, key: string): string {
  const value = textIn(params, key)
  if (value !== undefined) return value
  throw new RpcFailure(INVALID_PARAMS, `"${key}" is missing.`)
}
