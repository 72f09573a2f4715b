/**
 * The context board: what was learned about a repository, to be known in its next sessions. One process after the
 * other changes it; a change is made when it is in the file, and the store's copy follows as soon as it can.
 */
import type { SessionFs } from '../fs/session-fs.ts'
import { decodeText, encodeText } from '../lib/bytes.ts'
import { inTurn } from '../lib/in-turn.ts'
import { LeaseBusy, acquireLease } from '../log/lease.ts'
import type { Lease } from '../log/lease.ts'
import { BOARD, BOARD_FOLDER, parseBoard, printBoard } from './board-file.ts'
import type { BoardEntry, ReadBoard } from './board-file.ts'
import { contextOf, isIn, isSame, pruned, withEntry } from './board-rules.ts'
import type { BoardScope, NewEntry, PruneLimits } from './board-rules.ts'
import { StoreUnavailable, connect } from './connection.ts'
import type { Connection, ConnectionOptions } from './connection.ts'
import { sqlOf } from './sql.ts'
import type { Sql } from './sql.ts'
import { inTransaction } from './transaction.ts'

export type BoardOptions = ConnectionOptions & {
  readonly now?: () => Date
  /** How long another process that changes the board is waited for. */
  readonly waitMs?: number
  /** Takes secrets out of what is put on the board. */
  readonly redact?: (text: string) => string
}

const WAIT_MS = 5000

export interface Board {
  list(scope?: BoardScope): Promise<readonly BoardEntry[]>
  /** Throws `BadEntry` when it is none, `BoardBusy` when another process does not let go of it. */
  add(entry: NewEntry): Promise<BoardEntry>
  /** All with this name. */
  remove(name: string, scope?: BoardScope): Promise<readonly BoardEntry[]>
  prune(limits: PruneLimits): Promise<readonly BoardEntry[]>
  /** What a new session is told, quoted as untrusted; what is told is counted. Undefined when there is nothing. */
  context(
    scope: BoardScope & { readonly repository: string },
    tokenBudget: number,
  ): Promise<string | undefined>
  /** Makes file and table the same again, whichever of them is damaged. */
  mend(): Promise<readonly BoardEntry[]>
  close(): void
}

/** The entries of the file alone. */
export async function readBoard(fs: SessionFs): Promise<ReadBoard | undefined> {
  const bytes = await fs.read(BOARD)
  return bytes === undefined ? undefined : parseBoard(decodeText(bytes))
}

export function openBoard(fs: SessionFs, options: BoardOptions): Board {
  const { now = () => new Date(), redact = (text) => text, waitMs = WAIT_MS } = options
  const connection = connect(fs, options)
  const change = changer(fs, connection, waitMs)
  const at = () => now().toISOString()

  async function entries(): Promise<readonly BoardEntry[]> {
    const read = await readBoard(fs)
    if (read?.problem === undefined) return read?.entries ?? []
    return copyIn(connection, at(), read.entries)
  }

  async function countReads(loaded: readonly BoardEntry[]): Promise<void> {
    const wasLoaded = (entry: BoardEntry) => loaded.some((one) => isSame(one, entry))
    await change(at(), (all) => ({
      entries: all.map((entry) =>
        wasLoaded(entry) ? { ...entry, readCount: entry.readCount + 1, readAt: at() } : entry,
      ),
      result: undefined,
    })).catch(unlessBusy)
  }

  return {
    list: async (scope = {}) => (await entries()).filter((entry) => isIn(entry, scope)),
    async add(given) {
      const { description = '' } = given
      const safe = { ...given, description: redact(description), content: redact(given.content) }
      return change(at(), (all) => {
        const { entries: next, entry } = withEntry(all, safe, at())
        return { entries: next, result: entry }
      })
    },
    remove: (name, scope = {}) =>
      change(at(), (all) => {
        const isRemoved = (entry: BoardEntry) => entry.name === name && isIn(entry, scope)
        const removed = all.filter(isRemoved)
        return { entries: all.filter((entry) => !isRemoved(entry)), result: removed }
      }),
    prune: (limits) =>
      change(at(), (all) => {
        const { kept, removed } = pruned(all, limits, now())
        return { entries: kept, result: removed }
      }),
    async context(scope, tokenBudget) {
      const loaded = contextOf(await entries(), scope, tokenBudget)
      if (loaded !== undefined) await countReads(loaded.entries)
      return loaded?.text
    },
    mend: () => change(at(), (all) => ({ entries: all, result: all })),
    close: () => connection.close(),
  }
}

export class BoardBusy extends Error {
  override readonly name = 'BoardBusy'
}

/** That a note was read is not worth waiting for. */
function unlessBusy(cause: unknown): void {
  if (!(cause instanceof BoardBusy)) throw cause
}

const unlessUnavailable =
  <T>(otherwise: T) =>
  (cause: unknown): T => {
    if (cause instanceof StoreUnavailable) return otherwise
    throw cause
  }

type Changed<T> = { readonly entries: readonly BoardEntry[]; readonly result: T }

const changer =
  (fs: SessionFs, connection: Connection, waitMs: number) =>
  <T>(at: string, work: (entries: readonly BoardEntry[]) => Changed<T>): Promise<T> =>
    inTurn(fs.lockKey(BOARD), async () => {
      await using _lease = await lease(fs, waitMs)
      const read = await readBoard(fs)
      const isSound = read !== undefined && read.problem === undefined
      const before = isSound ? read.entries : await copyIn(connection, at, read?.entries ?? [])
      const { entries, result } = work(before)
      if (read?.problem !== undefined) await setAside(fs)
      await fs.writeAtomic(BOARD, encodeText(printBoard(entries)), { durable: true })
      // Without a store the file is enough: the next change, or doctor, brings the copy up to it.
      await connection
        .use((db) => inTransaction(db, () => writeTable(sqlOf(db), entries)))
        .catch(unlessUnavailable(undefined))
      return result
    })

function lease(fs: SessionFs, waitMs: number): Promise<Lease> {
  const options = { label: 'context board', waitMs, onRequest: () => {} }
  return acquireLease(fs, BOARD_FOLDER, options).catch((cause: unknown) => {
    if (!(cause instanceof LeaseBusy)) throw cause
    const { pid } = cause.holder
    throw new BoardBusy(`Process ${pid} is changing the board. Nothing was changed.`, { cause })
  })
}

async function setAside(fs: SessionFs): Promise<void> {
  await fs.remove(`${BOARD}.broken`)
  await fs.rename(BOARD, `${BOARD}.broken`)
}

const copyIn = (connection: Connection, at: string, otherwise: readonly BoardEntry[]) =>
  connection
    .use((db): readonly BoardEntry[] => readTable(sqlOf(db), at))
    .catch(unlessUnavailable(otherwise))

const COLUMNS = 'repository, branch, src, name, description, content, read_count, count'

/** The table has no times: what is taken from it counts as put there now. */
export function readTable(sql: Sql, at: string): BoardEntry[] {
  const rows = sql(
    `SELECT repository, branch, src, name, coalesce(description, '') AS description,
       coalesce(content, '') AS content, read_count AS readCount, count
     FROM dynamic_context_items ORDER BY rowid`,
  ).all() as Omit<BoardEntry, 'addedAt' | 'changedAt'>[]
  return rows.map((row) => ({ ...row, addedAt: at, changedAt: at }))
}

function writeTable(sql: Sql, entries: readonly BoardEntry[]): void {
  sql('DELETE FROM dynamic_context_items').run()
  const insert = sql(
    `INSERT INTO dynamic_context_items (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  for (const { repository, branch, src, name, ...rest } of entries) {
    const { description, content, readCount, count } = rest
    insert.run(repository, branch, src, name, description, content, readCount, count)
  }
}
