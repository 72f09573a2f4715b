/** What a slash command is, and what it may use: the same on the full screen and line by line. */
import type { Agent } from '../../../engine/agent.ts'
import type { Engine } from '../../../engine/engine.ts'
import type { SessionId } from '../../../format/ids.ts'
import type { LoadedRedactor } from '../../../lib/redact/redact.ts'
import type { Board } from '../../../store/board.ts'
import type { Store } from '../../../store/store.ts'
import type { Deeds, Option } from '../model/dialog.ts'
import type { Tone } from '../model/window.ts'

export type Command = {
  readonly name: string
  readonly help: string
  /** In the notation of the help: `[n]`, `<name>`. */
  readonly arguments?: string
  /** Words that may follow, each with what it does. */
  readonly words?: readonly (readonly [string, string])[]
  readonly run: (host: CommandHost, rest: string) => Promise<void>
}

export type Agents = {
  list(): readonly { readonly name: string; readonly about: string }[]
  /** By its name, or by the command that starts it. */
  make(name: string): Promise<Agent>
}

/** What is known over all sessions. Each is opened when it is first asked for. */
export type Past = {
  store(): Promise<Store>
  board(): Promise<Board>
  /** Takes secrets out of what leaves a session. */
  redactor(): Promise<LoadedRedactor>
  readonly cacheFolder: string
}

export type Choice<T> = Option & { readonly value: T }

export interface CommandHost {
  readonly engine: Engine
  readonly cwd: string
  readonly now: () => Date
  /** What each key does, for the help. */
  readonly keys: readonly (readonly [key: string, what: string])[]
  /** May be changed: whether everything is allowed without asking. */
  readonly permissions: { allowAll: boolean }
  /** The session on the screen, when it has one. */
  session(): SessionId | undefined
  /** The same; when nothing was said yet, the session that will be. */
  live(): Promise<SessionId>
  say(text: string, tone?: Tone): void
  /** Several lines, in Markdown. */
  page(title: string, text: string): void
  /** Undefined when the person leaves. */
  choose<T>(
    title: string,
    choices: readonly Choice<T>[],
    preview?: (value: T) => Promise<readonly string[]>,
  ): Promise<T | undefined>
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
  /** Sends a message as if it had been typed, until it is answered; `waitMs` is how long another process is waited for. */
  send(
    text: string,
    options?: { readonly waitMs?: number; readonly whenBusy?: 'steer' },
  ): Promise<void>
  /** Ends the turn that runs, wherever it runs. */
  cancel(): void
  /** Who can answer on this machine. */
  readonly agents: Agents
  readonly past: Past
  /** How far something is that takes its time; undefined when it is done. */
  working(what: string | undefined): void
  refresh(): Promise<void>
  quit(): void
}

/** Runs the rest with the session on the screen, or says that there is none. */
export const inSession =
  (run: (host: CommandHost, id: SessionId, rest: string) => Promise<void>): Command['run'] =>
  async (host, rest) => {
    const id = host.session()
    if (id === undefined) host.say('There is no session yet: send a message first.', 'faint')
    else await run(host, id, rest)
  }

/** A text in Markdown that stays as it is. */
export const fenced = (text: string): string => `~~~~text\n${text.trimEnd()}\n~~~~`

export const counted = (number: number, one: string): string =>
  `${number} ${one}${number === 1 ? '' : 's'}`
