/**
 * A session of another agent becomes one of this home. It is built aside and appears in one step. The same source makes
 * the same session, byte for byte: one that has grown makes it longer, one that was changed, or that people went on with
 * here, makes a branch beside it. Nothing of it is run, trusted or taken for a permission: it is history, and no more.
 */
import { createHash } from 'node:crypto'
import type { Draft, ToldDraft } from '../../format/event.ts'
import { asEventId, type EventId, type SessionId } from '../../format/ids.ts'
import { inHome, logPath, sessionFolder } from '../../format/paths.ts'
import { keepTime } from '../../fs/set-mtime.ts'
import { defined } from '../../lib/defined.ts'
import type { Fields } from '../../lib/fields.ts'
import { isFolder } from '../../lib/is-folder.ts'
import { hashOf, withFile } from '../../log/range.ts'
import { writeWhole, type WholeLog } from '../../log/write-whole.ts'
import { writeForkOrigin } from '../../workspace/fork-origin.ts'
import { readImportNote, writeImportNote, type ImportNote } from '../../workspace/imported.ts'
import { autoName, writeMetadata } from '../../workspace/metadata.ts'
import type { EngineContext } from '../engine-context.ts'
import { alone } from '../forget/exclusive.ts'
import { sessionDir } from '../session-dir.ts'
import { buildAside } from './staging.ts'
import { projectContext } from './project.ts'
import { identifyRemote } from '../../lib/git-remote.ts'
import { trash } from './remove.ts'

type ImportedEvent = { readonly draft: Draft; readonly at: string; readonly key: string }

export type ImportGiven = {
  /** The short name of the agent, which goes on with the session where it can, and what people call it. */
  readonly agent: string
  readonly title: string
  readonly nativeId: string
  readonly branch?: string
  /** The id that it has in this home; after the first, those of branches. */
  readonly idOf: (generation: number) => SessionId
  readonly startedAt: string
  readonly cwd?: string
  readonly gitBranch?: string
  readonly repositoryUrl?: string
  readonly name?: string
  readonly isNamedByUser?: boolean
  readonly model?: string
  readonly forkedFrom?: SessionId
  readonly parent?: SessionId
  /** Followers are not told: of very many at once they learn when they are next asked. */
  readonly isQuiet?: boolean
  /** All that was there before is there still: a story that reads otherwise now may take the place of the old one. */
  readonly isGrown: boolean
  /** It may have been deleted here, and shall be there again. */
  readonly isWantedAgain?: boolean
  readonly events: () => AsyncIterable<ImportedEvent>
  /** Asked for when all was told. */
  readonly report: () => Fields
}

export type ImportOutcome = {
  readonly id: SessionId
  readonly outcome: 'imported' | 'extended' | 'branched' | 'unchanged' | 'deleted'
  readonly events: number
  /** For the agent's own memory of it: the messages that it begins and ends with, and whether the last was answered. */
  readonly memory?: {
    readonly since: EventId
    readonly knows: EventId
    readonly isSettled: boolean
  }
}

export async function importSession(
  engine: EngineContext,
  given: ImportGiven,
): Promise<ImportOutcome> {
  for (let generation = 0; ; generation++) {
    const id = given.idOf(generation)
    const dir = sessionDir(id)
    const isThere = (await engine.fs.stat(logPath(dir))) !== undefined
    if (!isThere) {
      if (given.isWantedAgain !== true && (await wasDeleted(engine, id)))
        return { id, outcome: 'deleted', events: 0 }
      return make(engine, given, id, generation)
    }
    const note = await readImportNote(engine.fs, dir)
    const again = note && (await remake(engine, given, id, note))
    if (again !== undefined) return again
  }
}

/** A person deleted it: it is in the trash, or was, and is not brought back behind their back. */
async function wasDeleted(engine: EngineContext, id: SessionId): Promise<boolean> {
  if ((await engine.fs.stat(inHome('rescuedAbout', { id }))) === undefined) return false
  const known = await engine.fs.read(inHome('rescuedAbout', { id }))
  const isImported = known !== undefined && Buffer.from(known).includes('"imported":true')
  return isImported || (await trash(engine)).some((each) => each.id === id)
}

async function make(
  engine: EngineContext,
  given: ImportGiven,
  id: SessionId,
  generation: number,
): Promise<ImportOutcome> {
  const built = await buildAside(
    engine,
    id,
    'importing',
    async (building) => {
      await engine.fs.remove(building)
      // First: should this process be killed, a forgetting of the origin knows whose words these are.
      const origin = generation > 0 ? given.idOf(0) : given.forkedFrom
      if (origin !== undefined) await writeForkOrigin(engine.fs, building, origin)
      const context = await contextOf(engine, given)
      const told = await tellInto(engine, given, building, { id, context })
      await describe(engine, given, building, { id, context, ...told })
      return told
    },
    { isTold: given.isQuiet !== true },
  )
  return {
    id,
    outcome: generation > 0 ? 'branched' : 'imported',
    events: built.log.events,
    ...defined({ memory: built.memory }),
  }
}

/** Undefined when what is there cannot become what the source says now. */
async function remake(
  engine: EngineContext,
  given: ImportGiven,
  id: SessionId,
  note: ImportNote,
): Promise<ImportOutcome | undefined> {
  const { fs } = engine
  const building = inHome('importing', { id })
  await fs.remove(building)
  try {
    const told = await tellInto(engine, given, building, {
      id,
      context: note.context,
      lengths: new Set([note.bytes]),
    })
    const { log } = told
    const isSame = log.bytes === note.bytes && log.sha256 === note.sha256
    if (isSame)
      return { id, outcome: 'unchanged', events: log.events, ...defined({ memory: told.memory }) }
    const begins = log.beginnings.get(note.bytes) === note.sha256
    if (!begins && !given.isGrown) return undefined
    return await alone(engine, id, 'import', async (dir) => {
      if (!(await isUntouched(engine, dir, note))) return undefined
      for (const { name } of await fs.list(sessionFolder(building, 'blob')))
        await fs.copy(
          `${sessionFolder(building, 'blob')}/${name}`,
          `${sessionFolder(dir, 'blob')}/${name}`,
        )
      await fs.copy(logPath(building), logPath(dir))
      await keepTime(fs, logPath(dir), told.lastAt)
      await writeImportNote(fs, dir, noteOf(engine, given, note.context, log))
      engine.changes.tell(begins ? { kind: 'imported', id } : { kind: 'reset', id, cutAt: 0 })
      return {
        id,
        outcome: 'extended' as const,
        events: log.events,
        ...defined({ memory: told.memory }),
      }
    })
  } finally {
    await fs.remove(building)
  }
}

/** It was imported, and is longer or shorter now than its source made it. */
export async function isGoneOnWith(
  { fs }: Pick<EngineContext, 'fs'>,
  id: SessionId,
): Promise<boolean> {
  const dir = sessionDir(id)
  const size = (await fs.stat(logPath(dir)))?.size
  const note = size === undefined ? undefined : await readImportNote(fs, dir)
  return note !== undefined && note.bytes !== size
}

/** Nobody has gone on with it here, and nothing was taken out of it. */
async function isUntouched(
  { fs }: EngineContext,
  dir: string,
  { bytes, sha256 }: ImportNote,
): Promise<boolean> {
  const same = await withFile(
    fs,
    logPath(dir),
    async (file) =>
      file.size === bytes && (await hashOf(file, { start: 0, end: bytes })) === sha256,
  )
  return same === true
}

type Told = {
  readonly log: WholeLog
  readonly lastAt: string
  readonly firstPrompt?: string
  readonly memory?: {
    readonly since: EventId
    readonly knows: EventId
    readonly isSettled: boolean
  }
}

async function tellInto(
  engine: EngineContext,
  given: ImportGiven,
  building: string,
  { id, context, lengths }: { id: SessionId; context: Fields; lengths?: ReadonlySet<number> },
): Promise<Told> {
  let firstPrompt: string | undefined
  let since: EventId | undefined
  let knows: EventId | undefined
  let isSettled = false
  let lastAt = given.startedAt
  async function* drafts(): AsyncGenerator<ToldDraft> {
    yield startOf(given, id, context)
    for await (const { draft, at, key } of given.events()) {
      lastAt = at
      const clean = engine.redact === undefined ? draft : await engine.redact(draft)
      const told = { ...clean, id: eventId(given, key), timestamp: at } as ToldDraft
      if (told.type === 'user.message' && told.agentId === undefined) {
        firstPrompt ??= told.data.content
        since ??= told.id
        knows = told.id
        isSettled = false
      }
      if (told.type === 'assistant.message' && told.agentId === undefined)
        isSettled = (told.data.toolRequests ?? []).length === 0
      yield told
    }
  }
  const log = await writeWhole(engine.fs, building, drafts(), lengths)
  await keepTime(engine.fs, logPath(building), lastAt)
  return {
    lastAt,
    log,
    ...defined({ firstPrompt }),
    ...(since !== undefined && knows !== undefined && { memory: { since, knows, isSettled } }),
  }
}

const startOf = (given: ImportGiven, sessionId: SessionId, context: Fields): ToldDraft => ({
  type: 'session.start',
  data: {
    sessionId,
    version: 1,
    producer: 'reprise',
    copilotVersion: 'import',
    startTime: given.startedAt,
    ...(typeof context['cwd'] === 'string' && { context: { ...context, cwd: context['cwd'] } }),
    ...defined({ selectedModel: given.model, detachedFromSpawningParentSessionId: given.parent }),
    reprise: { agent: given.agent },
  },
  id: eventId(given, `start ${given.branch ?? ''}`),
  timestamp: given.startedAt,
})

/** The same for the same record, in whatever session it is told: what branches share has the same ids in them. */
function eventId({ agent, nativeId }: ImportGiven, key: string): EventId {
  const hex = createHash('sha256').update(`event\0${agent}\0${nativeId}\0${key}`).digest('hex')
  return asEventId(uuidOf(hex))
}

/** A UUID of version 8, which leaves its bits to the one who makes it. */
export const uuidOf = (hex: string): string =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`

/** As the source says it; what it does not say, and this machine still knows, from the folder. */
async function contextOf(engine: EngineContext, given: ImportGiven): Promise<Fields> {
  const { cwd, gitBranch, repositoryUrl } = given
  if (cwd === undefined) return {}
  const remote = repositoryUrl === undefined ? undefined : identifyRemote(repositoryUrl)
  const isHere = remote === undefined && (await isFolder(cwd))
  const { gitRoot, repository, hostType, repositoryHost } = isHere
    ? projectContext(await engine.detectProject(cwd))
    : { gitRoot: undefined, ...remote }
  return {
    cwd,
    ...defined({ gitRoot, repository, hostType, repositoryHost, branch: gitBranch }),
  }
}

async function describe(
  engine: EngineContext,
  given: ImportGiven,
  building: string,
  { id, context, log, firstPrompt, lastAt }: Told & { id: SessionId; context: Fields },
): Promise<void> {
  const text = (key: string) => (typeof context[key] === 'string' ? context[key] : undefined)
  const name = given.name === undefined ? undefined : autoName(given.name)
  const own = firstPrompt === undefined ? undefined : autoName(firstPrompt)
  const file = {
    id,
    cwd: text('cwd'),
    git_root: text('gitRoot'),
    repository: text('repository'),
    host_type: text('hostType'),
    branch: text('branch'),
    client_name: given.agent,
    name: name ?? own,
    user_named: given.isNamedByUser === true && name !== undefined,
    summary_count: 0,
    created_at: given.startedAt,
    updated_at: lastAt,
  }
  // It can be made again from the log; the note, which is written after it, cannot.
  await writeMetadata(engine.fs, building, file, { durable: false })
  await writeImportNote(engine.fs, building, noteOf(engine, given, context, log))
}

const noteOf = (
  engine: EngineContext,
  given: ImportGiven,
  context: Fields,
  { bytes, sha256, events }: WholeLog,
): ImportNote => ({
  version: 1,
  agent: given.agent,
  title: given.title,
  nativeId: given.nativeId,
  ...defined({ branch: given.branch }),
  importedAt: engine.clock().toISOString(),
  bytes,
  sha256,
  events,
  context,
  report: given.report(),
})
