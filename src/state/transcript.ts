/**
 * What people read: one entry for each thing that happened, in order. What starts and ends in two
 * events, such as a tool, is one entry that changes. Texts are as they were written; surfaces escape them.
 */
import type { EventId } from '../format/ids.ts'

type At = {
  readonly eventId: EventId
  /** ISO time. */
  readonly at: string
  /** Set when a sub-agent did it. */
  readonly agentId?: string
}

/** A picture, with its bytes where they are in the log, else by the name under which they are kept. */
export type Picture = {
  readonly name?: string
  readonly mimeType: string
  /** Base64. */
  readonly data?: string
  readonly sha256?: string
}

type ToolStatus = 'announced' | 'running' | 'succeeded' | 'failed'

export type Body =
  | {
      readonly kind: 'user'
      readonly text: string
      readonly attachments: readonly string[]
      readonly pictures?: readonly Picture[]
      readonly isSteering: boolean
      /** Who sent it, when that was not the person at the machine. */
      readonly by?: {
        readonly who: string
        readonly name?: string | undefined
        /** The machine that it was sent from. */
        readonly from: string
      }
    }
  /** The agent was asked to go on within the turn, and not by a person. */
  | { readonly kind: 'continuation'; readonly by: 'autopilot' | 'hook'; readonly text: string }
  | {
      readonly kind: 'assistant'
      readonly text: string
      readonly model?: string
      /** Why it ends where it ends. */
      readonly unfinished?: string
    }
  | { readonly kind: 'thought'; readonly text: string }
  | {
      readonly kind: 'tool'
      readonly toolCallId: string
      readonly toolName: string
      readonly arguments: unknown
      readonly status: ToolStatus
      readonly output?: string
      /** Why it failed, by a word of the closed lists of tools: `rejected`, `denied`, `interrupted`, … */
      readonly failure?: string
      /** Why it was not carried to its end. */
      readonly unfinished?: string
      /** What the model was told in its place. */
      readonly toldModel?: string
      /** Where all of the output is, when it was too long for the log. */
      readonly whole?: { readonly sha256: string; readonly byteLength: number }
      readonly exitCode?: number
      readonly isUserRequested: boolean
      /** The model that asked for it. */
      readonly model?: string
      /** When its result came. */
      readonly endedAt?: string
      readonly pictures?: readonly Picture[]
    }
  | {
      readonly kind: 'permission'
      readonly requestId: string
      readonly what: string
      readonly intention?: string
      /** The tool call that it was asked for. */
      readonly toolCallId?: string
      /** Missing while it is open. */
      readonly decision?: string
      /** In words: a person, a rule as it is written, a mode, nobody. Missing where the log does not say. */
      readonly decidedBy?: string
    }
  | {
      readonly kind: 'compaction'
      readonly status: 'running' | 'succeeded' | 'failed'
      readonly checkpoint?: number
      readonly summary?: string
      readonly error?: string
    }
  | { readonly kind: 'info' | 'warning' | 'error'; readonly topic: string; readonly text: string }
  | { readonly kind: 'model'; readonly model: string; readonly effort?: string }
  | { readonly kind: 'mode'; readonly mode: string }
  | { readonly kind: 'plan'; readonly operation: string }
  | { readonly kind: 'file'; readonly path: string; readonly operation: string }
  | { readonly kind: 'resume'; readonly eventCount: number }
  | { readonly kind: 'shutdown'; readonly shutdownType: string; readonly reason?: string }
  | { readonly kind: 'abort'; readonly reason: string }
  | {
      readonly kind: 'handoff'
      readonly sourceType: string
      readonly from?: string
      readonly text: string
    }
  | {
      readonly kind: 'subagent'
      readonly toolCallId: string
      readonly name: string
      readonly status: 'running' | 'succeeded' | 'failed'
      readonly error?: string
    }
  | { readonly kind: 'skill'; readonly name: string; readonly path: string }
  | {
      readonly kind: 'hook'
      readonly hookInvocationId: string
      readonly hookType: string
      readonly status: 'running' | 'succeeded' | 'failed'
      readonly error?: string
    }
  | { readonly kind: 'stranger'; readonly type: string }

export type TranscriptEntry = At & Body
export type EntryOf<K extends Body['kind']> = At & Extract<Body, { readonly kind: K }>
