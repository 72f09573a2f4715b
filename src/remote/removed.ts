/**
 * What was removed from Mission Control by this machine, by the ids of the sessions alone: a server that was restored from
 * an older backup has it again, and cannot know that it should not. Notes are kept for a year.
 */
import { z } from 'zod'
import { asSessionId, type SessionId } from '../format/ids.ts'
import { homeFolder, inHome, logPath, sessionDir } from '../format/paths.ts'
import type { SessionFs } from '../fs/session-fs.ts'
import { decodeText, encodeText } from '../lib/bytes.ts'
import { inLanes } from '../lib/map-concurrent.ts'
import type { Server } from './control-client.ts'

const Removed = z.object({
  server: z.string(),
  /** Not into the trash there. */
  forGood: z.boolean(),
  /** In the server's time: a copy that it began before that is to go again, one that was begun since may stay. */
  at: z.number().optional(),
  /** Of what went to the trash: taken out of it by hand, it has been changed more often than that. */
  rev: z.number().optional(),
})
type Removed = z.output<typeof Removed>

export const noteRemoved = (fs: SessionFs, id: SessionId, removed: Removed): Promise<void> =>
  fs.writeAtomic(inHome('remoteRemoved', { id }), encodeText(JSON.stringify(removed)), {
    durable: true,
  })

/** It is wanted there again. */
export const forgetRemoved = (fs: SessionFs, id: SessionId): Promise<void> =>
  fs.remove(inHome('remoteRemoved', { id }))

export const LOOK_MS = 3600_000

/** True for one process of the home an hour, where there is anything to look for. */
export async function isLookDue(fs: SessionFs, now: number): Promise<boolean> {
  const path = inHome('remoteLooked')
  const { mtimeMs = 0 } = (await fs.stat(path)) ?? {}
  if (now - mtimeMs < LOOK_MS) return false
  if ((await fs.list(homeFolder('remoteRemoved'))).length === 0) return false
  await fs.writeAtomic(path, new Uint8Array(), { durable: false })
  return true
}

type RemovedAgain = ReadonlyMap<SessionId, { readonly forGood: boolean }>

/** Of so many the server may be asked; a backup that is older than the newest so many is one that nobody restores. */
const MOST = 2000
const YEAR_MS = 366 * 24 * 3600 * 1000

/** Copies that the server has again: those of sessions that are gone here, and those with what was forgotten. */
export async function removedAgain(
  { fs, now }: { readonly fs: SessionFs; readonly now: () => number },
  server: Pick<Server, 'url' | 'heads'>,
): Promise<RemovedAgain> {
  const found = new Map<SessionId, { readonly forGood: boolean }>()
  const ids = await keptNotes(fs, now())
  for (const head of ids.length === 0 ? [] : await server.heads(ids)) {
    const id = asSessionId(head.id)
    const removed = await readRemoved(fs, id)
    if (removed?.server !== server.url) continue
    const { forGood } = removed
    const isBack = forGood
      ? isLess(head.made, removed.at)
      : !head.isTrashed && isLess(head.rev, removed.rev) && !(await isHere(fs, id))
    if (isBack) found.set(id, { forGood })
  }
  return found
}

/** The others are cleared: no backup is as old as they are. */
async function keptNotes(fs: SessionFs, now: number): Promise<readonly SessionId[]> {
  const names = await fs.list(homeFolder('remoteRemoved'))
  const notes = await inLanes(names, LANES, async ({ name }) => {
    const id = asSessionId(name)
    return { id, at: (await fs.stat(inHome('remoteRemoved', { id })))?.mtimeMs ?? now }
  })
  const kept = notes
    .toSorted((one, other) => other.at - one.at)
    .filter(({ at }, place) => place < MOST && now - at < YEAR_MS)
  const ids = new Set(kept.map(({ id }) => id))
  for (const { id } of notes) if (!ids.has(id)) await forgetRemoved(fs, id)
  return [...ids]
}

const LANES = 4

const isHere = async (fs: SessionFs, id: SessionId): Promise<boolean> =>
  (await fs.stat(logPath(sessionDir(id)))) !== undefined

const isLess = (one: number | undefined, other: number | undefined): boolean =>
  one !== undefined && other !== undefined && one < other

async function readRemoved(fs: SessionFs, id: SessionId): Promise<Removed | undefined> {
  const bytes = await fs.read(inHome('remoteRemoved', { id }))
  if (bytes === undefined) return undefined
  try {
    return Removed.safeParse(JSON.parse(decodeText(bytes))).data
  } catch {
    // Torn by a program that is none of ours: nothing is removed by it.
    return undefined
  }
}
