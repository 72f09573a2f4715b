/**
 * Agents that keep all sessions in one SQLite database: opencode, Cursor, Goose. The database is copied with its journal
 * and the copy is read: the owner's file is never opened. Tables with credentials are never looked at.
 */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { defined } from '../../lib/defined.ts'
import { fieldsOf } from '../../lib/fields.ts'
import { parsedText } from '../convert/values.ts'
import { errorText } from '../../lib/error-text.ts'
import { openCopy, withCopy } from '../database-copy.ts'
import type { Finder, FoundSession, Surroundings } from '../found.ts'
import { fileAt, foldersIn, listOf, objectAt, sessionOf } from '../scan-folders.ts'
import { editorFolders } from './files.ts'

const dataRoot = (around: Surroundings, name: string): string =>
  around.root ?? join(around.env['XDG_DATA_HOME'] || join(around.home, '.local', 'share'), name)

type Row = Readonly<Record<string, unknown>>

const all = (db: DatabaseSync, sql: string, ...values: string[]): Row[] =>
  db.prepare(sql).all(...values) as Row[]

const tablesOf = (db: DatabaseSync): Set<unknown> =>
  new Set(all(db, "SELECT name FROM sqlite_master WHERE type = 'table'").map(({ name }) => name))

const withData = (table: string, { data, ...row }: Row): object => ({
  table,
  ...row,
  ...(data !== undefined && { data: parsedText(data) }),
})

export const opencode: Finder = {
  roots: (around) => [dataRoot(around, 'opencode')],
  async *find(around) {
    const [root = ''] = this.roots(around)
    const path = join(root, 'opencode.db')
    const opened = await openCopy(path)
    if (opened !== undefined && 'why' in opened) yield opened
    else if (opened !== undefined) {
      await using copy = opened
      try {
        for (const found of opencodeSessions(copy.db, path)) yield found
      } catch (error) {
        yield { path, why: `its database is not as expected: ${errorText(error)}` }
      }
    }
    yield* opencodeFiles(root, around)
  },
}

/** The rows of each are read while the copy is open: before the next session is asked for. */
function* opencodeSessions(db: DatabaseSync, path: string): Generator<FoundSession, void, void> {
  const counts = new Map(
    all(
      db,
      'SELECT session_id AS id, count(*) AS n, max(time_updated) AS last, sum(length(data)) AS bytes FROM part GROUP BY session_id',
    ).map((row) => [row['id'], row]),
  )
  for (const { id, time_updated } of all(
    db,
    'SELECT id, time_updated FROM session WHERE parent_id IS NULL',
  )) {
    const { n = 0, last = 0, bytes = 0 } = counts.get(id) ?? {}
    yield {
      agent: 'opencode',
      nativeId: String(id),
      files: [],
      stamp: `${path}:${String(time_updated)}:${String(n)}:${String(last)}`,
      modifiedMs: Number(time_updated),
      bytes: Number(bytes),
      rows: async () =>
        [String(id), ...descendants(db, String(id))].map((each, at) => ({
          role: at === 0 ? 'main' : `subagent ${each}`,
          rows: opencodeRows(db, each),
        })),
    }
  }
}

function* opencodeRows(db: DatabaseSync, session: string): Generator<object, void, void> {
  for (const { revert, ...row } of all(
    db,
    'SELECT id, parent_id, directory, title, version, revert, time_created FROM session WHERE id = ?',
    session,
  ))
    yield { table: 'session', ...row, ...(revert !== null && { revert: parsedText(revert) }) }
  for (const message of all(
    db,
    'SELECT id, time_created, data FROM message WHERE session_id = ? ORDER BY id',
    session,
  )) {
    yield withData('message', message)
    for (const part of all(
      db,
      'SELECT id, message_id, data FROM part WHERE message_id = ? ORDER BY id',
      String(message['id']),
    ))
      yield withData('part', part)
  }
}

function descendants(db: DatabaseSync, id: string, seen = new Set<string>()): readonly string[] {
  for (const { id: child } of all(db, 'SELECT id FROM session WHERE parent_id = ?', id)) {
    if (seen.has(String(child))) continue
    seen.add(String(child))
    descendants(db, String(child), seen)
  }
  return [...seen]
}

/** Before 1.2: a file for each session, message and part. */
async function* opencodeFiles(
  root: string,
  around: Surroundings,
): AsyncGenerator<FoundSession, void, void> {
  const storage = join(root, 'storage')
  for (const project of await foldersIn(join(storage, 'session'), around)) {
    for (const { name, path, isFolder } of await listOf(project.path, around)) {
      const nativeId = /^(ses_\w+)\.json$/.exec(name)?.[1]
      if (isFolder || nativeId === undefined) continue
      const files = [await fileAt(path, 'row session', 'whole')]
      for (const message of await listOf(join(storage, 'message', nativeId), around)) {
        files.push(await fileAt(message.path, 'row message', 'whole'))
        const parts = join(storage, 'part', message.name.replace(/\.json$/, ''))
        for (const part of await listOf(parts, around))
          files.push(await fileAt(part.path, 'row part', 'whole'))
      }
      yield sessionOf({ agent: 'opencode', nativeId }, files)
    }
  }
}

export const goose: Finder = {
  roots: (around) => [around.root ?? join(dataRoot(around, 'goose'), 'sessions')],
  async *find(around) {
    const [root = ''] = this.roots(around)
    const path = join(root, 'sessions.db')
    const found: FoundSession[] = []
    const trouble = await withCopy(path, (db) => {
      for (const session of all(db, 'SELECT * FROM sessions')) {
        const id = String(session['id'])
        const messages = all(
          db,
          'SELECT role, content_json, created_timestamp FROM messages WHERE session_id = ? ORDER BY rowid',
          id,
        )
        const rows = [{ table: 'sessions', ...session }, ...messages]
        found.push(inMemory('goose', id, rows, path))
      }
    })
    if (trouble !== undefined) yield trouble
    yield* found
    for (const { name, path: file, isFolder } of await listOf(root, around)) {
      if (isFolder || !name.endsWith('.jsonl')) continue
      yield sessionOf({ agent: 'goose', nativeId: name.replace(/\.jsonl$/, '') }, [
        await fileAt(file, 'main', 'lines'),
      ])
    }
  },
}

export const cursor: Finder = {
  roots: (around) =>
    around.root === undefined ? editorFolders(around, ['Cursor']) : [around.root],
  async *find(around) {
    for (const root of this.roots(around)) {
      const path = join(root, 'globalStorage/state.vscdb')
      const folders = await cursorFolders(root, around)
      const found: FoundSession[] = []
      const trouble = await withCopy(path, (db) => {
        if (!tablesOf(db).has('cursorDiskKV')) return
        const read = ({ key, value }: Row) => ({ key, value: parsedText(textOf(value)) })
        for (const row of all(
          db,
          "SELECT key, value FROM cursorDiskKV WHERE key LIKE 'composerData:%' AND value IS NOT NULL",
        )) {
          const id = String(row['key']).slice('composerData:'.length)
          const bubbles = all(
            db,
            'SELECT key, value FROM cursorDiskKV WHERE key LIKE ? AND value IS NOT NULL ORDER BY rowid',
            `bubbleId:${id}:%`,
          )
          const rows = [read(row), ...bubbles.map(read)]
          found.push({
            ...inMemory('cursor', id, rows, path),
            ...defined({ cwd: folders.get(id) }),
          })
        }
      })
      if (trouble !== undefined) yield trouble
      yield* found
    }
  },
}

const textOf = (value: unknown): unknown =>
  value instanceof Uint8Array ? Buffer.from(value).toString('utf8') : value

/** Which folder a conversation belongs to stands in the database of its workspace. */
async function cursorFolders(
  root: string,
  around: Surroundings,
): Promise<ReadonlyMap<string, string>> {
  const folders = new Map<string, string>()
  for (const { path } of await foldersIn(join(root, 'workspaceStorage'), around)) {
    const folder = (await objectAt(join(path, 'workspace.json')))?.['folder']
    if (typeof folder !== 'string' || !folder.startsWith('file://')) continue
    await withCopy(join(path, 'state.vscdb'), (db) => {
      const [row] = all(db, "SELECT value FROM ItemTable WHERE key = 'composer.composerData'")
      const { allComposers } = fieldsOf(parsedText(textOf(row?.['value'])))
      for (const { composerId } of Array.isArray(allComposers) ? (allComposers as Row[]) : [])
        folders.set(String(composerId), decodeURIComponent(new URL(folder).pathname))
    })
  }
  return folders
}

function inMemory(
  agent: 'cursor' | 'goose',
  nativeId: string,
  rows: readonly object[],
  path: string,
): FoundSession {
  const texts = rows.map((row) => JSON.stringify(row))
  const hash = createHash('sha256').update(texts.join('\n')).digest('hex')
  const head = fieldsOf(rows[0])
  const times = [head['updated_at'], fieldsOf(head['value'])['lastUpdatedAt']]
  const told = times.map((time) => new Date(time as string | number).getTime()).find((ms) => ms > 0)
  return {
    agent,
    nativeId,
    files: [],
    stamp: `${path}:${hash}`,
    modifiedMs: told ?? Date.now(),
    bytes: texts.reduce((sum, text) => sum + text.length, 0),
    rows: async () => [{ role: 'main', rows: texts.map((text) => JSON.parse(text) as object) }],
  }
}
