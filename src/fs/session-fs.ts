/**
 * Where the bytes of a home live. Everything above works on this interface alone, so a session may
 * live on a disk, in memory, or with a connected client.
 *
 * Paths are relative to the root, separated by '/', and pass `checkPath` first: no '..', no empty
 * segment, no NUL, no backslash, no drive letter. A missing file is `undefined`, never an exception; every other
 * failure throws.
 */
export interface SessionFs {
  /** For people, and never to decide by: what a caller needs to know has a member of its own. */
  readonly backend: 'disk' | 'memory' | 'client'
  readonly conventions: 'posix' | 'windows'

  /** Where the bytes are a client's, a session's own database is no file here: its owner runs the statements. */
  readonly database?: OwnedDatabase

  /** The path as its owner writes it: for people and for events. */
  nativePath(path: string): string
  /** Where other programs of this machine find the file. Undefined where it lies on no disk of it. */
  diskPath(path: string): string | undefined
  /** Others may open the same files without asking this process: what is left there for them is found. */
  readonly isShared: boolean
  /** One string for one file, however it is reached: two processes that get the same key share the file. */
  lockKey(path: string): string

  stat(path: string): Promise<FileStat | undefined>
  /** Many at once, in the order asked, without starving the event loop. */
  statMany(paths: readonly string[]): Promise<readonly (FileStat | undefined)[]>
  /** Names in a folder, unordered; empty when the folder is missing. */
  list(path: string): Promise<readonly Entry[]>

  /** A whole small file. */
  read(path: string): Promise<Uint8Array | undefined>
  openRead(path: string): Promise<ReadFile | undefined>
  /** Opens for appending at known positions; creates the file (0600) and its folders (0700) when missing. */
  openAppend(path: string): Promise<AppendFile>

  /** Replaces a file in one step: readers see the old bytes or the new ones. `durable` also survives a power cut. */
  writeAtomic(path: string, bytes: Uint8Array, options: { durable: boolean }): Promise<void>
  /** Creates a file with its content in one step. False when it already exists. */
  createExclusive(path: string, bytes: Uint8Array): Promise<boolean>
  /** Folders and their parents, 0700. */
  mkdir(path: string): Promise<void>
  /** Moves a file or folder in one step, durably. Fails when the target exists. */
  rename(from: string, to: string): Promise<void>
  /** Removes a file or a whole folder. Nothing happens when it is missing. */
  remove(path: string): Promise<void>
  /**
   * Copies one file's bytes, 0600, never following a link at either end. A target that exists is replaced in one
   * durable step; a file copied onto itself has the same bytes and another identity.
   */
  copy(from: string, to: string): Promise<void>
  /** A second name for a file that is never written again. May share its storage. Durable with the next sync of the folder. */
  share(from: string, to: string): Promise<void>

  /** Files and folders in the making, at all levels of a folder, that a process left there which is no more. */
  leftTemporary(folder: string): Promise<readonly string[]>

  /** Calls back, at least once, after a change in this folder's entries or in its files' bytes. May call without cause. */
  watch(folder: string, onChange: () => void): Disposable
}

export type FileStat = {
  readonly kind: 'file' | 'folder' | 'other'
  readonly size: number
  readonly mtimeMs: number
  /** Differs when the name now stands for another file. */
  readonly identity: string
}

export type Entry = { readonly name: string; readonly kind: 'file' | 'folder' | 'other' }

export interface ReadFile {
  readonly size: number
  readonly identity: string
  /** Fills the target from a position; fewer bytes only at the end of the file. */
  read(target: Uint8Array, position: number): Promise<number>
  close(): Promise<void>
}

export interface AppendFile {
  readonly identity: string
  /** The size now, as the file system tells it: another writer may have moved it. */
  size(): Promise<number>
  /** Writes all bytes at a position or throws; a short write throws and leaves the caller to cut back. */
  write(chunks: readonly Uint8Array[], position: number): Promise<void>
  /** Returns when the bytes would survive a power cut; for a new file, its name too. */
  sync(): Promise<void>
  truncate(size: number): Promise<void>
  close(): Promise<void>
}

export type SqlScalar = string | number | null

export interface OwnedDatabase {
  exists(): Promise<boolean>
  /** `exec` makes tables, `run` changes rows, `query` gives some. Throws `DatabaseRefused` for a statement that fails. */
  run(
    kind: 'query' | 'run' | 'exec',
    sql: string,
    params?: Readonly<Record<string, SqlScalar>>,
  ): Promise<DatabaseAnswer>
}

export type DatabaseAnswer = {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly SqlScalar[])[]
  readonly changes: number
}
