/**
 * What people read: one entry for each thing that happened, in order. What starts and ends in two
 * events, such as a tool, is one entry that changes. Texts are as they were written; whoever shows them escapes.
 */
import type { EventId } from '../format/ids.ts'
import { applyRule, isStranger } from './placed.ts'
import type { Placed } from './placed.ts'
import { createDraft, isOpen } from './transcript-draft.ts'
import { transcriptRules } from './transcript-rules.ts'

type At = {
  readonly eventId: EventId
  /** ISO time. */
  readonly at: string
  /** Set when a sub-agent did it. */
  readonly agentId?: string
}

type ToolStatus = 'announced' | 'running' | 'succeeded' | 'failed'

export type Body =
  | {
      readonly kind: 'user'
      readonly text: string
      readonly attachments: readonly string[]
      readonly isSteering: boolean
    }
  | { readonly kind: 'assistant'; readonly text: string; readonly model?: string }
  | { readonly kind: 'thought'; readonly text: string }
  | {
      readonly kind: 'tool'
      readonly toolCallId: string
      readonly toolName: string
      readonly arguments: unknown
      readonly status: ToolStatus
      readonly output?: string
      /** Where all of the output is, when it was too long for the log. */
      readonly whole?: { readonly sha256: string; readonly byteLength: number }
      readonly exitCode?: number
      readonly isUserRequested: boolean
      /** Of the model that asked for it. */
      readonly model?: string
      /** When its result came. */
      readonly endedAt?: string
    }
  | {
      readonly kind: 'permission'
      readonly requestId: string
      readonly what: string
      readonly intention?: string
      /** Missing while it is open. */
      readonly decision?: string
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

export function projectTranscript(records: Iterable<Placed>): TranscriptEntry[] {
  const folder = createTranscriptFolder()
  for (const record of records) folder.push(record)
  return [...folder.entries()]
}

export interface TranscriptFolder {
  /** The entries that the event added or changed. */
  push(record: Placed): readonly TranscriptEntry[]
  /** What has not been taken yet. */
  entries(): readonly TranscriptEntry[]
  /**
   * Takes the first entries that no later event will change, so that a long log is shown without being
   * held. What stays open for long is given as it is.
   */
  finished(): TranscriptEntry[]
  /** Takes all that is left. */
  rest(): TranscriptEntry[]
}

const MOST_HELD = 1000

/** `known`: what was made of the log up to here; an event that ends what began there changes that entry. */
export function createTranscriptFolder(known: readonly TranscriptEntry[] = []): TranscriptFolder {
  const draft = createDraft(known)
  return {
    push({ event, start, end }) {
      draft.touched = []
      if (isStranger(event)) draft.add(event, { kind: 'stranger', type: event.type })
      else applyRule(transcriptRules, draft, event, { start, end })
      return draft.touched
    },
    entries: () => draft.entries,
    finished() {
      const open = draft.entries.findIndex(isOpen)
      const closed = open === -1 ? draft.entries.length : open
      return draft.take(Math.max(closed, draft.entries.length - MOST_HELD))
    },
    rest: () => draft.take(draft.entries.length),
  }
}
