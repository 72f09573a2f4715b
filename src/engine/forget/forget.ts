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
import { createForgetter, type Forgetter } from '../../lib/forget-text.ts'
import { settleForget } from '../../log/forget-intent.ts'
import { readForkOrigin } from '../../workspace/fork-origin.ts'
import { filesBelow } from '../../workspace/files.ts'
import type { EngineContext } from '../engine-context.ts'
import { EngineError } from '../errors.ts'
import { dropCatalogue } from '../home/catalogue-drop.ts'
import { eraseFollowers } from '../home/purge.ts'
import { alone } from './alone.ts'
import { cleanFile } from './clean-file.ts'
import { collector } from './collect.ts'
import { placeOf } from './erasers.ts'
import { findInFolder, forgetInFolder, type FoundFile } from './folder.ts'
import { changePacks, findInPacks } from './packs.ts'
import { isInTheMaking } from '../home/leftovers.ts'
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
  /** Sessions that could not be changed, and why. */
  readonly kept: readonly { readonly id: SessionId; readonly reason: string }[]
}

export async function forget(
  engine: EngineContext,
  query: ForgetQuery,
  { dryRun }: { readonly dryRun: boolean },
): Promise<Forgotten> {
  const { fs } = engine
  const folders = await foldersOf(fs, query.sessions)
  const values = await valuesOf(fs, folders, query)
  const forgetter = createForgetter(values)
  const findings = values.length === 0 ? [] : await findAll(fs, folders, forgetter)
  const all = findings.flatMap(({ files }) => files)
  const left = all.filter(({ how }) => how === 'left')
  const found = findings
    .map((each) => ({ ...each, files: each.files.filter(({ how }) => how !== 'left') }))
    .filter(({ files }) => files.length > 0)
  const places = found.flatMap(({ files }) => files).reduce((sum, { count }) => sum + count, 0)
  const result = { dryRun, findings: found, places, values: values.length, left, kept: [] }
  if (dryRun) return result
  const unfinished = await unfinishedForgetting(fs)
  if (values.length === 0 && unfinished.length === 0) return result
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
  const kept = await changeAll(engine, folders, found, forgetter)
  // What was made of sessions before a kill may hold what they do not hold any more.
  await eraseFollowers(engine, erasable(unfinished))
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
): Promise<readonly Folder[]> {
  const folders: Folder[] = []
  for (const { name } of await fs.list(SESSIONS)) {
    const dir = `${SESSIONS}/${name}`
    const session = readName(layout.home.session, name)
    if (session !== undefined) folders.push({ where: 'session', id: session.id as SessionId, dir })
    if (isInTheMaking(name)) folders.push({ where: 'unfinished fork', dir })
  }
  for (const { name } of await fs.list(TRASH)) {
    const id = readName(layout.home.trashed, name)?.id as SessionId | undefined
    if (id !== undefined) folders.push({ where: 'trash', id, dir: `${TRASH}/${name}` })
  }
  if (only === undefined) return folders
  const origins = new Map<string, string | undefined>()
  for (const { dir } of folders) origins.set(dir, await readForkOrigin(fs, dir))
  const wanted = new Set<string>(only)
  for (let before = 0; before !== wanted.size;) {
    before = wanted.size
    for (const { id, dir } of folders)
      if (id !== undefined && wanted.has(origins.get(dir) ?? '')) wanted.add(id)
  }
  return folders.filter(({ id, dir }) => wanted.has(id ?? '') || wanted.has(origins.get(dir) ?? ''))
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

async function findAll(
  fs: SessionFs,
  folders: readonly Folder[],
  forgetter: Forgetter,
): Promise<readonly ForgetFinding[]> {
  const findings: ForgetFinding[] = []
  for (const { dir, ...about } of folders)
    findings.push({ ...about, files: await findInFolder(fs, dir, forgetter) })
  const files: FoundFile[] = []
  for (const path of await homeFiles(fs)) {
    const place = placeOf(path)
    if (place === undefined) continue
    const cleaning = { forgetter, renamed: new Map<string, string>() }
    const count = await cleanFile(fs, path, place.how, cleaning)
    if (count > 0) files.push({ path, ...place, count })
  }
  files.push(...(await findInPacks(fs, forgetter)))
  return [...findings, { where: 'home', files }]
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
): Promise<{ readonly id: SessionId; readonly reason: string }[]> {
  const { fs } = engine
  const kept: { id: SessionId; reason: string }[] = []
  const changed: SessionId[] = []
  for (const { where, id, files } of found) {
    const dir = folders.find((each) => each.where === where && each.id === id)?.dir
    if (dir === undefined) continue
    if (where !== 'session' || id === undefined) {
      await settleForget(fs, dir)
      await forgetInFolder(fs, dir, files, forgetter)
      continue
    }
    try {
      await changeSession(engine, id, forgetter)
      changed.push(id)
    } catch (error) {
      if (!(error instanceof EngineError)) throw error
      kept.push({ id, reason: error.message })
    }
  }
  kept.push(...(await changePacks(engine, forgetter)))
  await changeHome(fs, found, forgetter)
  if (changed.length > 0) await eraseFollowers(engine, changed)
  return kept
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
