/** Everything that a view shows, as one value. Nothing here knows a terminal, a clock or a file. */
import type { Offered } from '../../../commands/offered.ts'
import type { SessionId } from '../../../format/ids.ts'
import type { Ask } from '../../../state/asks.ts'
import { silence } from '../../../state/live.ts'
import type { Live } from '../../../state/live.ts'
import type { Picker } from '../picker/picker.ts'
import type { Dialog } from './dialog.ts'
import { emptyWindow } from './window.ts'
import type { Window } from './window.ts'

export type Model = {
  readonly version: string
  readonly greeting: Greeting
  readonly session: SessionFacts
  readonly window: Window
  readonly live: Live
  readonly turn: TurnFacts
  /** Commands of the agent behind the session. */
  readonly offered: readonly Offered[]
  readonly queue: readonly { readonly id: string; readonly prompt: string }[]
  readonly asks: readonly Ask[]
  readonly dialog: Dialog | undefined
  readonly page: Page | undefined
  readonly picker: Picker | undefined
  /** Where the last visible line is; none while the end is followed. */
  readonly anchor: Anchor | undefined
  /** Long outputs and thoughts are shown whole. */
  readonly isOpen: boolean
  /** A line that is gone with the next key. */
  readonly hint: string | undefined
  /** Something of this terminal that takes its time, and how far it is. */
  readonly work: string | undefined
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
}

export type SessionFacts = {
  readonly id?: SessionId
  readonly name?: string
  readonly branch?: string
  readonly model?: string
  readonly mode: string
  /** Another process is in the middle of a turn. */
  readonly isElsewhere?: boolean
  readonly usage?: { readonly input: number; readonly output: number; readonly cost: number }
  readonly context?: { readonly tokens: number; readonly limit: number }
}

export type TurnFacts = {
  /** A message of this terminal is being answered. */
  readonly mine: boolean
  /** Another process writes. */
  readonly theirs: boolean
  readonly isCancelling: boolean
}

export type Page = { readonly title: string; readonly text: string; readonly top: number }

export type Anchor = {
  readonly key: string
  readonly line: number
  /** It is the first line that is seen, not the last. */
  readonly isFirst?: true
}

export const idle: TurnFacts = { mine: false, theirs: false, isCancelling: false }

/** What the screen shows of a session when there is none. */
export const noSession = {
  session: { mode: 'interactive' },
  window: emptyWindow,
  live: silence,
  turn: idle,
  offered: [],
  queue: [],
  asks: [],
  anchor: undefined,
} as const satisfies Partial<Model>

export const initialModel = (given: {
  readonly version: string
  readonly home: string
  readonly cwd: string
}): Model => ({
  version: given.version,
  greeting: { home: given.home, cwd: given.cwd },
  ...noSession,
  dialog: undefined,
  page: undefined,
  picker: undefined,
  isOpen: false,
  hint: undefined,
  work: undefined,
  underway: 0,
  notes: 0,
})

export const isBusy = ({ turn }: Model): boolean => turn.mine || turn.theirs
