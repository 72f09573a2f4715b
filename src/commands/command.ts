/**
 * What a command is, once for all surfaces: its name, what it takes, what it changes, what it does, and how its result
 * is said. The terminal, JSON-RPC, ACP, the page and `-p` derive parsing, help, completion and documents from it. A
 * surface may show a result in its own way, but none decides what a command does.
 */
import type { z } from 'zod'
import type { Look } from '../config/look-names.ts'
import type { Agent } from '../engine/agent.ts'
import type { Engine } from '../engine/engine.ts'
import type { WriterOptions } from '../engine/live/writer.ts'
import type { Session } from '../engine/session.ts'
import type { SessionId } from '../format/ids.ts'
import type { HomeServices } from '../store/home-services.ts'

type Changes =
  | 'nothing'
  /** The conversation, and with it files that its turns changed. */
  | 'conversation'
  /** What runs now, and what waits for its end. */
  | 'turn'
  | 'settings'
  /** Which sessions there are, or what they are called. */
  | 'sessions'
  /** What is derived from all sessions. */
  | 'store'
  /** Which session is looked at. */
  | 'view'

/** `run` and `say` are methods so that a table can hold commands of different arguments and results. */
export interface Command<Shape extends z.ZodRawShape = z.ZodRawShape, Result = unknown> {
  /** As it is typed behind the slash; two words for one of a family, as `session info`. */
  readonly name: string
  readonly aliases?: readonly string[]
  /** Without a full stop, as it stands in a list. */
  readonly summary: string
  readonly changes: Changes
  /** What it is about: the session that is open, or all of a home. */
  readonly on: 'session' | 'home'
  /** Every field has a description; those in `words` are given by position, the others as `--name value`. */
  readonly args: z.ZodObject<Shape>
  /** Fields by position. A name with `…` takes the rest of the line. */
  readonly words?: readonly string[]
  /** What its first word can be, each with what it means. */
  readonly choices?: readonly (readonly [word: string, meaning: string])[]
  /** What a surface must have for it; where it is missing the command is not offered. */
  readonly needs?: keyof Faculties
  /** It is nothing without a model, which must be ready. */
  readonly asksModel?: true
  /** It is for the agent, which is sent this in place of what was typed: `text`, with `input` behind the name. */
  readonly message?: (input: string, text: string) => string
  run(context: CommandContext, args: z.output<z.ZodObject<Shape>>): Promise<Result>
  /** In Markdown, for people. */
  say(result: Result, wording: Wording): string
}

/** Infers the types of arguments and result from the parts. */
export const command = <Shape extends z.ZodRawShape, Result>(
  given: Command<Shape, Result>,
): Command<Shape, Result> => given

/** What words depend on besides what they are about. */
export interface Wording {
  readonly now: () => Date
  /** How a command is typed here: `/redo`, or `reprise sessions redo 3f2a91bc`. */
  readonly call: (name: string, rest?: string) => string
}

/** What a command may use. Whatever costs something is opened when it is first asked for. */
export interface CommandContext extends HomeServices, Faculties, Wording {
  readonly engine: Engine
  readonly cwd: string
  /** All commands that can be used here, those of others too. */
  readonly table: readonly Command[]
  /** The session that is open; refuses in words when there is none. */
  session(): Promise<Session>
  /** How long a session that is busy elsewhere, or an index that is behind, is waited for, and what ends that. */
  readonly waiting?: WriterOptions
  /** Nothing else goes on in this process: what takes long may take all of it. */
  readonly isAlone?: true
  /** How far something is that takes its time; undefined when it is done. */
  working?(what: string | undefined): void
  /** In between, of something that goes on; in Markdown. */
  tell?(said: string): void
  /** Where a person can be asked for a yes or no. */
  confirm?(question: string): Promise<boolean>
}

/** An agent that has come up and says how a person logs in to it. */
export interface OpenLogins extends AsyncDisposable {
  readonly agent: string
  readonly ways: readonly { readonly id: string; readonly name: string; readonly about: string }[]
  /** Resolves when the agent says that it is done. */
  take(id: string): Promise<void>
}

type GuestLink = {
  readonly link: string
  readonly expiresAt: string
  /** It ends with this terminal, whose server it leads to. */
  readonly isOwn: boolean
}

/** What not every surface has. */
export interface Faculties {
  readonly view?: CommandView
  /** May be changed: whether everything is allowed without asking. */
  readonly permissions?: { allowAll: boolean }
  readonly agents?: KnownAgents
  /** Of a terminal with colours and an editor. */
  readonly look?: { now(): Look; change(to: Partial<Look>): Promise<void> }
  /** Of the agent that answers. */
  readonly logins?: { open(): Promise<OpenLogins> }
  /** Lets others watch a session in a browser. */
  readonly guests?: { link(id: SessionId, hours: number): Promise<GuestLink> }
  /** The machine on which other agents may have left something: its environment and the user's own folder. */
  readonly machine?: { readonly env: NodeJS.ProcessEnv; readonly home: string }
}

/** Where a person looks at one session and writes the next message. */
interface CommandView {
  shown(): SessionId | undefined
  /** Another session, or a new one. */
  open(id: SessionId | undefined): Promise<void>
  /** Gives a text back to the person who wrote it; it is never sent by that. */
  write(text: string): void
  /** Puts a text where the person can paste it from, or shows it. */
  copy(text: string): Promise<'clipboard' | 'shown'>
  quit(): void
}

/** Where people choose from lists. */
export interface AgentsToChoose extends KnownAgents {
  /** Who answers when nobody is chosen, as a log names it. */
  usual(): Promise<string>
  /** Models that it can ask; `configured` is the one that it asks when none is chosen. */
  models(
    agent: string | undefined,
    signal: AbortSignal,
  ): Promise<{
    readonly configured?: string
    readonly offered: readonly string[]
    readonly trouble?: string
  }>
}

/** `recorded`: the one that the session had; `chosen`: the one that was asked for; `model`: of the session, not its usual one. */
export type Answerer = {
  readonly recorded?: string
  readonly chosen?: string
  readonly model?: string
}

/** Who answers the next message, as people are told. */
export type Answering = {
  readonly kind: 'model' | 'agent' | 'offline'
  /** In one word: the model that is asked, or the agent. */
  readonly name: string
  /** With where it is: `m1 at 127.0.0.1:8080`. */
  readonly says: string
  /** In tokens, where it is known. */
  readonly window?: number
  /** The user said so; otherwise it is what was found. */
  readonly isChosen?: boolean
}

/** Something that could answer. */
export type AgentOption = {
  readonly name: string
  readonly about: string
  /** It can be asked now; otherwise `about` says how it is had. */
  readonly isHere: boolean
  /** Of a server of models: one of them is chosen by `name/model`. */
  readonly models?: readonly string[]
}

/** Where people connect one in the first place. */
export interface AgentsToConnect extends AgentsToChoose {
  /** All that could answer, also what takes a moment to find: servers of models on this machine. */
  find(): Promise<readonly AgentOption[]>
  /** Asks it for one word, and says in words how that went. */
  test(name: string): Promise<string>
  /** It answers from now on, in all sessions. */
  remember(name: string): Promise<void>
  /** Whether the user was here before; from now on they were. */
  welcomed(): Promise<boolean>
  /** Whom the configuration leads to; `recorded` is the one that the session had, `chosen` the one that was asked for. */
  answering(given: Answerer): Promise<Answering>
  /** `outside` lets a program have the terminal for a while. */
  logins(given: Answerer, outside: <T>(work: () => Promise<T>) => Promise<T>): Promise<OpenLogins>
}

interface KnownAgents {
  list(): readonly { readonly name: string; readonly about: string }[]
  /** By its name, or by the command that starts it. */
  make(name: string): Promise<Agent>
}
