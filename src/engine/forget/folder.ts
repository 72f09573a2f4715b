/**
 * The folder of one session without a text: found first, then changed in one step. Contents that are named by their hash
 * get another name, and what names them is changed with them; everything else keeps its length, so every place in the log
 * that others hold stays true.
 */
import { createHash } from 'node:crypto'
import { layout } from '../../format/layout.ts'
import { SESSIONS, inSession, logPath, readName, rowsAt } from '../../format/paths.ts'
import { clearTemporary } from '../../fs/clear-temporary.ts'
import type { SessionFs } from '../../fs/session-fs.ts'
import { digestWhole } from '../../log/digest.ts'
import { clearStaged, replaceFiles, stagedPath } from '../../log/forget-intent.ts'
import type { Forgetter } from '../../lib/forget-text.ts'
import { faultOf } from '../../log/undo-log-check.ts'
import { bytesPath, describedAnew, lookAtRewound, metaPath } from '../../log/undo-log.ts'
import { rewriteJournal, type RewrittenJournal } from '../../project/rewrite-journal.ts'
import { stageFiles } from './stage-files.ts'
import { filesBelow } from '../../workspace/files.ts'
import { forgetInDatabase } from '../../workspace/forget-in-database.ts'
import { cleanFile, cleanLine, type Cleaning } from './clean-file.ts'
import { placeOf, type How } from './redaction-strategies.ts'

export type FoundFile = {
  /** Below the home. */
  readonly path: string
  readonly how: How
  /** What the file is, in words. */
  readonly meaning: string
  readonly count: number
}

const NOTHING_RENAMED: ReadonlyMap<string, string> = new Map()

/** Files that hold it, and those that must go with them. */
export async function findInFolder(
  fs: SessionFs,
  dir: string,
  forgetter: Forgetter,
): Promise<readonly FoundFile[]> {
  const found: FoundFile[] = []
  for (const path of await filesBelow(fs, dir)) {
    const place = placeOf(path)
    if (place === undefined || place.how === 'database') continue
    const cleaning = { forgetter, renamed: NOTHING_RENAMED }
    const inName = forgetter.text(path.slice(dir.length))?.count ?? 0
    const count = inName + (await cleanFile(fs, path, place.how, cleaning))
    if (count > 0) found.push({ path, ...place, count })
  }
  const { count } = await inDatabase(fs, dir, forgetter, { isTried: true })
  if (count > 0) {
    const { meaning } = layout.session.database
    found.push({ path: inSession(dir, 'database'), how: 'database', meaning, count })
  }
  return found
}

export async function forgetInFolder(
  fs: SessionFs,
  dir: string,
  found: readonly FoundFile[],
  forgetter: Forgetter,
): Promise<void> {
  if (found.some(({ how }) => how === 'database'))
    await inDatabase(fs, dir, forgetter, { isTried: false })
  await clearStaged(fs, dir)
  await clearTemporary(fs, dir)
  const renamed = new Map<string, string>()
  const moves: { n: number; to: string }[] = []
  const removes: string[] = []
  const stage = async (path: string, how: How, to = path): Promise<void> => {
    const n = moves.length
    if (how === 'journal') {
      const { bytes, end } = await cleanJournal(fs, dir, { forgetter, renamed })
      moves.push(...(await stageFiles(fs, dir, { changes: bytes, changesEnd: end }, n)))
      return
    }
    await cleanFile(fs, path, how, { forgetter, renamed }, stagedPath(dir, n))
    moves.push({ n, to: to.slice(dir.length + 1) })
    const about = await aboutStaged(fs, dir, path, stagedPath(dir, n))
    if (about === undefined) return
    await fs.writeAtomic(stagedPath(dir, n + 1), about.bytes, { durable: true })
    moves.push({ n: n + 1, to: about.to.slice(dir.length + 1) })
  }
  /** A name may hold it, too: what names the file is cleaned in the same way. */
  const stageRenamed = async (path: string, how: How): Promise<void> => {
    const name = path.slice(dir.length)
    const to = forgetter.text(name)?.cleaned ?? name
    await stage(path, how, `${dir}${to}`)
    if (to !== name) removes.push(path.slice(dir.length + 1))
  }
  for (const { path, how } of found.filter((each) => each.how === 'hashed')) {
    const bytes = Buffer.from((await fs.read(path)) ?? [])
    const { cleaned } = forgetter.bytes(bytes) ?? { cleaned: bytes }
    const [old, next] = [nameOf(path), sha256(cleaned)]
    renamed.set(old, next)
    await stage(path, how, renamedPath(path, old, next))
    removes.push(path.slice(dir.length + 1))
  }
  for (const path of await filesBelow(fs, dir)) {
    const how = placeOf(path)?.how
    const isFound = found.some((each) => each.path === path)
    if (how === undefined || how === 'hashed') continue
    if (how === 'derived') removes.push(path.slice(dir.length + 1))
    else if (how === 'copies') {
      if (found.some((each) => each.how === 'copies')) removes.push(path.slice(dir.length + 1))
    } else if (isChanged(how) && (isFound || (namesContents(how) && renamed.size > 0)))
      await stageRenamed(path, how)
  }
  if (found.some(({ how }) => how === 'copies')) removes.push(...(await packIndexes(fs, dir)))
  const logSize = (await fs.stat(logPath(dir)))?.size ?? 0
  const isLogChanged = moves.some(({ to }) => to === layout.session.log.path)
  if (isLogChanged) removes.push(layout.session.digest.path)
  await replaceFiles(fs, dir, { moves, removes, logSize })
  if (isLogChanged) await digestWhole(fs, dir)
}

/** What describes the bytes that a rewind removed has their hash. One that did not fit before does not fit now. */
async function aboutStaged(
  fs: SessionFs,
  dir: string,
  path: string,
  staged: string,
): Promise<{ readonly bytes: Uint8Array; readonly to: string } | undefined> {
  const entry = readName(layout.session.rewound, nameOf(path))?.nnn
  const look = (await lookAtRewound(fs, dir)).find((each) => each.entry === entry)
  if (look === undefined || path !== bytesPath(dir, look.entry)) return undefined
  if ((await faultOf(fs, dir, look)) !== undefined) return undefined
  const bytes = await describedAnew(fs, dir, look.entry, staged)
  return bytes && { bytes, to: metaPath(dir, look.entry) }
}

const isChanged = (how: How): boolean =>
  ['lines', 'json', 'stream', 'bytes', 'journal'].includes(how)
const namesContents = (how: How): boolean => how === 'lines' || how === 'journal'

function cleanJournal(fs: SessionFs, dir: string, cleaning: Cleaning): Promise<RewrittenJournal> {
  const id = dir.slice(dir.lastIndexOf('/') + 1).split('~')[0]
  return rewriteJournal(fs, dir, `${SESSIONS}/${id}`, (line) => cleanLine(line, cleaning))
}

const inDatabase = (
  fs: SessionFs,
  dir: string,
  forgetter: Forgetter,
  options: { readonly isTried: boolean },
) => forgetInDatabase(fs, dir, (bytes) => forgetter.bytes(bytes), options)

/** The places in a pack mean nothing without it. */
async function packIndexes(fs: SessionFs, dir: string): Promise<readonly string[]> {
  return (await filesBelow(fs, dir))
    .filter((path) => rowsAt(path)[0]?.name === 'session.packIndex')
    .map((path) => path.slice(dir.length + 1))
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** Contents of the project lie in a folder that is named by the beginning of the hash. */
const renamedPath = (path: string, old: string, next: string): string =>
  path.replace(`/${old.slice(0, 2)}/${old}`, `/${next.slice(0, 2)}/${next}`).replace(old, next)

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')
