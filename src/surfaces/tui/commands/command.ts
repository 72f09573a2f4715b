/** What a slash command is, and what it may use: the same on the full screen and line by line. */
import type { Engine } from '../../../engine/engine.ts'
import type { SessionId } from '../../../format/ids.ts'
import type { Option } from '../model/dialog.ts'
import type { Tone } from '../model/window.ts'

export type Command = {
  readonly name: string
  readonly help: string
  /** In the notation of the help: `[n]`, `<name>`. */
  readonly arguments?: string
  /** Words that may follow, each with what it does. */
  readonly words?: readonly (readonly [string, string])[]
  readonly run: (desk: Desk, rest: string) => Promise<void>
}

export type Choice<T> = Option & { readonly value: T }

export interface Desk {
  readonly engine: Engine
  readonly cwd: string
  readonly now: () => Date
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
  confirm(question: string): Promise<boolean>
  ask(question: string, initial?: string): Promise<string | undefined>
  /** Another session on the screen; without an id, a new one. */
  open(id: SessionId | undefined): Promise<void>
  pick(): Promise<void>
  /** Puts a text where the next message is written. */
  write(text: string): void
  /** Sends a message as if it had been typed; `waitMs` is how long another process is waited for. */
  send(text: string, options?: { readonly waitMs?: number }): void
  /** The rest of this program, by its own command line; what it prints. */
  program(args: readonly string[]): Promise<string>
  refresh(): Promise<void>
  quit(): void
}

/** Runs the rest with the session on the screen, or says that there is none. */
export const inSession =
  (run: (desk: Desk, id: SessionId, rest: string) => Promise<void>): Command['run'] =>
  async (desk, rest) => {
    const id = desk.session()
    if (id === undefined) desk.say('There is no session yet: send a message first.', 'faint')
    else await run(desk, id, rest)
  }

export const counted = (number: number, one: string): string =>
  `${number} ${one}${number === 1 ? '' : 's'}`
