/**
 * Brings sessions of other agents into a home: found, copied raw, read, told to the engine, one after the other in a few
 * lanes. What cannot be read is named with its reason, and the rest comes in. Doing it again changes nothing but what
 * has changed there.
 */
import { basename, dirname } from 'node:path'
import type { Engine } from '../engine/engine.ts'
import type { ImportOutcome } from '../engine/sessions/import.ts'
import type { SessionId } from '../format/ids.ts'
import { inHome, logPath, sessionDir } from '../format/paths.ts'
import { openDisk } from '../fs/disk.ts'
import { agentTitles, readers } from './convert/readers.ts'
import type { AgentName, Facts, Source, Story } from './convert/port.ts'
import { addReports, createTally, type FidelityReport } from './convert/fidelity-report.ts'
import { keepInner } from '../agents/acp/agent-file.ts'
import { isFolder } from '../lib/is-folder.ts'
import { defined } from '../lib/defined.ts'
import { errorText } from '../lib/error-text.ts'
import type { Fields } from '../lib/fields.ts'
import type { FoundSession } from './found.ts'
import { importedId } from './ids.ts'
import { openParts, type RawFile } from './parts.ts'
import { readAbout, rescue, writeAbout, type About, type Rescued } from './raw.ts'
import { whereSaid, type Conducted } from './import-dedupe.ts'

export type Came = {
  readonly agent: AgentName
  readonly nativeId: string
  readonly outcome: ImportOutcome['outcome'] | 'found' | 'empty' | 'failed' | 'own'
  readonly sessions: readonly SessionId[]
  readonly path?: string
  readonly why?: string
  readonly report?: FidelityReport
  /** Of the first session: for the agent's own memory of it. */
  readonly memory?: ImportOutcome['memory']
  readonly cwd?: string
}

export type ImportOptions = {
  /** Only looks: nothing is written. */
  readonly dryRun?: boolean
  /** Those that were deleted here, too. */
  readonly again?: boolean
  /** What people said to the agents from here is not taken over from them. */
  readonly conducted?: Conducted
  readonly now: () => Date
}

export async function importOne(
  engine: Engine,
  found: FoundSession,
  options: ImportOptions,
): Promise<Came> {
  const { agent, nativeId } = found
  const about = { agent, nativeId, ...defined({ path: found.files[0]?.path }) }
  const id = importedId(agent, nativeId)
  try {
    const before = await readAbout(engine.fs, id)
    if (before?.stamp === found.stamp && options.again !== true)
      return before.failed === undefined
        ? { ...about, outcome: 'unchanged', sessions: [id] }
        : { ...about, outcome: 'failed', sessions: [], why: before.failed }
    const isThere = await isHere(engine, id)
    // A person deleted it: neither it nor a raw copy of it is brought back behind their back.
    if (before?.imported === true && !isThere && options.again !== true)
      return { ...about, outcome: 'deleted', sessions: [] }
    const owner = await ownerOf(engine, found, id, options)
    if (owner !== undefined) {
      const own = { ...seen(found, before, options), own: owner.id }
      if (options.dryRun !== true) await writeAbout(engine.fs, id, own)
      return owner.isDeleted
        ? { ...about, outcome: 'deleted', sessions: [] }
        : { ...about, outcome: 'own', sessions: [owner.id] }
    }
    // Nor is one that people deleted in which it was said.
    if (before?.own !== undefined && options.again !== true && !(await isHere(engine, before.own)))
      return { ...about, outcome: 'deleted', sessions: [] }
    if (options.dryRun === true) return { ...about, ...(await look(found)) }
    const rescued = await rescue(engine.fs, id, found, before)
    return { ...about, ...(await read(engine, found, id, rescued, before, options)) }
  } catch (error) {
    return { ...about, outcome: 'failed', sessions: [], why: errorText(error) }
  }
}

const isHere = async ({ fs }: Engine, id: SessionId): Promise<boolean> =>
  (await fs.stat(logPath(sessionDir(id)))) !== undefined

/** The session in which all of it was said from here. */
async function ownerOf(
  engine: Engine,
  found: FoundSession,
  id: SessionId,
  { conducted, again }: ImportOptions,
): ReturnType<typeof whereSaid> {
  const { agent, nativeId } = found
  if (conducted === undefined || again === true || !RESUMABLE.includes(agent)) return undefined
  let opened: Awaited<ReturnType<typeof openSource>> | undefined
  const read = async () => {
    opened = await openSource(found)
    return (await storiesOf(found, opened.parts)).stories
  }
  try {
    return await whereSaid(engine, { agent, nativeId, id }, conducted, read)
  } finally {
    await opened?.[Symbol.asyncDispose]()
  }
}

const seen = (
  { agent, nativeId, stamp }: FoundSession,
  before: About | undefined,
  { now }: ImportOptions,
): About => ({
  version: 1,
  agent,
  nativeId,
  stamp,
  parts: before?.parts ?? [],
  imported: before?.imported === true,
  rescuedAt: now().toISOString(),
})

type Read = Omit<Came, 'agent' | 'nativeId' | 'path'>

async function read(
  engine: Engine,
  found: FoundSession,
  id: SessionId,
  { parts: raw, isGrown }: Rescued,
  before: About | undefined,
  options: ImportOptions,
): Promise<Read> {
  const { fs } = engine
  const files = raw.map(({ role, shape, sha256 }): RawFile => ({
    role,
    shape,
    open: () => fs.openRead(inHome('rescued', { id, sha256 })),
  }))
  await using opened = openParts(files)
  const keep = (imported: boolean, failed?: string) =>
    writeAbout(fs, id, {
      ...seen(found, before, options),
      parts: raw,
      imported: imported || before?.imported === true,
      ...defined({ failed }),
    })
  const came = await tell(engine, found, opened.parts, isGrown, options).catch(
    async (error: unknown): Promise<Read> => ({
      outcome: 'failed',
      sessions: [],
      why: errorText(error),
    }),
  )
  await keep(came.sessions.length > 0, came.outcome === 'failed' ? came.why : undefined)
  return came
}

async function tell(
  engine: Engine,
  found: FoundSession,
  parts: Source['parts'],
  isGrown: boolean,
  options: ImportOptions,
): Promise<Read> {
  const { stories, common } = await storiesOf(found, parts)
  const reports: FidelityReport[] = []
  const outcomes: ImportOutcome[] = []
  const main = importedId(found.agent, found.nativeId)
  for (const story of stories) {
    const tally = createTally()
    if (!(await hasWords(story))) {
      if (story.branch === undefined) return emptyOr(found, common)
      continue
    }
    const { facts, branch } = story
    const report = () => addReports([common.report, tally.report]) as unknown as Fields
    outcomes.push(
      await engine.import({
        agent: found.agent,
        title: agentTitles[found.agent],
        nativeId: found.nativeId,
        idOf: (generation) =>
          importedId(found.agent, found.nativeId, { ...defined({ branch }), generation }),
        startedAt: facts.startedAt,
        isGrown,
        isQuiet: true,
        events: () => story.tell(tally),
        report,
        ...defined({
          branch,
          cwd: facts.cwd,
          gitBranch: facts.branch,
          repositoryUrl: facts.repositoryUrl,
          name: facts.name ?? found.name,
          isNamedByUser: facts.isNamedByUser,
          model: facts.model,
          isWantedAgain: options.again,
          forkedFrom: branch === undefined ? undefined : main,
          parent:
            facts.parentNativeId === undefined
              ? undefined
              : importedId(found.agent, facts.parentNativeId),
        }),
      }),
    )
    reports.push(tally.report)
  }
  const [first] = outcomes
  if (first === undefined) return emptyOr(found, common)
  await remember(engine, found, first, stories[0]?.facts)
  return {
    outcome: outcomes.find(({ outcome }) => outcome !== 'unchanged')?.outcome ?? 'unchanged',
    sessions: outcomes.map(({ id }) => id),
    report: addReports([common.report, ...reports]),
    ...defined({ memory: first.memory, cwd: stories[0]?.facts.cwd }),
  }
}

/** The agents whose own sessions can be gone on with, by the protocol that all speak. */
const RESUMABLE: readonly AgentName[] = ['claude', 'codex', 'gemini', 'opencode', 'qwen']

/** Where the agent still has the session, its own memory of it is the best; the ladder compares it with the log. */
async function remember(
  { fs }: Engine,
  { agent, nativeId }: FoundSession,
  { id, outcome, memory }: ImportOutcome,
  facts: Facts | undefined,
): Promise<void> {
  const folder = fs.diskPath(sessionDir(id))
  const { cwd, resumeId = nativeId } = facts ?? {}
  if (memory === undefined || cwd === undefined || folder === undefined) return
  if (!RESUMABLE.includes(agent) || outcome === 'unchanged' || !(await isFolder(cwd))) return
  const own = { of: id, innerSessionId: resumeId, cwd, rung: 'new', turns: [], capabilities: {} }
  await keepInner(folder, agent, { ...own, ...memory })
}

async function storiesOf(found: FoundSession, parts: Source['parts']) {
  const common = createTally()
  const startedAt = new Date(found.modifiedMs || 0).toISOString()
  const source: Source = {
    agent: found.agent,
    nativeId: found.nativeId,
    parts,
    hints: { startedAt, ...defined({ cwd: found.cwd, name: found.name }) },
  }
  return { stories: await readers[found.agent](source, common), common }
}

/** A person asked something in it. */
async function hasWords(story: Story): Promise<boolean> {
  for await (const { draft } of story.tell(createTally()))
    if (draft.type === 'user.message' && draft.agentId === undefined) return true
  return false
}

/** A session that was opened and never used leaves a file that can be read and says nothing. */
function emptyOr({ files, bytes }: FoundSession, common: ReturnType<typeof createTally>): Read {
  const hasNothing = bytes === 0 && files.length > 0
  if (hasNothing || !common.isForeign)
    return { outcome: 'empty', sessions: [], report: common.report }
  const { damaged, unknown } = common.report
  const [first] = damaged
  const what =
    first === undefined
      ? `nothing in it is known${Object.keys(unknown).length > 0 ? ` (${Object.keys(unknown).slice(0, 3).join(', ')})` : ''}`
      : `${first.why} at byte ${first.offset}`
  return {
    outcome: 'failed',
    sessions: [],
    report: common.report,
    why: `No turn could be read from ${files.length === 0 ? 'it' : basename(files[0]?.path ?? '')}: ${what}.`,
  }
}

/** The files as they lie there. */
async function openSource(found: FoundSession): Promise<ReturnType<typeof openParts>> {
  const files = found.files.map(({ role, shape, path }): RawFile => ({
    role,
    shape,
    open: () => openDisk(dirname(path), { ofAnyone: true }).openRead(basename(path)),
  }))
  const rows = ((await found.rows?.()) ?? []).map(({ role, rows: list }): RawFile => {
    const bytes = Buffer.from([...list].map((row) => `${JSON.stringify(row)}\n`).join(''))
    return { role, shape: 'lines', open: async () => inMemory(bytes) }
  })
  return openParts([...files, ...rows])
}

/** What an import would bring. */
async function look(found: FoundSession): Promise<Read> {
  await using opened = await openSource(found)
  const { stories, common } = await storiesOf(found, opened.parts)
  const tally = createTally()
  let isSaid = false
  for (const story of stories)
    for await (const { draft } of story.tell(tally)) isSaid ||= draft.type === 'user.message'
  if (!isSaid) return emptyOr(found, common)
  return { outcome: 'found', sessions: [], report: addReports([common.report, tally.report]) }
}

const inMemory = (bytes: Buffer) => ({
  size: bytes.length,
  identity: '',
  read: async (target: Uint8Array, position: number) =>
    bytes.copy(target, 0, position, position + target.length),
  close: async () => {},
})
