/**
 * The context board: what was learned about a repository, to be known in its next sessions, and what sessions propose
 * for it. One process after the other changes it; a change is made when it is in the file, and the store's copy
 * follows as soon as it can.
 */
import type { SessionFs } from '../fs/session-fs.ts'
import { decodeText, encodeText } from '../lib/bytes.ts'
import { inTurn } from '../lib/keyed-mutex.ts'
import { LeaseBusy, acquireLease } from '../log/lease.ts'
import type { Lease } from '../log/lease-hold.ts'
import {
  BOARD,
  BOARD_FOLDER,
  PROPOSALS,
  parseBoard,
  printBoard,
  type BoardEntry,
  type ReadBoard,
} from './board-file.ts'
import {
  contextOf,
  isIn,
  isSame,
  pruned,
  withEntry,
  withoutSessions,
  type BoardScope,
  type NewEntry,
  type PruneLimits,
} from './board-rules.ts'
import { copyIn, copyTo } from './board-table.ts'
import { connect, type Connection, type ConnectionOptions } from './connection.ts'
import {
  NO_PROPOSALS,
  decide,
  openIn,
  parseProposals,
  printProposals,
  withProposalsOf,
  withoutProposalsOf,
  type Proposal,
  type Proposals,
} from './proposals.ts'

type BoardOptions = ConnectionOptions & {
  readonly now?: () => Date
  /** How long another process that changes the board is waited for. */
  readonly waitMs?: number
  /** Takes secrets out of what is put on the board. */
  readonly redact?: (text: string) => string
}

const WAIT_MS = 5000
/** Sessions propose when they end: nobody waits long for that. */
const PROPOSE_WAIT_MS = 500

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
  /** What waits for a person to decide. No session is told any of it. */
  proposals(scope?: BoardScope): Promise<readonly Proposal[]>
  /** In the place of what this session proposed before. Nothing is written when nothing changes. */
  propose(session: string, entries: readonly NewEntry[]): Promise<void>
  /** Puts proposals on the board. */
  accept(ids: readonly string[]): Promise<readonly BoardEntry[]>
  /** They are not proposed again. */
  dismiss(ids: readonly string[]): Promise<void>
  /** No note and no proposal stays that came from these sessions alone. */
  forgetSessions(ids: readonly string[]): Promise<void>
  /** Makes file and table the same again, whichever of them is damaged. */
  mend(): Promise<readonly BoardEntry[]>
  close(): void
}

/** The entries of the file alone. */
export async function readBoard(fs: SessionFs): Promise<ReadBoard | undefined> {
  const bytes = await fs.read(BOARD)
  return bytes === undefined ? undefined : parseBoard(decodeText(bytes))
}

/** Undefined when the file cannot be read. */
export async function readProposals(fs: SessionFs): Promise<Proposals | undefined> {
  const bytes = await fs.read(PROPOSALS)
  return bytes === undefined ? NO_PROPOSALS : parseProposals(decodeText(bytes))
}

export function openBoard(fs: SessionFs, options: BoardOptions): Board {
  const { now = () => new Date(), redact = (text) => text, waitMs = WAIT_MS } = options
  const connection = connect(fs, options)
  const at = () => now().toISOString()
  const change = <T>(work: (entries: readonly BoardEntry[]) => Changed<T>) =>
    alone(fs, waitMs, () => rewrite(fs, connection, at(), work))

  async function entries(): Promise<readonly BoardEntry[]> {
    const read = await readBoard(fs)
    if (read?.problem === undefined) return read?.entries ?? []
    return copyIn(connection, at(), read.entries)
  }

  const safe = <Entry extends NewEntry>({ description = '', ...entry }: Entry) => ({
    ...entry,
    name: redact(entry.name),
    description: redact(description),
    content: redact(entry.content),
  })

  async function countReads(loaded: readonly BoardEntry[]): Promise<void> {
    const wasLoaded = (entry: BoardEntry) => loaded.some((one) => isSame(one, entry))
    await change((all) => ({
      entries: all.map((entry) =>
        wasLoaded(entry) ? { ...entry, readCount: entry.readCount + 1, readAt: at() } : entry,
      ),
      result: undefined,
    })).catch(unlessBusy)
  }

  return {
    list: async (scope = {}) => (await entries()).filter((entry) => isIn(entry, scope)),
    add: (given) =>
      change((all) => {
        const { entries: next, entry } = withEntry(all, safe(given), at())
        return { entries: next, result: entry }
      }),
    remove: (name, scope = {}) =>
      change((all) => {
        const isRemoved = (entry: BoardEntry) => entry.name === name && isIn(entry, scope)
        const removed = all.filter(isRemoved)
        return { entries: all.filter((entry) => !isRemoved(entry)), result: removed }
      }),
    prune: (limits) =>
      change((all) => {
        const { kept, removed } = pruned(all, limits, now())
        return { entries: kept, result: removed }
      }),
    async context(scope, tokenBudget) {
      const loaded = contextOf(await entries(), scope, tokenBudget)
      if (loaded !== undefined) await countReads(loaded.entries)
      return loaded?.text
    },
    proposals: async (scope = {}) =>
      openIn((await readProposals(fs)) ?? NO_PROPOSALS, scope, await entries()),
    async propose(session, given) {
      const proposed = given.map(safe)
      const after = async (before: Proposals) =>
        withProposalsOf(before, session, proposed, { board: await entries(), at: at() })
      const before = (await readProposals(fs)) ?? NO_PROPOSALS
      if (printProposals(await after(before)) === printProposals(before)) return
      await alone(fs, Math.min(waitMs, PROPOSE_WAIT_MS), () => rewriteProposals(fs, after))
    },
    accept: (ids) =>
      alone(fs, waitMs, async () => {
        const wanted = new Set(ids)
        const { open } = (await readProposals(fs)) ?? NO_PROPOSALS
        const accepted = await rewrite(fs, connection, at(), (all) => {
          let [next, taken] = [all, [] as BoardEntry[]]
          for (const proposal of open.filter(({ id }) => wanted.has(id))) {
            const { entries: more, entry } = withEntry(next, proposal, at())
            next = more
            taken = [...taken, entry]
          }
          return { entries: next, result: taken }
        })
        // After the board: a proposal that is on it is listed no more, decided or not.
        await rewriteProposals(fs, async (before) => decide(before, wanted))
        return accepted
      }),
    dismiss: (ids) =>
      alone(fs, waitMs, () => rewriteProposals(fs, async (all) => decide(all, new Set(ids)))),
    async forgetSessions(ids) {
      const gone = new Set(ids)
      for (const path of [BOARD, PROPOSALS]) await fs.remove(`${path}.broken`)
      const [board, proposed] = [await fs.read(BOARD), await fs.read(PROPOSALS)]
      if (board === undefined && proposed === undefined) return
      await alone(fs, waitMs, async () => {
        if (board !== undefined)
          await rewrite(fs, connection, at(), (all) => ({
            entries: withoutSessions(all, gone),
            result: undefined,
          }))
        if (proposed !== undefined)
          await rewriteProposals(fs, async (all) => withoutProposalsOf(all, gone))
      })
      // A file that could not be read was set aside just now.
      for (const path of [BOARD, PROPOSALS]) await fs.remove(`${path}.broken`)
    },
    mend: () =>
      alone(fs, waitMs, async () => {
        if ((await readProposals(fs)) === undefined) await setAside(fs, PROPOSALS)
        return rewrite(fs, connection, at(), (all) => ({ entries: all, result: all }))
      }),
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

const alone = <T>(fs: SessionFs, waitMs: number, work: () => Promise<T>): Promise<T> =>
  inTurn(fs.lockKey(BOARD), async () => {
    await using _lease = await lease(fs, waitMs)
    return await work()
  })

function lease(fs: SessionFs, waitMs: number): Promise<Lease> {
  const options = { label: 'context board', waitMs, onRequest: () => {} }
  return acquireLease(fs, BOARD_FOLDER, options).catch((cause: unknown) => {
    if (!(cause instanceof LeaseBusy)) throw cause
    const { pid } = cause.holder
    throw new BoardBusy(`Process ${pid} is changing the board. Nothing was changed.`, { cause })
  })
}

type Changed<T> = { readonly entries: readonly BoardEntry[]; readonly result: T }

async function rewrite<T>(
  fs: SessionFs,
  connection: Connection,
  at: string,
  work: (entries: readonly BoardEntry[]) => Changed<T>,
): Promise<T> {
  const read = await readBoard(fs)
  const isSound = read !== undefined && read.problem === undefined
  const before = isSound ? read.entries : await copyIn(connection, at, read?.entries ?? [])
  const { entries, result } = work(before)
  if (read?.problem !== undefined) await setAside(fs, BOARD)
  await fs.writeAtomic(BOARD, encodeText(printBoard(entries)), { durable: true })
  await copyTo(connection, entries)
  return result
}

async function rewriteProposals(
  fs: SessionFs,
  work: (before: Proposals) => Promise<Proposals>,
): Promise<void> {
  const read = await readProposals(fs)
  const after = await work(read ?? NO_PROPOSALS)
  if (read === undefined) await setAside(fs, PROPOSALS)
  await fs.writeAtomic(PROPOSALS, encodeText(printProposals(after)), { durable: true })
}

async function setAside(fs: SessionFs, path: string): Promise<void> {
  await fs.remove(`${path}.broken`)
  await fs.rename(path, `${path}.broken`)
}
