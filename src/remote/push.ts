/**
 * Brings the copy of one session up to its log. The log itself is what waits to be sent: nothing is buffered, and after
 * a crash, a sleep or days offline the server's own answer says where to go on. Each line leaves redacted, and is kept
 * there byte for byte.
 */
import type { SessionId } from '../format/ids.ts'
import { logPath, sessionDir } from '../format/paths.ts'
import type { SessionFs } from '../fs/session-fs.ts'
import { LogMoved } from '../log/errors.ts'
import { readLog } from '../log/read.ts'
import { readableSize } from '../log/redo.ts'
import { align, isWhereItWas, type Places } from './align.ts'
import type { GivenBlobs } from './upload-blobs.ts'
import { linesOf, type Redaction } from './lines.ts'
import { readLink, writeLink, type Copy, type End } from './link.ts'
import { RemoteError } from './remote-error.ts'
import type { Claim, Server } from './control-client.ts'
import { stands } from './log-unchanged.ts'
import { tailHashOf } from './tail-hash.ts'

export type PushParts = {
  readonly fs: SessionFs
  readonly server: Server
  readonly redaction: Redaction
}

/** The right to append, while nobody else has claimed it. */
export type Right = {
  readonly claim: Claim
  readonly copy: Copy
  readonly seq: number
  readonly given: GivenBlobs
  /** Where the copy goes on was found out just now, by reading the log. */
  readonly isLocated?: boolean
}

type Pushed = { readonly right: Right; readonly sent: number }

/** A log that is rewound again and again while it is sent is left for later. */
const MOST_TRIES = 5

/** Without a right from before, it is claimed. A log that is rewound meanwhile is looked at anew. */
export async function push(parts: PushParts, id: SessionId, had?: Right): Promise<Pushed> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await pushOnce(parts, id, tries === 1 ? had : undefined)
    } catch (cause) {
      if (!(cause instanceof LogMoved)) throw cause
      if (tries === MOST_TRIES)
        throw new RemoteError('unreachable', 'The session was rewound while it was sent.', {
          cause,
        })
    }
  }
}

async function pushOnce(parts: PushParts, id: SessionId, had?: Right): Promise<Pushed> {
  const { fs, server } = parts
  const dir = sessionDir(id)
  const size = await readableSize(fs, dir)
  let right = had
  if (right === undefined || !(await isStill(fs, dir, right.copy, size))) {
    const claim = await server.claim(id)
    const copy = (await readLink(fs, dir))?.copy
    const isKnown =
      copy !== undefined && isWhereItWas(copy, claim) && (await isStill(fs, dir, copy, size))
    const found = isKnown ? copy : await locate(parts, id, claim, copy?.left ?? [], size)
    right = { claim, copy: found, seq: 0, given: new Map(), isLocated: !isKnown }
  }
  return send(parts, id, right, size)
}

/** The record that the copy ends with still ends at that byte of the log. */
async function isStill(fs: SessionFs, dir: string, copy: Copy, size: number): Promise<boolean> {
  if (copy.head.events === 0) return copy.logSize === 0
  if (copy.logSize > size) return false
  return stands(fs, logPath(dir), { id: copy.head.lastEventId, end: copy.logSize })
}

/** Reads the whole log for where its events are, and has the copy go on from where both agree. */
async function locate(
  { fs, server }: PushParts,
  id: SessionId,
  claim: Claim,
  left: readonly End[],
  size: number,
): Promise<Copy> {
  const places = await placesIn(fs, sessionDir(id), size)
  const alignment = align(places, claim, left)
  if (alignment.kind === 'append') return copyAt(places, claim.generation, alignment.events, left)
  const fork =
    alignment.kind === 'generation'
      ? alignment
      : { from: claim.generation, events: await commonWith(places.ids, server, id, claim) }
  const generation = claim.generation + 1
  await server.addGeneration(id, claim, { generation, from: fork.from, events: fork.events })
  const rest = left.filter((end) => end.generation !== fork.from)
  const { events, lastEventId } = claim
  const leaves = lastEventId === null ? [] : [{ generation: claim.generation, events, lastEventId }]
  return copyAt(places, generation, fork.events, [...rest, ...leaves].slice(-MOST_LEFT))
}

/** Older ones are found by comparing, should a redo reach so far back. */
const MOST_LEFT = 20

function copyAt(
  { ids, ends }: Places,
  generation: number,
  events: number,
  left: readonly End[],
): Copy {
  return {
    head: { generation, events, lastEventId: ids[events - 1] ?? '' },
    logSize: ends[events - 1] ?? 0,
    left: [...left],
  }
}

async function placesIn(fs: SessionFs, dir: string, size: number): Promise<Places> {
  const ids: string[] = []
  const ends: number[] = []
  for await (const { records } of readLog(fs, logPath(dir), { to: size })) {
    for (const { event, end } of records) {
      ids.push(event.id)
      ends.push(end)
    }
  }
  return { ids, ends }
}

/** So many events from the first on are the same there; it is asked no further than that. */
async function commonWith(
  ids: readonly string[],
  server: Server,
  id: SessionId,
  claim: Claim,
): Promise<number> {
  let count = 0
  for await (const page of server.events(id, claim.generation)) {
    for (const event of page) {
      if (ids[count] !== String((event as { readonly id?: unknown } | null)?.id)) return count
      count += 1
    }
  }
  return count
}

async function send(
  { fs, server, redaction }: PushParts,
  id: SessionId,
  right: Right,
  to: number,
): Promise<Pushed> {
  const dir = sessionDir(id)
  let { copy, seq } = right
  const { claim, given } = right
  const from = copy.logSize
  const after = from === 0 ? undefined : { id: copy.head.lastEventId, end: from }
  let sent = 0
  const remember = async (now: Copy) => {
    const link = await readLink(fs, dir)
    await writeLink(fs, dir, { version: 1, ...link, server: server.url, copy: now })
  }
  // Nothing may be left to send: how far the copy goes is known all the same.
  if (right.isLocated === true) await remember(copy)
  for await (const batch of linesOf({ fs, ...redaction }, dir, { from, to, given, after })) {
    const { generation, events } = copy.head
    // Before the events that name them: who reads those finds them.
    for (const { hash, bytes } of batch.blobs) await server.putBlob(id, hash, bytes)
    const { policy } = redaction
    await server.append(id, { claim, generation, seq, lines: batch.lines, policy })
    seq += 1
    sent += batch.lines.length
    const head = { generation, events: events + batch.lines.length, lastEventId: batch.lastId }
    copy = { ...copy, head, logSize: batch.end, tailHash: tailHashOf(batch.lines) }
    await remember(copy)
  }
  return { right: { claim, copy, seq, given }, sent }
}
