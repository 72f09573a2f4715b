/** Everything that a view shows, as one value. Nothing here knows a terminal, a clock or a file. */
import type { Answering } from '../../../commands/command.ts'
import type { Offered } from '../../../commands/offered.ts'
import type { RemoteWords } from '../../../commands/remote-words.ts'
import type { SessionId } from '../../../format/ids.ts'
import type { Ask } from '../../../state/asks.ts'
import { silence, type Live } from '../../../state/live.ts'
import type { Picker } from '../picker/picker.ts'
import type { VimMode } from '../editor/vim-edit.ts'
import type { Dialog } from './dialog.ts'
import { emptyWindow, type Item, type Window } from './window.ts'

export type Model = {
  readonly version: string
  readonly greeting: Greeting
  /** Who answers; unknown until it has been looked for. */
  readonly answering: Answering | undefined
  /** Everything is allowed without asking. */
  readonly allowsAll: boolean
  readonly session: SessionFacts
  readonly window: Window
  readonly live: Live
  readonly turn: TurnFacts
  /** Commands of the agent behind the session. */
  readonly offered: readonly Offered[]
  /** Commands from files of the user and of the project. */
  readonly ofFiles: readonly Offered[]
  readonly queue: readonly { readonly id: string; readonly prompt: string }[]
  readonly asks: readonly Ask[]
  /** How the first of them stands to be answered by keys. */
  readonly menu: Menu
  readonly dialog: Dialog | undefined
  readonly page: Page | undefined
  readonly picker: Picker | undefined
  /** Where the last visible line is; none while the end is followed. */
  readonly anchor: Anchor | undefined
  /** Of an editor with the keys of vim. */
  readonly vim: VimMode | undefined
  /** Long outputs and thoughts are shown whole. */
  readonly isOpen: boolean
  /** A line that is gone with the next key. */
  readonly hint: string | undefined
  /** Something of this terminal that takes its time, and how far it is. */
  readonly work: string | undefined
  /** How many turns were seen to begin: each is timed by itself. */
  readonly begun: number
  /** How many commands and messages of this terminal are not done. */
  readonly underway: number
  readonly notes: number
}

export type Greeting = {
  readonly home: string
  readonly cwd: string
  /** Unknown until they have been looked for. */
  readonly agents?: readonly string[]
  readonly sessions?: number
  readonly here?: number
  readonly others?: number
  /** The user is here for the first time. */
  readonly isNewcomer?: boolean
}

export type SessionFacts = {
  readonly id?: SessionId
  readonly name?: string
  readonly branch?: string
  readonly model?: string
  readonly mode: string
  /** Another process is in the middle of a turn. */
  readonly isElsewhere?: boolean
  readonly usage?: {
    readonly input: number
    readonly output: number
    /** Premium requests. */
    readonly cost: number
    readonly dollars: number
  }
  /** How it stands to Mission Control; undefined without one. */
  readonly remote?: RemoteWords | undefined
  /** How much the model was last given, and how much it takes where that is known. */
  readonly context?: { readonly tokens: number; readonly limit?: number }
}

export type TurnFacts = {
  /** A message of this terminal is being answered. */
  readonly mine: boolean
  /** Another process writes. */
  readonly theirs: boolean
  readonly isCancelling: boolean
  /** It is the first that this terminal has here: an agent may have to be started. */
  readonly isFirst: boolean
}

export type Menu = {
  /** Which answer is marked. */
  readonly at: number
  /** Nobody has typed for a moment: keys answer it. */
  readonly isReady: boolean
  /** A text stands in the editor, which has the keys. */
  readonly isAside: boolean
}

export const freshMenu: Menu = { at: 0, isReady: false, isAside: false }

export type Page = { readonly title: string; readonly text: string; readonly top: number }

export type Anchor = {
  readonly key: string
  readonly line: number
  /** It is the first line that is seen, not the last. */
  readonly isFirst?: true
}

export const idle: TurnFacts = {
  mine: false,
  theirs: false,
  isCancelling: false,
  isFirst: false,
}

/** What the screen shows of a session when there is none. */
export const noSession = {
  session: { mode: 'interactive' },
  window: emptyWindow,
  live: silence,
  turn: { ...idle, isFirst: true },
  offered: [],
  queue: [],
  asks: [],
  menu: freshMenu,
  anchor: undefined,
} as const satisfies Partial<Model>

export const initialModel = (given: {
  readonly version: string
  readonly home: string
  readonly cwd: string
}): Model => ({
  version: given.version,
  greeting: { home: given.home, cwd: given.cwd },
  answering: undefined,
  allowsAll: false,
  ofFiles: [],
  ...noSession,
  dialog: undefined,
  page: undefined,
  picker: undefined,
  vim: undefined,
  isOpen: false,
  hint: undefined,
  work: undefined,
  begun: 0,
  underway: 0,
  notes: 0,
})

export const isBusy = ({ turn }: Model): boolean => turn.mine || turn.theirs

/** The last turn ended with a question that was lost with the process that asked it; one key asks again. */
export function hasLostQuestion(model: Model): boolean {
  const { items } = model.window
  const at = items.findLastIndex(({ entry }) => entry.kind === 'user')
  const isLost = ({ entry }: Item) => entry.kind === 'warning' && entry.topic === 'question_lost'
  return !isBusy(model) && model.asks.length === 0 && items.slice(at + 1).some(isLost)
}
