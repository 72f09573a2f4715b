/**
 * What is handed in, and what comes out. A source is one session of another agent: its records, in parts, as the rim
 * read them from files or rows. A reader looks through it once, says which stories are in it (the conversation as it
 * stands, and what a rewind left beside it), and tells each as drafts of ours, with times. Nothing here touches a file.
 */
import type { Draft } from '../../format/event.ts'
import type { Tally } from './fidelity-report.ts'

export const AGENT_NAMES = [
  'claude',
  'codex',
  'copilot',
  'gemini',
  'qwen',
  'opencode',
  'pi',
  'cursor',
  'aider',
  'cline',
  'goose',
] as const
export type AgentName = (typeof AGENT_NAMES)[number]

export const isAgentName = (name: string): name is AgentName =>
  (AGENT_NAMES as readonly string[]).includes(name)

/** Where a record stands in its part: for another look at it. */
export type Ref = { readonly part: number; readonly offset: number; readonly bytes: number }

export type ForeignRecord =
  | { readonly kind: 'record'; readonly value: unknown; readonly ref: Ref }
  | { readonly kind: 'damage'; readonly why: string; readonly ref: Ref }

export interface Part {
  /** What it is to its agent: `main`, or `subagent <id>` and the like. */
  readonly role: string
  /** In its order; may be asked for again. */
  records(): AsyncIterable<ForeignRecord>
  /** One record, as it was when it was looked through. */
  read(ref: Ref): Promise<unknown>
}

export type Source = {
  readonly agent: AgentName
  readonly nativeId: string
  readonly parts: readonly Part[]
  /** What the place where it was found says, for what the records do not. */
  readonly hints: { readonly cwd?: string; readonly name?: string; readonly startedAt: string }
}

export type Facts = {
  readonly version?: string
  readonly cwd?: string
  readonly branch?: string
  /** The address of its remote, as the agent wrote it. */
  readonly repositoryUrl?: string
  readonly commit?: string
  readonly name?: string
  readonly isNamedByUser?: boolean
  readonly model?: string
  readonly startedAt: string
  /** By which the agent goes on with it, when that is not its native id. */
  readonly resumeId?: string
  /** The session that this one was forked from, or was set to work by, by its native id. */
  readonly parentNativeId?: string
}

/** A draft, when it was said, and a name for it within its source that stays the same when the source grows. */
export type Dated = { readonly draft: Draft; readonly at: string; readonly key: string }

export type Story = {
  /** Undefined for the conversation as it stands; else the name of what was left by a rewind. */
  readonly branch?: string
  readonly facts: Facts
  /** Counts what it tells. */
  tell(tally: Tally): AsyncGenerator<Dated, void, void>
}

/** Looks through a source. The first story is the conversation as it stands. */
export type Reader = (source: Source, tally: Tally) => Promise<readonly Story[]>
