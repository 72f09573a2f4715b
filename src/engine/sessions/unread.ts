/** How the last turn of a session ended while nobody looked: one mark for each, gone when a person looks. */
import { isSessionId, type SessionId } from '../../format/ids.ts'
import { layout } from '../../format/layout.ts'
import { homeFolder, inHome, readName } from '../../format/paths.ts'
import type { SessionFs } from '../../fs/session-fs.ts'

export type Unseen = 'done' | 'failed'

const OUTCOMES = ['done', 'failed'] as const

export async function markUnseen(fs: SessionFs, id: SessionId, outcome: Unseen): Promise<void> {
  for (const other of OUTCOMES)
    if (other !== outcome) await fs.remove(inHome('unseen', { id, outcome: other }))
  await fs.writeAtomic(inHome('unseen', { id, outcome }), new Uint8Array(), {
    durable: false,
  })
}

export async function markSeen(fs: SessionFs, id: SessionId): Promise<void> {
  for (const outcome of OUTCOMES) await fs.remove(inHome('unseen', { id, outcome }))
}

export async function listUnseen(fs: SessionFs): Promise<ReadonlyMap<SessionId, Unseen>> {
  const found = new Map<SessionId, Unseen>()
  for (const { name } of await fs.list(homeFolder('unseen'))) {
    const { id, outcome } = readName(layout.home.unseen, name) ?? {}
    if (isSessionId(id) && (outcome === 'done' || outcome === 'failed')) found.set(id, outcome)
  }
  return found
}
