/**
 * What was removed from Mission Control by this machine, by the ids of the sessions alone: a server that was restored from
 * an older backup has it again, and cannot know that it should not.
 */
import { z } from 'zod'
import type { SessionId } from '../format/ids.ts'
import { asSessionId } from '../format/ids.ts'
import { homeFolder, inHome } from '../format/paths.ts'
import type { SessionFs } from '../fs/session-fs.ts'
import { decodeText, encodeText } from '../lib/bytes.ts'
import type { ServerHead } from './server-heads.ts'

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

/** Copies that the server has again: those of sessions that are gone here, and those with what was forgotten. */
export async function removedAgain(
  fs: SessionFs,
  server: string,
  heads: ReadonlyMap<SessionId, ServerHead>,
  isHere: (id: SessionId) => boolean,
): Promise<ReadonlyMap<SessionId, { readonly forGood: boolean }>> {
  const found = new Map<SessionId, { readonly forGood: boolean }>()
  for (const { name } of await fs.list(homeFolder('remoteRemoved'))) {
    const id = asSessionId(name)
    const head = heads.get(id)
    const removed = head && (await readRemoved(fs, id))
    if (removed?.server !== server || head === undefined) continue
    const { forGood } = removed
    const isBack = forGood
      ? isLess(head.made, removed.at)
      : !isHere(id) && !head.isTrashed && isLess(head.rev, removed.rev)
    if (isBack) found.set(id, { forGood })
  }
  return found
}

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
