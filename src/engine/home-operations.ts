/** What is done with the sessions of a home as a whole. Loaded with the first call: a list does not pay for it. */
import type { ToolServerState } from './tool-server.ts'
import type { SessionId } from '../format/ids.ts'
import type { EngineContext } from './engine-context.ts'
import { sessionHandle } from './handle.ts'
import { discard, type DiscardOptions } from './forget/discard.ts'
import type { Discarded } from './forget/rewound-parts.ts'
import { forget, type ForgetQuery, type Forgotten } from './forget/forget.ts'
import { adopt, type AdoptOptions } from './sessions/create-from-log.ts'
import { archive, archived, unarchive } from './sessions/archive.ts'
import { doctor, mend, type Depth, type Diagnosis, type Mended } from './sessions/doctor.ts'
import { homeFaults, type HomeFault } from './sessions/home-faults.ts'
import { prune, type PruneOptions, type Pruned } from './sessions/prune.ts'
import { importFolder, type FolderGiven } from './sessions/import-folder.ts'
import { importSession, type ImportGiven, type ImportOutcome } from './sessions/import.ts'
import { leftOpen, toldLeftOpen, type LeftOpen } from './sessions/crash-recovery.ts'
import { leftovers, type Leftovers } from './sessions/orphan-cleanup.ts'
import { remove, type Removal } from './sessions/remove.ts'
import { restore } from './sessions/restore.ts'
import { listTrash, type TrashedSession } from './sessions/trash.ts'
import { closeAll } from './live/close.ts'
import { create, type CreateOptions } from './live/create.ts'
import type { Session } from './session.ts'
import { withParts, type SessionParts } from './session-parts.ts'
import { copiesCost, type CopiesCost } from '../project/copies.ts'
import { blame, type BlamedLine, type BlameQuery } from './history/blame.ts'
import type { Introduction } from './agent.ts'

export interface HomeOperations {
  /** In memory only, until its first message or an explicit save. */
  create(options?: CreateOptions, parts?: SessionParts): Promise<Session>
  /** What the agent of a new session says of itself; undefined for one that has no protocol of its own. */
  introduceAgent(cwd: string): Promise<Introduction | undefined>
  /** A session whose log comes from elsewhere; refuses one that is here. */
  adopt(id: SessionId, log: AsyncIterable<Uint8Array>, options?: AdoptOptions): Promise<void>
  /** Which turn last wrote a line of the project, from what was recorded. */
  blame(query: BlameQuery): Promise<readonly BlamedLine[]>
  remove(ids: readonly SessionId[], options?: { now?: boolean }): Promise<readonly Removal[]>
  trash(): Promise<readonly TrashedSession[]>
  restore(word: string): Promise<SessionId>
  /** Keeps it out of sight; it is closed and stays as it is. */
  archive(id: SessionId): Promise<void>
  unarchive(id: SessionId): Promise<void>
  archived(): Promise<ReadonlySet<SessionId>>
  prune(options: PruneOptions): Promise<Pruned>
  /** What copies of projects cost. */
  copies(): Promise<CopiesCost>
  /** Takes a text out of everything that the home keeps, or only says where it stands. */
  forget(query: ForgetQuery, options: { readonly dryRun: boolean }): Promise<Forgotten>
  /** Removes for good what undos took out of a session. */
  discard(id: SessionId, options?: DiscardOptions): Promise<Discarded>
  /** What killed processes left in the home beside the sessions; with `clear` it is gone afterwards. */
  leftovers(options: { readonly clear: boolean }): Promise<Leftovers>
  /** Sessions that were open when their process died, newest first. */
  leftOpen(): Promise<readonly LeftOpen[]>
  /** The tool servers of the configuration: each is started and asked for its tools, and ended. */
  toolServers(): Promise<readonly ToolServerState[]>
  /** People were told of all of them; who asks sees them until they are opened. */
  toldLeftOpen(): Promise<void>
  /** A session of another agent becomes one of this home. */
  import(given: ImportGiven): Promise<ImportOutcome>
  /** The same of one that is in our own format. */
  importFolder(given: FolderGiven): Promise<ImportOutcome>
  /** Default: everything that is kept of it is read. */
  doctor(id: SessionId, options?: { readonly depth?: Depth }): Promise<Diagnosis>
  /** What of the home itself is not what it should be. */
  homeFaults(): Promise<readonly HomeFault[]>
  mend(id: SessionId): Promise<Mended>
  /** Closes every session of this process. */
  stop(): Promise<void>
}

export const homeOperations = (engine: EngineContext): HomeOperations => ({
  async create(given = {}, parts = {}) {
    const own = withParts(engine, parts)
    return sessionHandle(own, (await create(own, given)).id)
  },
  adopt: (id, log, given) => adopt(engine, id, log, given),
  blame: (query) => blame(engine, query),
  remove: (ids, given) => remove(engine, ids, given),
  trash: () => listTrash(engine),
  restore: (word) => restore(engine, word),
  archive: (id) => archive(engine, id),
  unarchive: (id) => unarchive(engine, id),
  archived: () => archived(engine),
  prune: (given) => prune(engine, given),
  copies: () => copiesCost(engine.fs),
  forget: (query, given) => forget(engine, query, given),
  discard: (id, given) => discard(engine, id, given),
  leftovers: (given) => leftovers(engine, given),
  leftOpen: () => leftOpen(engine),
  toolServers: engine.toolServers,
  toldLeftOpen: () => toldLeftOpen(engine),
  import: (given) => importSession(engine, given),
  importFolder: (given) => importFolder(engine, given),
  doctor: (id, given) => doctor(engine, id, given),
  homeFaults: () => homeFaults(engine.fs),
  mend: (id) => mend(engine, id),
  introduceAgent: async (cwd) => (await engine.agents.choose(undefined)).introduce?.(cwd),
  stop: () => closeAll(engine),
})
