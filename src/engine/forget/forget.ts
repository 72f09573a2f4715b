/**
 * Takes a text out of everything that a home keeps: looked for first, and told; then, session by session, taken out in
 * one step each; then what was made of them is made anew. What was forgotten is recorded before, without it, so redaction
 * knows it from then on. Killed anywhere, each session has it or has it not, and the same command goes on.
 */
import { isSessionId, type SessionId } from '../../format/ids.ts'
import { layout } from '../../format/layout.ts'
import { SESSIONS, TRASH, homeFolder, inHome, readName } from '../../format/paths.ts'
import { clearTemporary } from '../../fs/clear-temporary.ts'
import type { SessionFs } from '../../fs/session-fs.ts'
import { attempt, eachApart } from '../../lib/each-apart.ts'
import { createForgetter, type Forgetter } from '../../lib/forget-text.ts'
import { settleForget } from '../../log/forget-intent.ts'
import { readForkOrigin } from '../../workspace/fork-origin.ts'
import { filesBelow } from '../../workspace/files.ts'
import { folderFault } from '../../workspace/folder-faults.ts'
import type { EngineContext } from '../engine-context.ts'
import { EngineError, type ErrorCode } from '../errors.ts'
import { dropCatalogue } from '../catalogue/catalogue-drop.ts'
import { eraseFollowers } from '../sessions/purge.ts'
import { alone } from './exclusive.ts'
import { cleanFile } from './clean-file.ts'
import { collector } from './collect.ts'
import { placeOf } from './redaction-strategies.ts'
import { findInFolder, forgetInFolder, type FoundFile } from './folder.ts'
import { changePacks, findInPacks } from './packs.ts'
import { isInTheMaking } from '../sessions/orphan-cleanup.ts'
import { keepRecord, sameText, unfinishedForgetting, type ForgottenRecord } from './record.ts'

export type ForgetQuery = {
  /** Taken as it is, or as a regular expression that finds what is to be taken. */
  readonly text: string
  readonly isPattern?: boolean
  /** Only these sessions and their forks; what the home itself keeps is looked through all the same. */
  readonly sessions?: readonly SessionId[]
}

/** Where it stands: in a session, one in the trash, a fork that was never finished, or the home itself. */
export type ForgetFinding = {
  readonly where: 'session' | 'trash' | 'unfinished fork' | 'home'
  readonly id?: SessionId
  readonly files: readonly FoundFile[]
}

export type Forgotten = {
  readonly dryRun: boolean
  readonly findings: readonly ForgetFinding[]
  /** How often it stood there in all. */
  readonly places: number
  /** Different texts, when it was a pattern. */
  readonly values: number
  /** In files of the Copilot CLI alone, which are never changed. */
  readonly left: readonly FoundFile[]
  /** What could not be entered or changed, and why: what it holds of the text still stands there. */
  readonly kept: readonly Kept[]
}

type Kept = {
  /** Undefined for a part of the home itself. */
  readonly id: SessionId | undefined
  readonly reason: string
  readonly code: ErrorCode
}

const keptFor = (id: SessionId | undefined, reason: string, cause?: unknown): Kept => ({
  id,
  reason,
  code: cause instanceof EngineError ? cause.code : 'corrupt',
})

export async function forget(
  engine: EngineContext,
  query: ForgetQuery,
  { dryRun }: { readonly dryRun: boolean },
): Promise<Forgotten> {
  const { fs } = engine
  const { folders, closed } = await foldersOf(fs, query.sessions)
  const values = await valuesOf(fs, folders, query)
  const forgetter = createForgetter(values)
  const { findings, unread } = values.length === 0 ? NOTHING : await findAll(fs, folders, forgetter)
  const out = [...closed, ...unread]
  const all = findings.flatMap(({ files }) => files)
  const left = all.filter(({ how }) => how === 'left')
  const found = findings
    .map((each) => ({ ...each, files: each.files.filter(({ how }) => how !== 'left') }))
    .filter(({ files }) => files.length > 0)
  const places = found.flatMap(({ files }) => files).reduce((sum, { count }) => sum + count, 0)
  const result = { dryRun, findings: found, places, values: values.length, left, kept: out }
  if (dryRun) return result
  const unfinished = await unfinishedForgetting(fs)
  if (values.length === 0 && unfinished.length === 0 && out.length === 0) return result
  const sessions = found.flatMap(({ where, id }) =>
    where === 'session' && id !== undefined ? [id] : [],
  )
  const about = {
    id: engine.newId(),
    at: engine.clock().toISOString(),
    sessions: sessions.length,
    files: found.flatMap(({ files }) => files).length,
    places,
  }
  await keepRecord(fs, { ...about, state: 'begun', ids: sessions }, values)
  const { changed, kept } = await changeAll(engine, folders, found, forgetter)
  const notEntered = out.flatMap(({ id }) => id ?? [])
  kept.unshift(...out.filter(({ id }) => !kept.some((each) => each.id === id)))
  // Whatever became of a session, no index keeps what was made of it; nor what was made of it before a kill.
  await eraseFollowers(engine, [...new Set([...changed, ...notEntered, ...erasable(unfinished)])])
  if (kept.length === 0)
    for (const each of [about, ...(await sameText(fs, unfinished, values))])
      await keepRecord(fs, { ...about, id: each.id, state: 'done' }, [])
  return { ...result, kept }
}

const erasable = (unfinished: readonly ForgottenRecord[]): readonly SessionId[] => [
  ...new Set(unfinished.flatMap(({ ids = [] }) => ids.filter(isSessionId))),
]

type Folder = Omit<ForgetFinding, 'files'> & { readonly dir: string }

/** Folders of whole sessions; with some named, those and what was forked from them. */
async function foldersOf(
  fs: SessionFs,
  only: readonly SessionId[] | undefined,
): Promise<{ readonly folders: readonly Folder[]; readonly closed: readonly Kept[] }> {
  const folders: Folder[] = []
  const closed: Kept[] = []
  for (const { name } of await fs.list(SESSIONS)) {
    const dir = `${SESSIONS}/${name}`
    const session = readName(layout.home.session, name)
    if (session !== undefined) {
      const id = session.id as SessionId
      const fault = await folderFault(fs, id)
      if (fault === undefined) folders.push({ where: 'session', id, dir })
      else closed.push(keptFor(id, `Session ${id} was not looked through: ${fault}.`))
    }
    if (isInTheMaking(name)) folders.push({ where: 'unfinished fork', dir })
  }
  const trash = await attempt(() => fs.list(TRASH))
  if ('reason' in trash)
    closed.push(keptFor(undefined, `The trash was not looked through: ${trash.reason}`))
  for (const { name } of 'ok' in trash ? trash.ok : []) {
    const id = readName(layout.home.trashed, name)?.id as SessionId | undefined
    if (id !== undefined) folders.push({ where: 'trash', id, dir: `${TRASH}/${name}` })
  }
  if (only === undefined) return { folders, closed }
  const origins = new Map<string, string | undefined>()
  for (const { dir } of folders) origins.set(dir, await readForkOrigin(fs, dir))
  const wanted = new Set<string>(only)
  for (let before = 0; before !== wanted.size;) {
    before = wanted.size
    for (const { id, dir } of folders)
      if (id !== undefined && wanted.has(origins.get(dir) ?? '')) wanted.add(id)
  }
  return {
    folders: folders.filter(
      ({ id, dir }) => wanted.has(id ?? '') || wanted.has(origins.get(dir) ?? ''),
    ),
    closed: closed.filter(({ id }) => id === undefined || wanted.has(id)),
  }
}

const SHORTEST = 4
const MOST_VALUES = 1000

async function valuesOf(
  fs: SessionFs,
  folders: readonly Folder[],
  { text, isPattern = false }: ForgetQuery,
): Promise<readonly string[]> {
  if (!isPattern) {
    if (text.trim().length >= SHORTEST) return [text]
    throw new EngineError(
      'invalid',
      `A text of less than ${SHORTEST} characters stands everywhere. Nothing was changed.`,
    )
  }
  const { forgetter, values } = collector(text)
  await findAll(fs, folders, forgetter)
  const found = [...values].filter((value) => value.trim().length >= SHORTEST)
  if (found.length <= MOST_VALUES) return found
  throw new EngineError(
    'invalid',
    `The pattern finds ${found.length} different texts, which is more than ${MOST_VALUES}. Nothing was changed: make it narrower.`,
  )
}

type Found = { readonly findings: readonly ForgetFinding[]; readonly unread: readonly Kept[] }

const NOTHING: Found = { findings: [], unread: [] }

async function findAll(
  fs: SessionFs,
  folders: readonly Folder[],
  forgetter: Forgetter,
): Promise<Found> {
  const looked = await eachApart(folders, async ({ dir, ...about }) => ({
    ...about,
    files: await findInFolder(fs, dir, forgetter),
  }))
  const unread = looked.failed.map(({ item: { id, dir }, reason, cause }) =>
    keptFor(id, `${dir} was not looked through to its end: ${reason}.`, cause),
  )
  const files: FoundFile[] = []
  const ofHome = await eachApart(await homeFiles(fs), async (path) => {
    const place = placeOf(path)
    if (place === undefined) return
    const cleaning = { forgetter, renamed: new Map<string, string>() }
    const count = await cleanFile(fs, path, place.how, cleaning)
    if (count > 0) files.push({ path, ...place, count })
  })
  const packs = await attempt(() => findInPacks(fs, forgetter))
  if ('ok' in packs) files.push(...packs.ok)
  const failed = [...ofHome.failed, ...('ok' in packs ? [] : [packs])]
  const closed = failed.map(({ reason, cause }) =>
    keptFor(undefined, `A part of the home was not looked through: ${reason}.`, cause),
  )
  return { findings: [...looked.done, { where: 'home', files }], unread: [...unread, ...closed] }
}

/** Files of the home itself: those of sessions are looked at with their session, those of the index by the index. */
async function homeFiles(fs: SessionFs): Promise<readonly string[]> {
  const flat = (await fs.list(SESSIONS))
    .filter(({ kind }) => kind === 'file')
    .map(({ name }) => `${SESSIONS}/${name}`)
  const below = await Promise.all(
    [
      homeFolder('board'),
      homeFolder('catalogueRows'),
      homeFolder('copilotLogs'),
      homeFolder('rescued'),
      homeFolder('claudeStore'),
    ].map((folder) => filesBelow(fs, folder)),
  )
  return [
    inHome('catalogue'),
    inHome('remoteKnown'),
    inHome('promptHistory'),
    ...flat,
    ...below.flat(),
  ]
}

async function changeAll(
  engine: EngineContext,
  folders: readonly Folder[],
  found: readonly ForgetFinding[],
  forgetter: Forgetter,
): Promise<{ readonly changed: readonly SessionId[]; readonly kept: Kept[] }> {
  const { fs } = engine
  const kept: Kept[] = []
  const changed: SessionId[] = []
  for (const { where, id, files } of found) {
    const dir = folders.find((each) => each.where === where && each.id === id)?.dir
    if (dir === undefined) continue
    const outcome = await attempt(async () => {
      if (where === 'session' && id !== undefined) return changeSession(engine, id, forgetter)
      await settleForget(fs, dir)
      return forgetInFolder(fs, dir, files, forgetter)
    })
    if ('reason' in outcome)
      kept.push(keptFor(id, `${dir} was not changed: ${outcome.reason}`, outcome.cause))
    // An index may hold words of one that could not be changed, too.
    if (where === 'session' && id !== undefined) changed.push(id)
  }
  const packs = await attempt(() => changePacks(engine, forgetter))
  kept.push(...('ok' in packs ? packs.ok : [keptFor(undefined, packs.reason, packs.cause)]))
  const home = await attempt(() => changeHome(fs, found, forgetter))
  if ('reason' in home) kept.push(keptFor(undefined, home.reason, home.cause))
  return { changed, kept }
}

/** It is looked for again: something may have been said since. */
const changeSession = (engine: EngineContext, id: SessionId, forgetter: Forgetter): Promise<void> =>
  alone(engine, id, 'forget', async (dir) =>
    forgetInFolder(engine.fs, dir, await findInFolder(engine.fs, dir, forgetter), forgetter),
  )

async function changeHome(
  fs: SessionFs,
  found: readonly ForgetFinding[],
  forgetter: Forgetter,
): Promise<void> {
  // Made again from the sessions, which are other than they were.
  await dropCatalogue(fs)
  await clearTemporary(fs, homeFolder('catalogue'))
  for (const { path, how } of found.flatMap(({ where, files }) =>
    where === 'home' ? files : [],
  )) {
    if (how === 'derived') await fs.remove(path)
    else if (how !== 'packs')
      await cleanFile(fs, path, how, { forgetter, renamed: new Map() }, path)
  }
}
