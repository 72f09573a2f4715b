/**
 * The tool calls of an agent in one turn, each from its first word to its result. Agents tell of a call in pieces and
 * some use the same id again in a later turn, so a call has an id of ours, and begins in the log once it is known what
 * it was called with.
 */
import type { Draft, Payload } from '../../format/event.ts'
import { deferred } from '../../lib/deferred.ts'
import { defined } from '../../lib/defined.ts'
import { fieldsOf, isFields, textIn, without, type Fields } from '../../lib/fields.ts'
import type { Speech, TurnOutput } from './message-assembler.ts'
import {
  OUTPUT,
  completion,
  contentTexts,
  terminalOutput,
  type TerminalEnd,
} from './tool-result.ts'

export interface ToolCalls {
  /** `tool_call` and `tool_call_update` alike: either may be the first. */
  update(call: Fields): void
  /** Some ask about a call before they have told its input: that is waited for, but not for long. */
  untilInput(call: Fields): Promise<void>
  /** Makes sure that the call is in the log, and gives all that is known of it. */
  begin(call: Fields): ToolCall
  /** What came with an id of this turn's calls but is no update that we know. */
  keep(toolCallId: string, raw: Fields): boolean
  /** Calls that wait to begin do so now. */
  beginAll(): void
  /** The call that is most likely at work: the last one that began and has no result. */
  current(): ToolCall | undefined
}

export type ToolCall = {
  readonly toolCallId: string
  readonly toolName: string
  readonly raw: Fields
}

type Call = {
  toolCallId: string
  raw: Fields
  hasBegun: boolean
  isOver: boolean
  told: string
  /** What a terminal of the agent's own has written, piece by piece. */
  output: string
  /** A question waits for its input. */
  heard?: () => void
}

const INPUT_MS = 500

export function createToolCalls(
  output: TurnOutput,
  speech: Speech,
  {
    terminal,
    ended,
  }: {
    readonly terminal: (id: string) => TerminalEnd | undefined
    /** A call is over; for hooks. */
    readonly ended: (call: ToolCall, data: Payload<'tool.execution_complete'>) => void
  },
): ToolCalls {
  const { turn, emit } = output
  const calls = new Map<string, Call>()
  let count = 0

  function find(raw: Fields): Call {
    const theirId = textIn(raw, 'toolCallId') ?? ''
    const known = calls.get(theirId)
    if (known !== undefined && !(known.isOver && startsAnew(raw))) return known
    count += 1
    const toolCallId = `${turn.turnId.slice(0, 8)}-${count}-${theirId}`
    const call: Call = {
      toolCallId,
      raw: {},
      hasBegun: false,
      isOver: false,
      told: '',
      output: '',
    }
    calls.set(theirId, call)
    return call
  }

  function begin(call: Call): void {
    if (call.hasBegun) return
    call.hasBegun = true
    const { toolCallId, raw } = call
    const toolName = nameOf(raw)
    const args = raw['rawInput'] ?? {}
    const toolTitle = textIn(raw, 'title')
    const titled = toolTitle !== undefined && { toolTitle }
    speech.end([{ toolCallId, name: toolName, arguments: args, type: 'function', ...titled }])
    const { turnId } = turn
    const beside = without(raw, ...TOLD)
    const data = {
      toolCallId,
      toolName,
      arguments: args,
      turnId,
      ...titled,
      ...(Object.keys(beside).length > 0 && { acp: beside }),
    }
    emit({ draft: { type: 'tool.execution_start', data } })
  }

  function finish(call: Call): void {
    begin(call)
    call.isOver = true
    const { interactionId } = turn.message
    const data = {
      ...completion(call, terminal),
      turnId: turn.turnId,
      ...defined({ interactionId }),
    }
    const draft: Draft = { type: 'tool.execution_complete', data }
    emit({ draft })
    ended(asToolCall(call), data)
  }

  /** Output that has grown is told as what was added, and what the agent said beside it with it. */
  function tellProgress(call: Call, beside: Fields): void {
    const { toolCallId } = call
    const text = contentTexts(call.raw) || call.output
    const acp = Object.keys(beside).length > 0 && { acp: beside }
    if (text === '' || text === call.told) {
      if (acp) tellBeside(toolCallId, beside)
      return
    }
    const partialOutput = text.startsWith(call.told) ? text.slice(call.told.length) : text
    call.told = text
    const data = { toolCallId, partialOutput, ...acp }
    emit({ notice: { type: 'tool.execution_partial_result', data } })
  }

  /** For those who follow the session in the agent's own protocol. */
  function tellBeside(toolCallId: string, beside: Fields): void {
    const name = 'tool_call_update'
    const payload = { sessionUpdate: name, toolCallId, ...beside }
    const data = { source: 'acp', name, payload }
    emit({ notice: { type: 'session.custom_notification', data } })
  }

  function update(raw: Fields): void {
    const call = find(raw)
    // Told again after its end: nothing new can be recorded.
    if (call.isOver) return
    const hadBegun = call.hasBegun
    call.raw = merged(call.raw, raw)
    if (hasInput(call.raw)) call.heard?.()
    call.output = (call.output + terminalOutput(raw)).slice(-MOST_OUTPUT)
    const { status } = call.raw
    if (status === 'completed' || status === 'failed') return finish(call)
    if (status === 'in_progress' || hasInput(call.raw)) begin(call)
    // Output is told as output: as such it can be freed of secrets.
    const _meta = without(fieldsOf(raw['_meta']), ...OUTPUT)
    const isTold = hadBegun && Object.keys(_meta).length > 0
    if (call.hasBegun) tellProgress(call, isTold ? { _meta } : {})
  }

  return {
    update,
    async untilInput(raw) {
      const call = find(raw)
      if (call.isOver || hasInput(merged(call.raw, raw))) return
      const { promise, resolve } = deferred<void>()
      call.heard = resolve
      const timer = setTimeout(resolve, INPUT_MS)
      await promise
      clearTimeout(timer)
    },
    begin(raw) {
      const call = find(raw)
      if (!call.isOver) call.raw = merged(call.raw, raw)
      begin(call)
      return asToolCall(call)
    },
    keep(theirId, raw) {
      const call = calls.get(theirId)
      if (call === undefined || call.isOver) return false
      const updates = Array.isArray(call.raw['updates']) ? call.raw['updates'] : []
      call.raw = { ...call.raw, updates: [...updates, raw] }
      return true
    },
    beginAll() {
      for (const call of calls.values()) if (!call.isOver) begin(call)
    },
    current() {
      const call = [...calls.values()].findLast((each) => each.hasBegun && !each.isOver)
      return call === undefined ? undefined : asToolCall(call)
    },
  }
}

/** Of a terminal of the agent's own, as of ours. */
const MOST_OUTPUT = 1024 * 1024

/** The fields of a call's start that we tell; the rest is kept beside it. Content comes with the end. */
const TOLD = [
  'toolCallId',
  'name',
  'title',
  'rawInput',
  'rawOutput',
  'status',
  'content',
  'updates',
]

const asToolCall = ({ toolCallId, raw }: Call): ToolCall => ({
  toolCallId,
  toolName: nameOf(raw),
  raw,
})

const startsAnew = ({ sessionUpdate, status }: Fields): boolean =>
  sessionUpdate === 'tool_call' && status !== 'completed' && status !== 'failed'

/** A directory alone says nothing of the call: some agents tell of it before they know the rest. */
const hasInput = ({ rawInput }: Fields): boolean =>
  isFields(rawInput)
    ? Object.keys(without(rawInput, 'cwd')).length > 0
    : rawInput !== undefined && rawInput !== null

/** Later fields replace earlier ones whole, those of `_meta` each by itself; null and an empty input say nothing. */
const merged = (one: Fields, other: Fields): Fields => {
  const meta = { ...fieldsOf(one['_meta']), ...without(fieldsOf(other['_meta']), ...OUTPUT) }
  return {
    ...one,
    ...Object.fromEntries(
      Object.entries(other).filter(
        ([key, value]) =>
          key !== 'sessionUpdate' &&
          value !== null &&
          value !== undefined &&
          (key !== 'rawInput' || hasInput(other) || !hasInput(one)),
      ),
    ),
    ...(Object.keys(meta).length > 0 && { _meta: meta }),
  }
}

export const nameOf = (call: Fields): string =>
  textIn(call, 'name') ?? textIn(call, 'kind') ?? 'tool'
