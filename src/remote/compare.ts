/** Where the history that Mission Control has differs from the one here, and why. Looking changes nothing. */
import type { Engine } from '../engine/engine.ts'
import type { CopyDifference, CopyReport, RemoteMode } from '../engine/remote-control.ts'
import type { SessionId } from '../format/ids.ts'
import type { SessionFs } from '../fs/session-fs.ts'
import { sessionDir } from '../format/paths.ts'
import { inLanes } from '../lib/map-concurrent.ts'
import { counted } from '../lib/quantities.ts'
import { endsThere, isAsRemembered, readLink } from './link.ts'
import { RemoteError } from './remote-error.ts'
import type { Server } from './control-client.ts'
import type { ServerHead } from './server-heads.ts'

type CompareParts = {
  readonly engine: Pick<Engine, 'fs' | 'list'>
  readonly server: Server
  readonly modeOf: (id: SessionId) => Promise<RemoteMode>
}

const LANES = 4
const DELETED = 'it was deleted there; "reprise remote on" of it sends it again'

type Found = CopyDifference | 'same' | 'unwanted'

export async function compareCopies(
  parts: CompareParts,
  wanted?: readonly SessionId[],
): Promise<CopyReport> {
  const { engine, server } = parts
  const ids = wanted ?? (await engine.list()).map(({ id }) => id)
  const summed = (found: readonly Found[]) => ({
    url: server.url,
    same: found.filter((each) => each === 'same').length,
    unwanted: found.filter((each) => each === 'unwanted').length,
    differing: found.filter((each) => typeof each === 'object'),
  })
  try {
    const { name, machine, tenant } = await server.me()
    const told = await server.heads()
    const heads = new Map(told.map((head) => [head.id, head]))
    const found = await inLanes(ids, LANES, (id) => differenceOf(parts, id, heads.get(id)))
    return { ...summed(found), as: { name, machine, tenant }, unread: await server.unread() }
  } catch (cause) {
    if (!(cause instanceof RemoteError)) throw cause
    const { fs } = engine
    const found = await inLanes(ids, LANES, async (id) =>
      differenceOf(parts, id, await remembered(fs, id)),
    )
    return { ...summed(found), trouble: cause.message, unread: 0 }
  }
}

/** What the server had when this machine last sent something. */
async function remembered(fs: SessionFs, id: SessionId): Promise<ServerHead | undefined> {
  const copy = (await readLink(fs, sessionDir(id)))?.copy
  return copy && { id, ...copy.head, tailHash: copy.tailHash, isTrashed: false }
}

async function differenceOf(
  { engine: { fs }, server, modeOf }: CompareParts,
  id: SessionId,
  head: ServerHead | undefined,
): Promise<Found> {
  const dir = sessionDir(id)
  const link = await readLink(fs, dir)
  if (link !== undefined && link.server !== server.url)
    return {
      id,
      what: 'is not there',
      why: `its copy is kept at ${link.server}`,
      canBeSynced: false,
    }
  const isOff = (await modeOf(id)) === 'off'
  if (isOff && head === undefined) return 'unwanted'
  if (isOff)
    return {
      id,
      what: `stands there with ${counted(head?.events ?? 0, 'event')}`,
      why: 'nothing more of it is sent since its copy was turned off',
      canBeSynced: false,
    }
  if (head === undefined)
    return link?.copy === undefined
      ? { id, what: 'is not there', why: 'it was never sent', canBeSynced: true }
      : { id, what: 'is not there any more', why: DELETED, canBeSynced: false }
  if (head.isTrashed)
    return { id, what: 'lies in the trash there', why: DELETED, canBeSynced: false }
  const { copy } = link ?? {}
  if (copy?.head.generation !== head.generation || copy.head.events !== head.events)
    return {
      id,
      what: `has ${counted(head.events, 'event')} there, where this machine remembers ${counted(copy?.head.events ?? 0, 'event')}`,
      why: 'another machine wrote it, the server was restored from a backup, or this machine was stopped while it sent',
      canBeSynced: true,
    }
  if (!isAsRemembered(copy, head))
    return {
      id,
      what: `has as many events there as this machine remembers, and its last one is another`,
      why: 'another machine wrote it, or the server was restored from a backup',
      canBeSynced: true,
    }
  if (await endsThere(fs, dir, copy)) return 'same'
  return {
    id,
    what: `has only its first ${counted(head.events, 'event')} there`,
    why: 'what came since was not sent yet, or was taken back here',
    canBeSynced: true,
  }
}
