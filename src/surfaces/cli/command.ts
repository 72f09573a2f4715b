/** What a command is, what it is given and what it may use. */
import type { Command as Action, CommandContext } from '../../commands/command.ts'
import type { Args } from '../../commands/parse.ts'
import type { PermissionPolicy } from '../../engine/agent.ts'
import type { Engine } from '../../engine/engine.ts'
import { EngineError } from '../../engine/errors.ts'
import type { SessionId } from '../../format/ids.ts'
import type { Redactor } from '../../lib/redact/redact.ts'
import type { FarStore } from '../../store/far-store.ts'
import type { Store } from '../../store/store.ts'
import type { ControlPlace, ControlServing, ControlVisit } from './control.ts'
import type { Launch } from './copilot-options.ts'
import type { Home } from './home.ts'
import type { Option, OptionsOf, Section } from './option.ts'
import type { Output } from './output.ts'
import type { acpOptions, servingOptions, webOptions, workerOptions } from './server-options.ts'

/** What the program is wired with: this surface knows neither disks nor agents. */
export interface Host {
  readonly argv: readonly string[]
  readonly env: NodeJS.ProcessEnv
  readonly version: string
  readonly stdin: NodeJS.ReadStream
  readonly stdout: NodeJS.WriteStream
  readonly stderr: NodeJS.WriteStream
  findHome(given: string | undefined): Home
  /** Absolute; that of the process when none is given. Undefined when there is no such directory. */
  findDirectory(given: string | undefined): string | undefined
  /** What goes on inside is told to a file of the home from now on. */
  keepDiagnostics(home: Home): void
  /** The known agents, each with what it says of itself when it is on this machine; `found` is told each once it is known. */
  findAgents(cwd: string, found?: (agent: FoundAgent) => void): Promise<readonly FoundAgent[]>
  openEngine(options: {
    readonly home: string
    readonly policy: PermissionPolicy
    /** Nobody is there to be asked, and not everything is allowed. */
    readonly isUnattended: boolean
    readonly isHeadless: boolean
    readonly answersQuestions: boolean
    /** Who answers: a name, or the command of an agent. */
    readonly agent?: string
    readonly model?: string
    readonly launch: Launch
    readonly cwd: string
    /** Told, once, in a sentence for each thing in the configuration that does nothing. */
    readonly onTrouble?: (message: string) => void
  }): Promise<Engine>
  /** Sentences about names in the configuration of a home that are no settings. */
  unknownSettings(home: string): Promise<readonly string[]>
  /** `onTrouble` is told in a sentence when there is something wrong with it. */
  openStore(options: {
    readonly home: string
    readonly onTrouble: (message: string) => void
  }): Promise<Store>
  /** Takes out what is known or looks like a secret; alike for all that leaves this home. */
  openRedactor(home: string): Promise<Redactor>
  /** Of the Mission Control that the home has joined. */
  openFarStore(home: string): Promise<FarStore | undefined>
  /** A person's terminal, until they leave it. */
  openTerminal(options: TerminalOptions): Promise<void>
  /** A session as one redacted text; with a file it is written there, for its owner alone. */
  exportSession(engine: Engine, wish: ExportWish): Promise<Exported>
  serveAcp(
    options: Serving & OptionsOf<typeof acpOptions> & { readonly connect?: string },
  ): Promise<void>
  serveWeb(options: Serving & OptionsOf<typeof webOptions> & GuestFinder): Promise<void>
  serveRpc(options: Serving & RpcOptions): Promise<void>
  serveControl(options: ControlServing): Promise<void>
  /** Runs tasks of Mission Control here, until it is stopped. */
  serveWorker(
    options: Serving & OptionsOf<typeof workerOptions> & { print(line: string): void },
  ): Promise<void>
  /** Mission Control at its own shell, for one thing. */
  visitControl<T>(place: ControlPlace, work: (visit: ControlVisit) => Promise<T>): Promise<T>
  joinControl(url: string, options: JoinOptions): Promise<Joined>
}

export type JoinOptions = {
  readonly machine: string
  readonly token?: string
  /** Of a link that is used once. */
  readonly code?: string
  /** What its person is called there from now on. */
  readonly name?: string
  readonly signal: AbortSignal
  /** What a person needs to say yes to this machine. */
  show(code: { readonly userCode: string }): void
}

/** What a machine has when it has joined a Mission Control. */
export type Joined = {
  readonly token: string
  readonly me: {
    readonly tenant: string
    readonly person: string
    readonly name: string
    readonly machine: string | null
    readonly scopes: readonly string[]
  }
}

export type ExportWish = {
  readonly id: SessionId
  readonly format: 'html' | 'markdown' | 'json'
  /** Absolute. */
  readonly file?: string
  /** Absolute: without a file, it is written here under a name of its own. */
  readonly folder?: string
}

type Exported = { readonly text: string; readonly file: string | undefined }

/** Which session a word means, for the engine that serves it. */
type GuestFinder = { findSession(engine: Engine, word: string): Promise<SessionId> }

/** What every server is given, however it was asked for. */
export type Serving = {
  readonly home: Home
  readonly cwd: string
  readonly launch: Launch
  /** Fires when it shall end. */
  readonly signal: AbortSignal
}

export type RpcOptions = Pick<
  OptionsOf<typeof servingOptions>,
  'stdio' | 'port' | 'host' | 'allowRemote' | 'sessionIdleTimeout' | 'authTokenEnv'
> & {
  readonly agent?: string
  readonly model?: string
  readonly allowAll?: true
  /** A session that is opened before any client asks for it. */
  readonly resume?: string
  /** The same with one of another machine. */
  readonly connect?: string
  readonly logLevel?: string
}

export type TerminalOptions = {
  readonly engine: Engine
  readonly store: () => Promise<Store>
  readonly home: string
  readonly cwd: string
  readonly start:
    | { readonly kind: 'new'; readonly name?: string; readonly model?: string }
    | { readonly kind: 'open'; readonly id: SessionId; readonly isNew: boolean }
    | { readonly kind: 'pick'; readonly filter?: string; readonly which?: 'only' }
  readonly permissions: { allowAll: boolean }
  /** Sessions may be started here from afar, where the settings say so. */
  readonly takesKickstarts: boolean
  readonly signal: AbortSignal
  /** Line by line. */
  readonly isPlain: boolean
  /** Who shall answer, as the command line says. */
  readonly wishes: { readonly agent?: string; readonly model?: string }
  /** Sent when the session is open. */
  readonly firstMessage?: string
}

export type FoundAgent = {
  readonly name: string
  readonly title: string
  /** On npm, where it can be had. */
  readonly package: string
  /** What it asks before it does it, and what it never asks. */
  readonly asks: { readonly before: string; readonly never: string }
  readonly command?: string
  readonly version?: string
  readonly abilities?: readonly string[]
  /** It is there but did not come up. */
  readonly trouble?: string
}

export type Command = {
  /** One word, or the group and the word: 'sessions list'. The root has none. */
  readonly name: string
  readonly summary: string
  /** In the notation of the help: `<session>`, `[event]`, `<session...>`. */
  readonly arguments?: readonly (readonly [string, string])[]
  readonly options?: readonly Option[]
  /** More options, under headings of their own. */
  readonly sections?: readonly Section[]
  readonly examples: readonly string[]
  /** More to know, after the options. */
  readonly notes?: readonly string[]
  readonly hidden?: true
  /** What its group does when nothing else is asked of it. */
  readonly isDefault?: true
  /** Ends in its own way when it is interrupted; every other command is just left. */
  readonly endsItself?: true
  readonly load: (given: Given) => Promise<Loaded>
}

/**
 * A command of the table of commands, and where it sits on a command line. Its words, options and help are made of its
 * schema when it is asked for, so that no other command waits for that.
 */
export type Placed = Pick<Command, 'name' | 'hidden' | 'isDefault' | 'examples' | 'notes'> &
  Pick<Command, 'endsItself'> & {
    readonly of: () => Promise<Action>
    /** What it is about, where its group does not tell: `sessions` are about one. */
    readonly on?: Action['on']
    /** Its fields by position, where they are others than behind a slash; with `!` one that must be given. */
    readonly words?: readonly string[]
    /** What the words of its last argument mean together; one text unless it is said. */
    readonly join?: (words: readonly string[], given: Given) => unknown
    /** Options beside those of its schema. */
    readonly options?: readonly Option[]
    /** Other commands of the table that an option stands for, with its value as their word. */
    readonly instead?: Readonly<Record<string, () => Promise<Action>>>
    readonly view?: () => Promise<View>
    /** What it says is a document: into a pipe it goes as it is. */
    readonly isDocument?: true | ((result: unknown) => boolean)
  }

/** Where the command line does more than to say a result. */
export type View<Result = unknown> = {
  /** What is looked at or asked before anything is done; an exit code when that was all. */
  before?(cli: Cli, given: Given, action: Planned<Result>): Promise<number | void>
  /** The result for programs, where it is another one. */
  json?(cli: Cli, result: Result, given: Given): unknown
  /** In place of saying it. */
  show?(cli: Cli, result: Result, given: Given, say: () => void): Promise<void> | void
  /** The exit code, however it was shown. */
  code?(result: Result): number
}

/** What is about to be done. */
type Planned<Result> = {
  readonly context: CommandContext
  run(more: Args): Promise<Result>
}

export type Row = Command | Placed

/** All that can be asked on a command line. */
export type Program = {
  /** What `reprise` does without the name of a command. */
  readonly root: Command
  /** The first words of commands of two, each with what they are about. */
  readonly groups: Readonly<Record<string, string>>
  readonly commands: readonly Row[]
  /** Options of every command, behind its name or before it. */
  readonly common: readonly Option[]
}

export type Loaded = {
  readonly run: Run
  /** Runs until it is stopped: being stopped is how it ends, and no failure. */
  readonly isServer?: true
}

/** The exit code; nothing means 0. */
export type Run = (cli: Cli, given: Given) => Promise<number | void>

export type Cli = {
  readonly host: Host
  readonly program: Program
  readonly out: Output
  readonly home: Home
  readonly cwd: string
  /** Results as JSON. */
  readonly json: boolean
  /** Fires when the user or the system wants an end. */
  readonly signal: AbortSignal
  readonly now: () => Date
  /** A person is there who can be asked. */
  readonly canAsk: boolean
  /** Opened by the first call; the policy of that call stays. */
  engine(policy?: PermissionPolicy): Promise<Engine>
  /** Opened by the first call. */
  store(): Promise<Store>
}

export interface Given {
  word(at: number): string | undefined
  /** All words of the last argument. */
  words(at: number): readonly string[]
  /** Whatever its value is. */
  has(name: string): boolean
  flag(name: string): boolean
  text(name: string): string | undefined
  /** Present without a value counts as true. */
  optional(name: string): string | true | undefined
  whole(name: string, least: number): number | undefined
  list(name: string): readonly string[] | undefined
  /** All that was given, with the types that a table of options says. Tables are named, not loaded. */
  all<T extends readonly Option[]>(): OptionsOf<T>
}

export function given(
  words: readonly (string | readonly string[] | undefined)[],
  options: Readonly<Record<string, unknown>>,
): Given {
  const text = (name: string) => {
    const value = options[name]
    return typeof value === 'string' ? value : undefined
  }
  return {
    word: (at) => {
      const word = words[at]
      return typeof word === 'string' ? word : undefined
    },
    words: (at) => {
      const word = words[at] ?? []
      return typeof word === 'string' ? [word] : word
    },
    has: (name) => options[name] !== undefined,
    flag: (name) => options[name] === true,
    text,
    optional: (name) => text(name) ?? (options[name] === true ? true : undefined),
    whole: (name, least) => wholeNumber(`--${name}`, text(name), least),
    list: (name) =>
      text(name)
        ?.split(',')
        .flatMap((part) => part.trim() || []),
    // The parser read each by the same table that gives the type.
    all: <T extends readonly Option[]>() => options as OptionsOf<T>,
  }
}

function wholeNumber(what: string, value: string | undefined, least: number): number | undefined {
  if (value === undefined) return undefined
  const number = /^\d{1,9}$/.test(value) ? Number(value) : -1
  if (number >= least) return number
  throw new EngineError('invalid', `${what} wants a whole number from ${least} on, not "${value}".`)
}

export const usage = (message: string, details: Readonly<Record<string, unknown>> = {}) =>
  new EngineError('invalid', message, { details })
