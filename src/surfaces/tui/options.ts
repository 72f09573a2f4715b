/** What the terminal is given. It knows neither disks nor agents nor the command line. */
import type { Engine } from '../../engine/engine.ts'
import type { SessionId } from '../../format/ids.ts'
import type { AgentsToConnect, CommandContext } from '../../commands/command.ts'
import type { KeysName, Look, ThemeName } from '../../config/look-names.ts'
import type { GivenPicture } from './editor/paste.ts'
import type { NotifyBy } from './notify.ts'
import type { HomeServices } from '../../store/home-services.ts'

export type Start =
  | { readonly kind: 'new'; readonly name?: string; readonly model?: string }
  | { readonly kind: 'open'; readonly id: SessionId; readonly isNew: boolean }
  | {
      readonly kind: 'pick'
      /** What several sessions are called. */
      readonly filter?: string
      /** Those of other machines alone. */
      readonly which?: 'only'
    }

/** Of the user's configuration, under `terminal`. */
type TerminalSettings = {
  readonly notify?: NotifyBy | undefined
  readonly theme?: ThemeName | undefined
  readonly keys?: KeysName | undefined
}

export type TuiOptions = {
  readonly engine: Engine
  readonly version: string
  readonly home: string
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
  readonly start: Start
  /** Sent when the session is open. */
  readonly firstMessage?: string
  /** Shared with the policy of the engine. */
  readonly permissions: { allowAll: boolean }
  /** Fires when the program should end. */
  readonly signal: AbortSignal
  readonly now: () => Date
  /** What else is on this machine: agents that can be started, sessions of other tools. */
  lookAround(): Promise<{ readonly agents: readonly string[]; readonly others: number }>
  readonly agents: AgentsToConnect
  /** Paths of files and folders, for what is typed behind an `@`. */
  listFiles(typed: string): Promise<readonly string[]>
  /** By the path of a file that is dropped, and of the clipboard; undefined when there is none. */
  readonly pictures: {
    at(path: string): Promise<GivenPicture | undefined>
    inClipboard(): Promise<GivenPicture | undefined>
  }
  /** A text in the person's own editor; rejects in words when that did not end well. */
  editOutside(text: string): Promise<string>
  /** Puts a text on the clipboard by a program; false when the terminal has to be asked for it. */
  copyOutside(text: string): Promise<boolean>
  /** Stops the program, as the shell is used to; resolves when it goes on. */
  suspend(): Promise<void>
  readonly past: HomeServices
  readonly guests: NonNullable<CommandContext['guests']>
  /** Which commands of projects may be used, by their digests. */
  readonly allowedCommands: {
    has(digest: string): Promise<boolean>
    add(digests: readonly string[]): Promise<void>
  }
  readonly settings: TerminalSettings
  /** What came in this session has been seen. */
  seen(id: SessionId): void
  /** Keeps it for the next time. */
  saveLook(look: Partial<Look>): Promise<void>
}
