/** The contents of projects that all sessions share, without a text. A pack is changed when the session that adds to it is open nowhere. */
import { isSessionId } from '../../format/ids.ts'
import type { SessionId } from '../../format/ids.ts'
import { layout } from '../../format/layout.ts'
import { sessionDir } from '../../format/paths.ts'
import type { SessionFs } from '../../fs/session-fs.ts'
import type { Forgetter } from '../../lib/forget-text.ts'
import { contentsThatHold, dropContents } from '../../project/forget-contents.ts'
import type { EngineContext } from '../context.ts'
import { EngineError } from '../errors.ts'
import { alone } from './alone.ts'
import type { FoundFile } from './folder.ts'

const held = (fs: SessionFs, forgetter: Forgetter) =>
  contentsThatHold(fs, (bytes) => forgetter.bytes(bytes)?.count ?? 0)

export async function findInPacks(
  fs: SessionFs,
  forgetter: Forgetter,
): Promise<readonly FoundFile[]> {
  const { meaning } = layout.home.contents
  return (await held(fs, forgetter)).map(({ path, count }) => ({
    path,
    how: 'packs',
    meaning,
    count,
  }))
}

/** Those that could not be changed, and why. */
export async function changePacks(
  engine: EngineContext,
  forgetter: Forgetter,
): Promise<{ readonly id: SessionId; readonly reason: string }[]> {
  const { fs } = engine
  const kept: { id: SessionId; reason: string }[] = []
  for (const each of await held(fs, forgetter)) {
    const id = each.pack.owner
    const isThere = isSessionId(id) && (await fs.stat(sessionDir(id))) !== undefined
    try {
      if (isThere) await alone(engine, id, 'forget', () => dropContents(fs, each))
      else await dropContents(fs, each)
    } catch (error) {
      if (!(error instanceof EngineError) || !isThere) throw error
      kept.push({ id, reason: error.message })
    }
  }
  return kept
}
