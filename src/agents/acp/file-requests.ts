/**
 * `fs/read_text_file` and `fs/write_text_file`, under the permissions of every other tool. What is written is recorded
 * as a tool of ours within the call of the agent.
 */
import type { ReadTextFileResponse, WriteTextFileResponse } from '@agentclientprotocol/sdk'
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
import { RpcFailure, rpcCodes } from '../../lib/json-rpc/failure.ts'
import { NOT_ALLOWED } from './connection.ts'
import { parentOf, requireLeave, type TurnServices } from './turn-services.ts'
import { countIn, textIn, type Fields } from '../../lib/fields.ts'
import type { FileDiff } from './tool-result.ts'

const MAX_BYTES = 16 * 1024 * 1024

export async function readTextFile(
  services: TurnServices,
  params: Fields,
): Promise<ReadTextFileResponse> {
  const path = required(params, 'path')
  const context = await contextOf(services)
  const deed = await readingDeed(path, context, `Read ${path}`)
  if (deed !== undefined) {
    await requireLeave(services, deed, services.calls.current()?.toolCallId ?? services.newId())
  }
  const place = await locate(path, context)
  const text = (await textOnScreen(place, context)) ?? (await wholeText(place))
  const [line, limit] = [countIn(params, 'line'), countIn(params, 'limit')]
  if (line === undefined && limit === undefined) return { content: text }
  const lines = text.split(/(?<=\n)/)
  const from = Math.max(0, (line ?? 1) - 1)
  return { content: lines.slice(from, limit === undefined ? undefined : from + limit).join('') }
}

export async function writeTextFile(
  services: TurnServices,
  params: Fields,
): Promise<WriteTextFileResponse> {
  const [path, content] = [required(params, 'path'), required(params, 'content')]
  const isAllowed = await wasShown(services, path, content)
  const turn = isAllowed
    ? { ...services.turn, permit: () => Promise.resolve({ kind: 'allow', by: 'policy' } as const) }
    : services.turn
  const call = { toolCallId: services.newId(), arguments: { path, file_text: content } }
  const parent = parentOf(services)
  const running = runTool(turn, create, call, services.signal)
  for (;;) {
    const next = await running.next()
    if (next.done !== true) {
      services.outbox.push(within(next.value, parent))
      await services.outbox.taken()
      continue
    }
    if (next.value.success) return {}
    const { code, message } = next.value.failure
    throw new RpcFailure(code === 'denied' ? NOT_ALLOWED : rpcCodes.internal, message)
  }
}

/** A change that was shown with a question and allowed need not be asked for again, if it is that change. */
async function wasShown(services: TurnServices, path: string, content: string): Promise<boolean> {
  if (services.allowedDiffs.size === 0) return false
  const context = await contextOf(services)
  const file = await locate(path, context)
  const now = await textNow(path, context)
  for (const shown of services.allowedDiffs) {
    if ((await locate(shown.path, context)) !== file) continue
    if (changed(now, shown) === content) return services.allowedDiffs.delete(shown)
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
      throw new RpcFailure(
        rpcCodes.internal,
        `The file has ${size} bytes; ${MAX_BYTES} is the limit.`,
      )
    const bytes = await file.readFile()
    if (looksBinary(bytes)) throw new RpcFailure(rpcCodes.internal, 'The file is binary.')
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } finally {
    await file.close()
  }
}

const contextOf = async ({ turn, signal }: TurnServices): Promise<ToolContext> => ({
  cwd: await realPath(turn.cwd),
  workspacePath: turn.workspacePath,
  signal,
  editor: turn.switchboard?.editor(turn.sessionId),
  mayRead: turn.mayRead,
})

function required(params: Fields, key: string): string {
  const value = textIn(params, key)
  if (value !== undefined) return value
  throw new RpcFailure(rpcCodes.invalidParams, `"${key}" is missing.`)
}
