/**
 * Says what is stale or damaged in the session store and on the context board, what that means, and the command
 * that mends it. Looking changes nothing: the database is opened for reading, and nothing is set aside.
 */
import { dirname } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { livesWhere } from '../fs/location-label.ts'
import type { SessionFs } from '../fs/session-fs.ts'
import { isDiskFull } from '../lib/disk-room.ts'
import { errorText } from '../lib/error-text.ts'
import { BOARD, PROPOSALS, type BoardEntry, type ReadBoard } from './board-file.ts'
import { readBoard, readProposals } from './board.ts'
import { readTable } from './board-table.ts'
import {
  DATABASE,
  findDatabaseFile,
  openToLook,
  whyTaken,
  type DatabaseFile,
  type DatabaseFileOptions,
} from './database-file.ts'
import { SCHEMA_VERSION } from './migrations.ts'
import { openTroubleOf } from './open-store.ts'
import { sqlOf, type Sql } from './sql.ts'
import { findSessions } from './stamps.ts'

type StoreLayer = 'store' | 'board'

export type StoreAilment = {
  readonly layer: StoreLayer
  /** A `note` needs nothing; what is `stale` is caught up by the next search or by the remedy. */
  readonly severity: 'note' | 'stale' | 'damage'
  readonly message: string
  /** The command that mends it. */
  readonly remedy?: string
}

export type StoreDiagnosis = {
  /** Undefined when the store is in memory. */
  readonly path: string | undefined
  /** Nothing is damaged. An index that is behind its logs is not ill. */
  readonly healthy: boolean
  readonly ailments: readonly StoreAilment[]
}

const REINDEX = 'reprise reindex'
const REPAIR = 'reprise doctor --repair'

export async function examineStore(
  fs: SessionFs,
  options: DatabaseFileOptions,
): Promise<StoreDiagnosis> {
  const file = await findDatabaseFile(fs, options)
  const board = await readBoard(fs)
  const store = await ofStore(fs, file)
  const areProposalsSound = (await readProposals(fs)) !== undefined
  const ailments = [
    ...(await ofPlace(fs, file)),
    ...store.ailments,
    ...ofBoard(board, store.table),
    ...(areProposalsSound ? [] : [BROKEN_PROPOSALS]),
  ]
  const healthy = ailments.every(({ severity }) => severity !== 'damage')
  return { path: file?.native, healthy, ailments }
}

/** What stands under its usual name, where that is not ours. */
async function ofPlace(
  fs: SessionFs,
  file: DatabaseFile | undefined,
): Promise<readonly StoreAilment[]> {
  if (file === undefined || file.native === fs.diskPath(DATABASE)) return []
  const why = (await fs.stat(DATABASE)) && (await whyTaken(fs))
  if (why === undefined) return []
  const message = `${DATABASE} ${why} and is left untouched; the index of this home is ${file.native}.`
  return [{ layer: 'store', severity: 'note', message }]
}

const BROKEN_PROPOSALS: StoreAilment = {
  layer: 'board',
  severity: 'damage',
  message: `${PROPOSALS} cannot be read. The board itself is not affected: sessions propose again, and what was dismissed may come back.`,
  remedy: REPAIR,
}

type Looked = {
  readonly ailments: readonly StoreAilment[]
  /** The board as the store has it; undefined when it cannot be asked. */
  readonly table: readonly BoardEntry[] | undefined
}

async function ofStore(fs: SessionFs, file: DatabaseFile | undefined): Promise<Looked> {
  if (file === undefined) {
    return note(
      `Sessions live ${livesWhere(fs)}: their files are not on this disk, and the store is in memory.`,
    )
  }
  if ((await file.fs.stat(file.path)) === undefined) {
    const count = (await findSessions(fs)).length
    if (count === 0) return { ailments: [], table: undefined }
    return note(
      `There is no session store yet. Sessions are not affected; the first search makes it.`,
    )
  }
  let db: DatabaseSync | undefined
  try {
    db = await openToLook(file)
    return await ofDatabase(fs, db)
  } catch (cause) {
    return { ailments: [unreadable(cause, isDiskFull(dirname(file.native)))], table: undefined }
  } finally {
    db?.close()
  }
}

const note = (message: string): Looked => ({
  ailments: [{ layer: 'store', severity: 'note', message, remedy: REINDEX }],
  table: undefined,
})

async function ofDatabase(fs: SessionFs, db: DatabaseSync): Promise<Looked> {
  const sql = sqlOf(db)
  const check = String(db.prepare('PRAGMA quick_check(1)').get()?.quick_check)
  if (check !== 'ok') return { ailments: [damaged(check)], table: undefined }
  const version = Number(sql('SELECT max(version) AS version FROM schema_version').get()?.version)
  if (version > SCHEMA_VERSION) {
    const message = `The session store is of a later version (schema ${version}, here ${SCHEMA_VERSION}): it is left untouched and cannot be searched from here.`
    return { ailments: [{ layer: 'store', severity: 'stale', message }], table: undefined }
  }
  const behind = await staleSessions(fs, sql)
  const table = readTable(sql, '')
  if (behind.missing + behind.behind + behind.gone === 0) return { ailments: [], table }
  const parts = [
    behind.missing > 0 && `${behind.missing} not indexed`,
    behind.behind > 0 && `${behind.behind} changed since`,
    behind.gone > 0 && `${behind.gone} no longer there`,
  ].filter(Boolean)
  const message = `The index is behind the logs (sessions: ${parts.join(', ')}). They can be resumed all the same; search does not find what is new.`
  return { ailments: [{ layer: 'store', severity: 'stale', message, remedy: REINDEX }], table }
}

type Stale = { readonly missing: number; readonly behind: number; readonly gone: number }

async function staleSessions(fs: SessionFs, sql: Sql): Promise<Stale> {
  const rows = sql(
    `SELECT coalesce(c.session_id, t.session_id) AS id, c.offset, t.log_size AS size
     FROM reprise_cursors c FULL JOIN reprise_stamps t ON t.session_id = c.session_id`,
  ).all() as { id: string; offset: number | null; size: number | null }[]
  const known = new Map(rows.map((row) => [row.id, row]))
  let [missing, behind] = [0, 0]
  for (const { id, logSize } of await findSessions(fs)) {
    const row = known.get(id)
    known.delete(id)
    if (row === undefined) missing += 1
    // A log may end in bytes that are no record: then the stamp knows its size and the cursor stands before.
    else if (row.offset !== logSize && row.size !== logSize) behind += 1
  }
  const gone = [...known.values()].filter(({ offset }) => offset !== null).length
  return { missing, behind, gone }
}

export function unreadable(cause: unknown, isFull: boolean): StoreAilment {
  const reason = errorText(cause)
  switch (openTroubleOf(cause)) {
    case 'busy':
      return {
        layer: 'store',
        severity: 'note',
        message: `The session store is locked by another program and could not be looked at (${reason}).`,
      }
    case 'read-only':
      return {
        layer: 'store',
        severity: 'note',
        message: `The session store cannot be opened here (${reason}). Sessions are not affected.`,
      }
    case 'full':
      return {
        layer: 'store',
        severity: 'note',
        message: isFull
          ? `The disk is full, so the session store could not be looked at (${reason}). That is no damage, and sessions are not affected; what is said next needs room on the disk first.`
          : `The disk fails: the session store could not be read (${reason}). Nothing was changed.`,
      }
    default:
      return damaged(reason)
  }
}

const damaged = (reason: string): StoreAilment => ({
  layer: 'store',
  severity: 'damage',
  message: `The session store is damaged (${reason}). It is made from the logs, so nothing is lost: it is set aside and made anew.`,
  remedy: REINDEX,
})

function* ofBoard(
  board: ReadBoard | undefined,
  table: readonly BoardEntry[] | undefined,
): Generator<StoreAilment> {
  const inTable = table?.length ?? 0
  if (board?.problem !== undefined) {
    yield {
      layer: 'board',
      severity: 'damage',
      message: `${BOARD} cannot be read (${board.problem}). The store has a copy of ${inTable} entries, which takes its place; the file is kept beside it.`,
      remedy: REPAIR,
    }
  } else if (table !== undefined && printed(board?.entries ?? []) !== printed(table)) {
    const isMissing = board === undefined
    yield {
      layer: 'board',
      severity: 'stale',
      message: isMissing
        ? `${BOARD} is missing; the store has a copy of ${inTable} entries.`
        : `The store's copy of the board is not what ${BOARD} says. The file counts; the next change brings the copy up to it.`,
      remedy: REPAIR,
    }
  }
}

/** The table has no times, and an order of its own. */
const printed = (entries: readonly BoardEntry[]): string =>
  entries
    .map(({ repository, branch, src, name, description, content, readCount, count }) =>
      JSON.stringify([repository, branch, src, name, description, content, readCount, count]),
    )
    .sort()
    .join('\n')
