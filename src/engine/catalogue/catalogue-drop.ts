/** Takes sessions out of the catalogue for good: no file of it holds a word of them afterwards. */
import type { SessionId } from '../../format/ids.ts'
import { homeFolder } from '../../format/paths.ts'
import type { SessionFs } from '../../fs/session-fs.ts'
import { CATALOGUE, openCatalogue, orNothing, writeHead, type Known } from './catalogue-file.ts'
import { CatalogueDamaged } from './catalogue-rows.ts'
import { mergeRows, removeOldRows } from './catalogue-write.ts'

export async function dropFromCatalogue(fs: SessionFs, ids: readonly SessionId[]): Promise<void> {
  const known = await orDamaged(() => openCatalogue(fs))
  try {
    const isDone = known && (await orDamaged(() => orNothing(() => withoutThem(fs, known, ids))))
    // In place of a write that fails: it can be made again, and must not be kept.
    if (isDone !== true) await dropCatalogue(fs)
  } finally {
    await known?.rows?.[Symbol.asyncDispose]()
  }
}

export async function dropCatalogue(fs: SessionFs): Promise<void> {
  await fs.remove(CATALOGUE)
  await fs.remove(homeFolder('catalogueRows'))
}

async function withoutThem(
  fs: SessionFs,
  { look, rows, gone: old, news: before }: Known,
  ids: readonly SessionId[],
): Promise<boolean> {
  const news = before.filter(({ session }) => !ids.includes(session.id))
  const all = await rows?.ids()
  const found = ids.flatMap((id) => all?.rowOf(id) ?? [])
  const isListed = found.length > 0 || news.length < before.length
  const told = { ...look, unlisted: isListed ? [...look.unlisted, ...ids] : look.unlisted }
  // A row that is gone still holds its words, and so does the file before this one.
  const name =
    rows === undefined || found.length === 0
      ? rows?.name
      : await mergeRows(fs, rows, { gone: new Set([...old, ...found]), news })
  const isNew = name !== rows?.name
  const head = isNew ? { gone: [], news: [] } : { gone: [...old], news }
  const latest = look.latest !== null && ids.includes(look.latest) ? null : look.latest
  const isWritten = await writeHead(fs, { look: { ...told, latest }, rows: name ?? null, ...head })
  if (isWritten) await removeOldRows(fs, [name ?? ''])
  return isWritten
}

/** A damaged one is thrown away as a whole. */
async function orDamaged<T>(action: () => Promise<T>): Promise<T | undefined> {
  try {
    return await action()
  } catch (error) {
    if (!(error instanceof CatalogueDamaged)) throw error
    return undefined
  }
}
