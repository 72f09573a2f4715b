/** The contents of projects that all sessions share, without a text. A pack is changed when the session that adds to it is open nowhere. */
import { isSessionId, type SessionId } from '../../format/ids.ts'
import { layout, type LayoutRow } from '../../format/layout.ts'
import { sessionDir } from '../../format/paths.ts'
import type { SessionFs } from '../../fs/session-fs.ts'
import { errorText } from '../../lib/error-text.ts'
import type { Forgetter } from '../../lib/forget-text.ts'
import {
  contentsThatHold,
  dropContents,
  dropTrees,
  treesThatHold,
} from '../../project/forget-contents.ts'
import type { EngineContext } from '../engine-context.ts'
import { EngineError, type ErrorCode } from '../errors.ts'
import { alone } from './exclusive.ts'
import type { FoundFile } from './folder.ts'

const countIn = (forgetter: Forgetter) => (bytes: Buffer) => forgetter.bytes(bytes)?.count ?? 0

export async function findInPacks(
  fs: SessionFs,
  forgetter: Forgetter,
): Promise<readonly FoundFile[]> {
  const { contents, tree } = layout.home
  const found = (
    row: LayoutRow,
    held: readonly { readonly path: string; readonly count: number }[],
  ) =>
    held.map(({ path, count }): FoundFile => ({ path, how: 'packs', meaning: row.meaning, count }))
  return [
    ...found(contents, await contentsThatHold(fs, countIn(forgetter))),
    ...found(tree, await treesThatHold(fs, countIn(forgetter))),
  ]
}

/** Those that could not be changed, and why. */
export async function changePacks(
  engine: EngineContext,
  forgetter: Forgetter,
): Promise<
  readonly { readonly id: SessionId; readonly reason: string; readonly code: ErrorCode }[]
> {
  const { fs } = engine
  const kept: { id: SessionId; reason: string; code: ErrorCode }[] = []
  const trees = await treesThatHold(fs, countIn(forgetter))
  await dropTrees(
    fs,
    trees.map(({ path }) => path),
  )
  for (const each of await contentsThatHold(fs, countIn(forgetter))) {
    const id = each.pack.owner
    const isThere = isSessionId(id) && (await fs.stat(sessionDir(id))) !== undefined
    try {
      if (isThere) await alone(engine, id, 'forget', () => dropContents(fs, each))
      else await dropContents(fs, each)
    } catch (error) {
      if (!isThere) throw error
      const code = error instanceof EngineError ? error.code : 'corrupt'
      kept.push({ id, reason: errorText(error), code })
    }
  }
  return kept
}
