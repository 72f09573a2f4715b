/**
 * The Claude Agent SDK's SessionStore on a home of ours. Its entries are kept as they come, line by line, and once
 * nothing has come for a moment the session is imported as one of Claude Code's own would be: it is listed, searched,
 * reported on, forked and gone on with like any other. What the SDK gets back are its own entries, never ours.
 */
import type { Engine } from '../engine/engine.ts'
import type { SessionId } from '../format/ids.ts'
import { sessionDir } from '../format/paths.ts'
import { appendLines } from '../fs/append-lines.ts'
import { encodeText } from '../lib/bytes.ts'
import { isFields } from '../lib/fields.ts'
import { readBlocks } from '../log/split.ts'
import {
  fileOf,
  partsFolder,
  projectFolder,
  sessionOfName,
  subpathOf,
  type SessionKey,
} from './claude-keys.ts'
import { importedId } from './ids.ts'
import { importOne } from './import.ts'
import { fileAt, sessionOf } from './scan-folders.ts'

/** One line of a transcript; all but its type is the SDK's own. */
export type SessionStoreEntry = {
  type: string
  uuid?: string
  timestamp?: string
  [field: string]: unknown
}

export type SessionSummaryEntry = {
  sessionId: string
  mtime: number
  data: Record<string, unknown>
}

type ClaudeSessionStoreOptions = {
  /** The SDK's own `foldSessionSummary`: with it the SDK lists sessions in one call, without their transcripts. */
  readonly foldSessionSummary?: (
    before: SessionSummaryEntry | undefined,
    key: SessionKey,
    entries: SessionStoreEntry[],
    options?: { mtime?: number },
  ) => SessionSummaryEntry
  /** How long nothing must come before the session is shown as it stands, in milliseconds. */
  readonly quietMs?: number
}

export interface ClaudeSessionStore extends AsyncDisposable {
  append(key: SessionKey, entries: SessionStoreEntry[]): Promise<void>
  load(key: SessionKey): Promise<SessionStoreEntry[] | null>
  listSessions(projectKey: string): Promise<{ sessionId: string; mtime: number }[]>
  /** Only with the SDK's `foldSessionSummary`. */
  listSessionSummaries?(projectKey: string): Promise<SessionSummaryEntry[]>
  delete(key: SessionKey): Promise<void>
  listSubkeys(key: SessionKey): Promise<string[]>
  /** Imports now what has come. Gives the sessions of this home that have it. */
  settle(): Promise<readonly SessionId[]>
}

const QUIET_MS = 2_000

export function createClaudeSessionStore(
  engine: Engine,
  { foldSessionSummary, quietMs = QUIET_MS }: ClaudeSessionStoreOptions = {},
): ClaudeSessionStore {
  const { fs } = engine
  const known = new Map<string, Set<string>>()
  const changed = new Map<string, SessionKey>()
  const folded = new Map<
    string,
    { readonly mtime: number; readonly summary: SessionSummaryEntry }
  >()
  let timer: NodeJS.Timeout | undefined
  /** One after the other: the order of the calls is the order of the lines. */
  let last: Promise<unknown> = Promise.resolve()
  const inOrder = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = last.then(work)
    last = mine.catch(() => {}) // told to the one who asked
    return mine
  }

  async function add(key: SessionKey, entries: readonly SessionStoreEntry[]): Promise<void> {
    const path = fileOf(key)
    const had = known.get(path) ?? uuidsOf(await entriesIn(engine, path))
    const fresh = entries.filter(({ uuid }) => uuid === undefined || !had.has(uuid))
    if (fresh.length === 0) return
    const lines = fresh.map((entry) => `${JSON.stringify(entry)}\n`).join('')
    await appendLines(fs, path, encodeText(lines))
    for (const uuid of uuidsOf(fresh)) had.add(uuid)
    known.set(path, had)
    changed.set(fileOf({ projectKey: key.projectKey, sessionId: key.sessionId }), key)
    clearTimeout(timer)
    timer = setTimeout(() => void settle().catch(() => {}), quietMs) // the next settling tells it
    timer.unref()
  }

  async function remove(key: SessionKey): Promise<void> {
    const path = fileOf(key)
    known.clear()
    await fs.remove(path)
    if (key.subpath !== undefined) return
    changed.delete(path)
    await fs.remove(partsFolder(key))
    const id = importedId('claude', key.sessionId)
    if ((await fs.stat(sessionDir(id))) !== undefined) await engine.remove([id])
  }

  const settle = (): Promise<readonly SessionId[]> =>
    inOrder(async () => {
      clearTimeout(timer)
      const sessions: SessionId[] = []
      for (const [path, key] of changed) {
        changed.delete(path)
        sessions.push(...(await importStored(engine, key)))
      }
      return sessions
    })

  async function list(projectKey: string): Promise<{ sessionId: string; mtime: number }[]> {
    const folder = projectFolder(projectKey)
    const found = await Promise.all(
      (await fs.list(folder)).map(async ({ name, kind }) => {
        const sessionId = kind === 'file' ? sessionOfName(name) : undefined
        const stat = sessionId === undefined ? undefined : await fs.stat(`${folder}/${name}`)
        return sessionId === undefined || stat === undefined
          ? []
          : [{ sessionId, mtime: Math.floor(stat.mtimeMs) }]
      }),
    )
    return found.flat()
  }

  async function summaries(
    projectKey: string,
    fold: NonNullable<typeof foldSessionSummary>,
  ): Promise<SessionSummaryEntry[]> {
    const all: SessionSummaryEntry[] = []
    for (const { sessionId, mtime } of await list(projectKey)) {
      const key = { projectKey, sessionId }
      const path = fileOf(key)
      const before = folded.get(path)
      const summary =
        before?.mtime === mtime
          ? before.summary
          : fold(undefined, key, await entriesIn(engine, path), { mtime })
      folded.set(path, { mtime, summary })
      all.push(summary)
    }
    return all
  }

  return {
    append: (key, entries) => inOrder(() => add(key, entries)),
    load: (key) =>
      inOrder(async () => {
        const path = fileOf(key)
        return (await fs.stat(path)) === undefined ? null : entriesIn(engine, path)
      }),
    listSessions: (projectKey) => inOrder(() => list(projectKey)),
    ...(foldSessionSummary !== undefined && {
      listSessionSummaries: (projectKey: string) =>
        inOrder(() => summaries(projectKey, foldSessionSummary)),
    }),
    delete: (key) => inOrder(() => remove(key)),
    listSubkeys: (key) => inOrder(() => subpathsOf(engine, partsFolder(key))),
    settle,
    async [Symbol.asyncDispose]() {
      await settle()
    },
  }
}

const uuidsOf = (entries: readonly SessionStoreEntry[]): Set<string> =>
  new Set(entries.flatMap(({ uuid }) => (uuid === undefined ? [] : [uuid])))

/** Each once: two processes may have been told the same. What was cut by a kill is left out. */
async function entriesIn({ fs }: Engine, path: string): Promise<SessionStoreEntry[]> {
  const file = await fs.openRead(path)
  if (file === undefined) return []
  const seen = new Set<string>()
  const entries: SessionStoreEntry[] = []
  try {
    for await (const block of readBlocks(file, { from: 0, to: file.size })) {
      if (block.kind === 'oversized') continue
      for (const line of block.bytes.toString('utf8').split('\n')) {
        const entry = entryOf(line)
        if (entry === undefined || (entry.uuid !== undefined && seen.has(entry.uuid))) continue
        if (entry.uuid !== undefined) seen.add(entry.uuid)
        entries.push(entry)
      }
    }
  } finally {
    await file.close()
  }
  return entries
}

function entryOf(line: string): SessionStoreEntry | undefined {
  try {
    const value: unknown = line === '' ? undefined : JSON.parse(line)
    return isFields(value) && typeof value['type'] === 'string'
      ? (value as SessionStoreEntry)
      : undefined
  } catch {
    // Half of a line, which its writer will be asked for again.
    return undefined
  }
}

async function subpathsOf(engine: Engine, folder: string, below = ''): Promise<string[]> {
  const found: string[] = []
  for (const { name, kind } of await engine.fs.list(`${folder}${below}`)) {
    if (kind === 'folder') found.push(...(await subpathsOf(engine, folder, `${below}/${name}`)))
    const subpath = kind === 'file' ? subpathOf(`${below}/${name}`.slice(1)) : undefined
    if (subpath !== undefined) found.push(subpath)
  }
  return found.sort()
}

/** As it would be found in the folder of Claude Code. A home that is on no disk keeps the entries and shows no session. */
async function importStored(engine: Engine, key: SessionKey): Promise<readonly SessionId[]> {
  const at = (path: string) => engine.fs.diskPath(path)
  const { projectKey, sessionId } = key
  const main = at(fileOf({ projectKey, sessionId }))
  if (main === undefined) return []
  const files = [await fileAt(main, 'main', 'lines')]
  for (const subpath of await subpathsOf(engine, partsFolder(key))) {
    const id = /^subagents\/(?:.*\/)?agent-([\w-]+)$/.exec(subpath)?.[1]
    const path = at(fileOf({ projectKey, sessionId, subpath }))
    if (id !== undefined && path !== undefined)
      files.push(await fileAt(path, `subagent ${id}`, 'lines'))
  }
  const found = sessionOf({ agent: 'claude', nativeId: sessionId }, files)
  const { sessions } = await importOne(engine, found, { now: () => new Date() })
  return sessions
}
