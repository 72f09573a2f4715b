/**
 * A session as `opencode export` prints it and `opencode import` takes it: what it is, then message by message, each with
 * its parts. A call and its result are one part there, so an answer waits for its results.
 */
import type { Tally } from '../convert/fidelity-report.ts'
import type { Picture, Usage } from '../convert/import-drafts.ts'
import type { Retold } from '../convert/replay-to-drafts.ts'

type About = {
  readonly sessionId: string
  readonly cwd: string
  readonly title: string
  readonly startedAt: string
  readonly version: string
  readonly model: { readonly providerID: string; readonly modelID: string }
  /** Names sort by their time; the rest of a name only has to be its own. */
  readonly unique: () => string
}

type OpencodeMessage = { readonly info: object; readonly parts: readonly object[] }

/** The first is about the session, the others are its messages. */
export async function* writeOpencode(
  told: AsyncIterable<Retold>,
  about: About,
  tally: Tally,
): AsyncGenerator<object, void, void> {
  const { sessionId: sessionID, cwd, title, startedAt, version, model } = about
  const nameIn = opencodeNames(about.unique)
  yield {
    id: sessionID,
    slug: sessionID.slice(-12).toLowerCase(),
    projectID: 'global',
    directory: cwd,
    title,
    version,
    time: { created: Date.parse(startedAt), updated: Date.parse(startedAt) },
  }
  let parentID = ''
  let open: Answer | undefined
  const close = (): OpencodeMessage[] => {
    const done = open === undefined ? [] : [answerOf(open)]
    open = undefined
    return done
  }
  const user = (at: string, parts: (ids: PartIds) => readonly object[]): OpencodeMessage => {
    parentID = nameIn('msg', at)
    const ids = () => ({ id: nameIn('prt', at), sessionID, messageID: parentID })
    const time = { created: Date.parse(at) }
    return {
      info: { id: parentID, sessionID, role: 'user', time, agent: 'build', model },
      parts: parts(ids),
    }
  }
  const answer = (at: string, said: Said): Answer => {
    const { calls, usage } = said
    const messageID = nameIn('msg', at)
    const ids = () => ({ id: nameIn('prt', at), sessionID, messageID })
    const created = Date.parse(at)
    const info = {
      id: messageID,
      sessionID,
      role: 'assistant',
      parentID,
      mode: 'build',
      agent: 'build',
      path: { cwd, root: cwd },
      cost: usage?.dollars ?? 0,
      tokens: tokensOf(usage),
      ...model,
      time: { created, completed: created },
      finish: calls.length > 0 ? 'tool-calls' : 'stop',
    }
    return { info, created, said, ids, results: new Map() }
  }
  for await (const item of told) {
    if (item.kind === 'result') {
      tally.count('images', item.isError ? 'lost' : 'kept', item.images.length)
      open?.results.set(item.callId, item)
      continue
    }
    yield* close()
    switch (item.kind) {
      case 'prompt':
        tally.count('images', 'kept', item.images.length)
        yield user(item.at, (ids) => [
          { ...ids(), type: 'text', text: item.text },
          ...item.images.map((image, at) => ({ ...ids(), ...fileOf(image, at) })),
        ])
        break
      case 'answer':
        if (item.thinking !== undefined) tally.count('thinking')
        if (item.usage !== undefined) tally.count('usage')
        open = answer(item.at, item)
        break
      case 'summary': {
        yield user(item.at, (ids) => [{ ...ids(), type: 'compaction', auto: false }])
        const said = answer(item.at, { text: item.text, calls: [] })
        yield answerOf({
          ...said,
          info: { ...said.info, summary: true, mode: 'compaction', agent: 'compaction' },
        })
      }
    }
  }
  yield* close()
}

type PartIds = () => { readonly id: string; readonly sessionID: string; readonly messageID: string }
type Result = Extract<Retold, { kind: 'result' }>
type Said = Pick<Extract<Retold, { kind: 'answer' }>, 'text' | 'calls' | 'thinking' | 'usage'>
type Answer = {
  readonly info: object
  readonly created: number
  readonly said: Said
  readonly ids: PartIds
  readonly results: Map<string, Result>
}

function answerOf({ info, created, said, ids, results }: Answer): OpencodeMessage {
  const { text, calls, thinking } = said
  const time = { start: created, end: created }
  return {
    info,
    parts: [
      ...(thinking === undefined ? [] : [{ ...ids(), type: 'reasoning', text: thinking, time }]),
      ...(text === '' ? [] : [{ ...ids(), type: 'text', text }]),
      ...calls.map(({ id, name, args }) => ({
        ...ids(),
        type: 'tool',
        callID: id,
        tool: name,
        state: stateOf(args, results.get(id), ids),
      })),
    ],
  }
}

function stateOf(input: unknown, result: Result | undefined, ids: PartIds): object {
  // Every call has a result in what is retold; without one it would wait there for ever.
  const { at, isError, text, images } = result ?? { at: '', isError: true, text: '', images: [] }
  const attachments = images.map((image, index) => ({ ...ids(), ...fileOf(image, index) }))
  const ms = Date.parse(at) || 0
  const time = { start: ms, end: ms }
  return isError
    ? { status: 'error', input, error: text, time }
    : { status: 'completed', input, output: text, title: '', metadata: {}, time, attachments }
}

/** What it counts for itself, ours counts among input and output. */
const tokensOf = ({
  input = 0,
  output = 0,
  cacheRead = 0,
  cacheWrite = 0,
  reasoning = 0,
}: Usage = {}) => ({
  input: Math.max(0, input - cacheRead - cacheWrite),
  output: Math.max(0, output - reasoning),
  reasoning,
  cache: { read: cacheRead, write: cacheWrite },
})

const fileOf = ({ mimeType, data }: Picture, at: number) => ({
  type: 'file',
  mime: mimeType,
  filename: `picture-${at + 1}.${mimeType.split('/')[1] ?? 'png'}`,
  url: `data:${mimeType};base64,${data}`,
})

const COUNTED = 0x1000n
const ALL = 0xffff_ffff_ffffn

/** Its names begin with the time, in twelve digits, and go up; those of sessions go down. */
export function opencodeNames(unique: () => string) {
  let last = 0n
  return (kind: 'ses' | 'msg' | 'prt', at: string): string => {
    const time = BigInt(Date.parse(at) || 0) * COUNTED
    last = time > last ? time : last + 1n
    const shown = (kind === 'ses' ? ~last : last) & ALL
    return `${kind}_${shown.toString(16).padStart(12, '0')}${unique()}`
  }
}
