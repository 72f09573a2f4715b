/**
 * What an open session may do next, as three tables of states and inputs without a hole: its right to write, its work,
 * and its queue. They are pure; `step` looks a cell up, and the effect that it names is carried out by the caller.
 * `never` marks an input that cannot come in that state: it is a fault of ours and is thrown as one.
 */

/** The right to write. */
export type LeaseState =
  /** This process may not write. */
  | 'none'
  | 'acquiring'
  /** Another process has asked while this one was acquiring. */
  | 'acquiring-wanted'
  /** Held, and at least one action relies on it. */
  | 'in-use'
  /** In use, and another process waits for it. */
  | 'wanted'
  /** Held, and nothing relies on it. */
  | 'free'
  | 'yielding'

export type LeaseInput =
  /** An action needs to write. */
  | 'begin'
  | 'granted'
  | 'refused'
  /** The last action that relied on it has ended. */
  | 'end'
  /** Another process asks for it. */
  | 'asked'
  /** Another process has it: this one was frozen, or its lease was taken. */
  | 'overtaken'
  /** The session is given up here. */
  | 'let-go'
  | 'yielded'

type LeaseEffect = 'acquire' | 'check' | 'wait' | 'yield' | 'drop'

/** What runs. */
export type WorkState =
  | 'idle'
  /** A turn runs and takes more messages. */
  | 'taking'
  /** Something runs and takes no message: a tool of a person, or a turn that is at its end. */
  | 'busy'
  | 'closing'

export type WorkInput =
  | 'begin-turn'
  | 'begin-tool'
  /** The turn takes no more messages. */
  | 'shut'
  /** The turn goes on with another round. */
  | 'reopen'
  | 'cancel'
  | 'end'
  | 'close'

type WorkEffect = 'abort'

/** What becomes of a message that is sent, by what runs. */
type Reception = 'start' | 'steer' | 'queue' | 'refuse'

/** Messages that wait. */
export type QueueState =
  | 'flowing'
  /** They wait until a person lets them go on. */
  | 'held'

export type QueueInput = 'turn-ended' | 'turn-cancelled' | 'hold' | 'release' | 'emptied'
type QueueEffect = 'next'

type Cell<S, E> = { readonly to: S; readonly effect?: E } | 'never'
export type Table<S extends string, I extends string, E> = Readonly<
  Record<S, Readonly<Record<I, Cell<S, E>>>>
>

const never = 'never'

export const leaseTable: Table<LeaseState, LeaseInput, LeaseEffect> = {
  none: {
    begin: { to: 'acquiring', effect: 'acquire' },
    granted: never,
    refused: never,
    end: { to: 'none' },
    asked: { to: 'none' },
    overtaken: { to: 'none' },
    'let-go': { to: 'none' },
    yielded: never,
  },
  acquiring: {
    begin: { to: 'acquiring', effect: 'wait' },
    granted: { to: 'in-use' },
    refused: { to: 'none' },
    end: never,
    asked: { to: 'acquiring-wanted' },
    overtaken: { to: 'acquiring' },
    'let-go': { to: 'acquiring-wanted' },
    yielded: never,
  },
  'acquiring-wanted': {
    begin: { to: 'acquiring-wanted', effect: 'wait' },
    granted: { to: 'wanted' },
    refused: { to: 'none' },
    end: never,
    asked: { to: 'acquiring-wanted' },
    overtaken: { to: 'acquiring-wanted' },
    'let-go': { to: 'acquiring-wanted' },
    yielded: never,
  },
  'in-use': {
    begin: { to: 'in-use', effect: 'check' },
    granted: never,
    refused: never,
    end: { to: 'free' },
    asked: { to: 'wanted' },
    overtaken: { to: 'none', effect: 'drop' },
    'let-go': { to: 'wanted' },
    yielded: never,
  },
  wanted: {
    begin: { to: 'wanted', effect: 'check' },
    granted: never,
    refused: never,
    end: { to: 'yielding', effect: 'yield' },
    asked: { to: 'wanted' },
    overtaken: { to: 'none', effect: 'drop' },
    'let-go': { to: 'wanted' },
    yielded: never,
  },
  free: {
    begin: { to: 'in-use', effect: 'check' },
    granted: never,
    refused: never,
    end: never,
    asked: { to: 'yielding', effect: 'yield' },
    overtaken: { to: 'none', effect: 'drop' },
    'let-go': { to: 'yielding', effect: 'yield' },
    yielded: never,
  },
  yielding: {
    begin: { to: 'yielding', effect: 'wait' },
    granted: never,
    refused: never,
    end: { to: 'yielding' },
    asked: { to: 'yielding' },
    overtaken: { to: 'yielding' },
    'let-go': { to: 'yielding', effect: 'wait' },
    yielded: { to: 'none' },
  },
}

export const workTable: Table<WorkState, WorkInput, WorkEffect> = {
  idle: {
    'begin-turn': { to: 'taking' },
    'begin-tool': { to: 'busy' },
    shut: never,
    reopen: never,
    cancel: { to: 'idle' },
    end: never,
    close: { to: 'closing' },
  },
  taking: {
    'begin-turn': never,
    'begin-tool': never,
    shut: { to: 'busy' },
    reopen: { to: 'taking' },
    cancel: { to: 'taking', effect: 'abort' },
    end: { to: 'idle' },
    close: { to: 'closing', effect: 'abort' },
  },
  busy: {
    'begin-turn': never,
    'begin-tool': never,
    shut: { to: 'busy' },
    reopen: { to: 'taking' },
    cancel: { to: 'busy', effect: 'abort' },
    end: { to: 'idle' },
    close: { to: 'closing', effect: 'abort' },
  },
  closing: {
    'begin-turn': never,
    'begin-tool': never,
    shut: { to: 'closing' },
    reopen: { to: 'closing' },
    cancel: { to: 'closing', effect: 'abort' },
    end: { to: 'closing' },
    close: { to: 'closing' },
  },
}

export const queueTable: Table<QueueState, QueueInput, QueueEffect> = {
  flowing: {
    'turn-ended': { to: 'flowing', effect: 'next' },
    'turn-cancelled': { to: 'held' },
    hold: { to: 'held' },
    release: { to: 'flowing', effect: 'next' },
    emptied: { to: 'flowing' },
  },
  held: {
    'turn-ended': { to: 'held' },
    'turn-cancelled': { to: 'held' },
    hold: { to: 'held' },
    release: { to: 'flowing', effect: 'next' },
    emptied: { to: 'flowing' },
  },
}

/** By what the sender wants while something runs. */
export const receptionTable: Readonly<
  Record<WorkState, Readonly<Record<'refuse' | 'enqueue' | 'steer', Reception>>>
> = {
  idle: { refuse: 'start', enqueue: 'start', steer: 'start' },
  taking: { refuse: 'refuse', enqueue: 'queue', steer: 'steer' },
  busy: { refuse: 'refuse', enqueue: 'queue', steer: 'queue' },
  closing: { refuse: 'refuse', enqueue: 'refuse', steer: 'refuse' },
}

export function step<S extends string, I extends string, E>(
  table: Table<S, I, E>,
  state: S,
  input: I,
): Exclude<Cell<S, E>, 'never'> {
  const cell = table[state][input]
  if (cell === 'never') throw new Error(`A session that is ${state} cannot be given "${input}".`)
  return cell
}
