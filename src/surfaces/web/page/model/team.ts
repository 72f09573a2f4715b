/** What Mission Control answers to its page, beside what every page is answered. docs/control.md has the routes. */
import type { Task, Worker } from '../../../../format/task.ts'

export type Person = {
  readonly id: string
  readonly name: string
  readonly role: string
  readonly ended: number | null
}
export type Token = {
  readonly id: string
  readonly person: string
  readonly name: string
  readonly machine: string | null
  readonly scopes: string
  /** Of a guest: the one session that it opens. */
  readonly session: string | null
  readonly made: number
  readonly ends: number | null
  readonly used: number | null
  readonly revoked: number | null
}
type Deed = {
  readonly at: number
  readonly person: string
  readonly action: string
  readonly subject: string
}
type Grant = { readonly person: string; readonly kinds: readonly string[] }
export type Sharing = {
  readonly person: string
  readonly sharing: 'private' | 'team'
  readonly isPinned: boolean
  readonly grants: readonly Grant[]
}

export type PeopleAnswer = { readonly people: readonly Person[] }
export type TokensAnswer = { readonly tokens: readonly Token[] }
export type TasksAnswer = { readonly tasks: readonly Task[] }
export type WorkersAnswer = { readonly workers: readonly Worker[] }
export type RecordAnswer = { readonly audit: readonly Deed[] }
type Limits = Partial<{ readonly [Name in LimitName]: number }>
export type LimitsAnswer = { readonly settings: Limits }

export const roles = ['owner', 'member', 'viewer'] as const
export const scopes = ['export', 'watch', 'steer', 'start', 'work', 'admin'] as const

export const limitWords = {
  keepDays: 'Days until an unchanged session goes to the trash',
  trashDays: 'Days until it is deleted for good from there',
  eventsPerDay: 'Events that are taken in a day',
  bytesPerDay: 'Bytes that are taken in a day',
  sessions: 'Sessions that are kept',
} as const
export type LimitName = keyof typeof limitWords

/** What a person may be allowed to do in a session that is not theirs, in kinds of command. */
export const mayWords = {
  answer: {
    words: 'answer what it asks',
    kinds: [
      'permission_response',
      'ask_user_response',
      'plan_approval_response',
      'elicitation_response',
    ],
  },
  write: { words: 'write to it and stop it', kinds: ['user_message', 'steer', 'queue', 'abort'] },
  change: {
    words: 'rewind, fork and change settings',
    kinds: ['mode_switch', 'start_session', 'operation'],
  },
} as const
export type May = keyof typeof mayWords

export const isEnded = ({ revoked, ends }: Token, now: number): boolean =>
  revoked !== null || (ends !== null && ends <= now)

export const kindsOf = (may: readonly May[]): readonly string[] =>
  may.flatMap((each) => mayWords[each].kinds)

export const mayOf = (kinds: readonly string[]): readonly May[] =>
  (Object.keys(mayWords) as May[]).filter((each) =>
    mayWords[each].kinds.every((kind) => kinds.includes(kind)),
  )
