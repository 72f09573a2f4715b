/** What is found of other agents on a machine, before anything of it is read. */
import type { AgentName } from './convert/port.ts'

/** `lines`: JSON, one value a line. `whole`: one JSON value. `text`: plain lines. */
export type Shape = 'lines' | 'whole' | 'text'

export type FoundFile = {
  /** What it is to its agent: `main`, `subagent <id>` and the like. */
  readonly role: string
  readonly shape: Shape
  readonly path: string
  readonly bytes: number
  readonly mtimeMs: number
}

export type FoundSession = {
  readonly agent: AgentName
  readonly nativeId: string
  readonly files: readonly FoundFile[]
  /** Of a database: its rows as objects, in the order in which they are to be read, by their role. */
  readonly rows?: () => Promise<
    readonly { readonly role: string; readonly rows: Iterable<object> }[]
  >
  /** Changes when the source does. */
  readonly stamp: string
  readonly modifiedMs: number
  readonly bytes: number
  readonly cwd?: string
  readonly name?: string
  /** A session in our own format, to be copied byte for byte: the folder that it lies in. */
  readonly folder?: string
}

/** Told of each folder that is there and may not be looked into. */
export type Heeding = { readonly onUnreadable?: (found: Unreadable) => void }

/** What a finder may look at. */
export type Surroundings = Heeding & {
  readonly env: NodeJS.ProcessEnv
  /** The user's home folder. */
  readonly home: string
  /** Where the agent keeps its sessions, when that is said; else where it does by itself. */
  readonly root?: string
  /** The root is a file of a session, or a folder of such files, wherever they come from. */
  readonly isLoose?: true
  /** Only what was changed since. */
  readonly sinceMs?: number
}

export interface Finder {
  /** Where it looks: for people, and to be watched. */
  roots(around: Surroundings): readonly string[]
  find(around: Surroundings): AsyncGenerator<FoundSession | Unreadable, void, void>
}

/** Something that is there and could not be looked at. */
export type Unreadable = { readonly path: string; readonly why: string }

export const isUnreadable = (found: FoundSession | Unreadable): found is Unreadable =>
  'why' in found
