/** What a view of a command may use: the same on the full screen and line by line. */
import type { AgentsToConnect, Command, CommandContext } from '../../../commands/command.ts'
import type { Engine } from '../../../engine/engine.ts'
import type { SessionId } from '../../../format/ids.ts'
import type { Store } from '../../../store/store.ts'
import type { Deeds, Option } from '../model/dialog.ts'
import type { Tone } from '../model/window.ts'
import type { Stages } from './in-order.ts'

export type Choice<T> = Option & { readonly value: T }

export interface CommandHost {
  readonly engine: Engine
  readonly agents: AgentsToConnect
  readonly cwd: string
  readonly now: () => Date
  /** What each key does, for the help. */
  readonly keys: readonly (readonly [key: string, what: string])[]
  /** Those of the agent on the screen too. */
  table(): readonly Command[]
  /** What a command works with; `on` is another session than the one on the screen. */
  context(command: Command, on?: SessionId): CommandContext
  store(): Promise<Store>
  /** The session on the screen, when it has one. */
  session(): SessionId | undefined
  say(text: string, tone?: Tone): void
  /** Several lines, in Markdown. Resolves when they were read, where they are closed again. */
  page(title: string, text: string): Promise<void>
  /** Undefined when the person leaves. */
  choose<T>(
    title: string,
    choices: readonly Choice<T>[],
    preview?: (value: T) => Promise<readonly string[]>,
  ): Promise<T | undefined>
  /** The same unasked: a message that is typed goes on, and leaves it. */
  offer<T>(title: string, choices: readonly Choice<T>[]): Promise<T | undefined>
  /** The same with more than one thing to do, each by its key; `enter` is one of them. */
  chooseDeed<T>(
    title: string,
    choices: readonly Choice<T>[],
    deeds: Deeds,
    preview?: (value: T) => Promise<readonly string[]>,
  ): Promise<{ readonly value: T; readonly deed: string } | undefined>
  confirm(question: string): Promise<boolean>
  ask(question: string, initial?: string): Promise<string | undefined>
  /** Another session on the screen, at a turn of it or at its end; without an id, a new one. */
  open(id: SessionId | undefined, turn?: number): Promise<void>
  pick(): Promise<void>
  /** Gives a text back to the person who wrote it: it is shown where the next message is written, and never sent. */
  write(text: string): void
  /** Puts a text on the clipboard, or shows it where none can be reached. */
  copy(text: string): Promise<'clipboard' | 'shown'>
  /** Sends a message as if it had been typed, until it is answered; `waitMs` is how long another process is waited for. */
  send(
    text: string,
    options?: { readonly waitMs?: number; readonly whenBusy?: 'steer' } & Partial<Stages>,
  ): Promise<void>
  refresh(): Promise<void>
  /** Another agent answers in this session from now on. */
  answersNow(name: string, how?: { readonly inAll: true }): Promise<void>
  /** Something takes its time; undefined when it is done. */
  working(what: string | undefined): void
}
