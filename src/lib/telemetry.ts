/**
 * What the parts tell of what they do: that something began and how it ended, and how many. Until a sink
 * is installed nothing listens, and nothing is paid. Only the names listed here pass, numbers and identifiers: no text
 * that a person, a model or a tool wrote.
 */

export type SpanName =
  | 'session.create'
  | 'session.resume'
  | 'session.close'
  | 'turn'
  | 'model_call'
  | 'tool'
  | 'compaction'
  | 'session_snapshot_rewind'
  | 'redo'
  | 'fork'

export type CountName = 'input_tokens' | 'output_tokens' | 'events_removed'

const NUMBERS = [
  'attempt',
  'events',
  'events_removed',
  'events_restored',
  'exit_code',
  'input_tokens',
  'messages_removed',
  'output_tokens',
  'tokens_after',
  'tokens_before',
  'turns_removed',
] as const

const WORDS = [
  'error_kind',
  'event_id',
  'mode',
  'model',
  'outcome',
  'provider',
  'session_id',
  'source_session_id',
  'tool_call_id',
  'tool_name',
  'trigger',
  'turn_id',
  'up_to_event_id',
] as const

export type Attributes = { readonly [K in (typeof NUMBERS)[number]]?: number | undefined } & {
  readonly [K in (typeof WORDS)[number]]?: string | undefined
}

export type Level = 'error' | 'warn' | 'info' | 'debug'

/** A sink takes what is told. It never throws and never waits. */
export interface Sink {
  begin(name: SpanName, attributes: Attributes): Span
  count(name: CountName, value: number, attributes: Attributes): void
  /** `frames` are places in the code. */
  note(level: Level, name: string, attributes: Attributes, frames: readonly string[]): void
  /** The W3C trace context of what runs now. */
  traceparent(): string | undefined
}

interface Span {
  /** What runs in it knows that it does. */
  within<T>(step: () => T): T
  end(attributes: Attributes): void
}

let sinks: readonly Sink[] = []

export function installSink(sink: Sink): Disposable {
  sinks = [...sinks, sink]
  return { [Symbol.dispose]: () => (sinks = sinks.filter((other) => other !== sink)) }
}

export function traced<T>(
  name: SpanName,
  attributes: Attributes,
  action: () => Promise<T>,
  result?: (value: T) => Attributes,
): Promise<T> {
  return sinks.length === 0 ? action() : observed(name, attributes, action, result)
}

/** The same for what comes piece by piece. Ends with its last piece, or when its reader leaves. */
export function tracedItems<Item, Result>(
  name: SpanName,
  attributes: Attributes,
  items: AsyncGenerator<Item, Result, undefined>,
  result?: (value: Result) => Attributes,
): AsyncGenerator<Item, Result, undefined> {
  return sinks.length === 0 ? items : observedItems(name, attributes, items, result)
}

export function count(name: CountName, value: number, attributes: Attributes = {}): void {
  for (const sink of sinks) sink.count(name, value, cleaned(attributes))
}

export const currentTraceparent = (): string | undefined => {
  for (const sink of sinks) {
    const found = sink.traceparent()
    if (found !== undefined) return found
  }
  return undefined
}

/** Something went wrong: its kind and where in the code, never its words. */
export function noteFailure(level: Level, name: string, error: unknown, kind?: string): void {
  if (sinks.length === 0) return
  const attributes = cleaned({ error_kind: kind ?? kindOf(error) })
  for (const sink of sinks) sink.note(level, name, attributes, framesOf(error))
}

async function observed<T>(
  name: SpanName,
  attributes: Attributes,
  action: () => Promise<T>,
  result: ((value: T) => Attributes) | undefined,
): Promise<T> {
  const span = begin(name, attributes)
  try {
    const value = await span.within(action)
    span.end({ outcome: 'completed', ...result?.(value) })
    return value
  } catch (error) {
    span.end(failureOf(error))
    throw error
  }
}

async function* observedItems<Item, Result>(
  name: SpanName,
  attributes: Attributes,
  items: AsyncGenerator<Item, Result, undefined>,
  result: ((value: Result) => Attributes) | undefined,
): AsyncGenerator<Item, Result, undefined> {
  const span = begin(name, attributes)
  let ending: Attributes = { outcome: 'cancelled' }
  try {
    for (;;) {
      // A generator runs in the surroundings of the caller that asks it for more.
      const next = await span.within(() => items.next())
      if (next.done) {
        ending = { outcome: 'completed', ...result?.(next.value) }
        return next.value
      }
      yield next.value
    }
  } catch (error) {
    ending = failureOf(error)
    throw error
  } finally {
    await span.within(() => items.return(undefined as never))
    span.end(ending)
  }
}

function begin(name: SpanName, attributes: Attributes): Span {
  const spans = sinks.map((sink) => sink.begin(name, cleaned(attributes)))
  return {
    within: (step) => spans.reduce((inner, span) => () => span.within(inner), step)(),
    end: (ending) => {
      for (const span of spans) span.end(cleaned(ending))
    },
  }
}

const failureOf = (error: unknown): Attributes =>
  error instanceof Error && error.name === 'AbortError'
    ? { outcome: 'cancelled' }
    : { outcome: 'failed', error_kind: kindOf(error) }

function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}

/** An identifier: no blank, no quote, not long. */
const PLAIN = /^[\w.:/@+-]{1,128}$/

/** Types do not hold everywhere: a name may come from a model. What is no identifier is said to be there, no more. */
function cleaned(attributes: Attributes): Attributes {
  const kept: Record<string, string | number> = {}
  for (const name of NUMBERS) {
    const value = attributes[name]
    if (typeof value === 'number' && Number.isFinite(value)) kept[name] = value
  }
  for (const name of WORDS) {
    const value = attributes[name]
    if (typeof value === 'string') kept[name] = PLAIN.test(value) ? value : 'other'
  }
  return kept
}

/** The stack begins with the message, which may hold anything, lines that look like frames too. */
function framesOf(error: unknown): string[] {
  if (!(error instanceof Error) || error.stack === undefined) return []
  const from = error.stack.indexOf(error.message)
  if (from < 0) return []
  return error.stack
    .slice(from + error.message.length)
    .split('\n')
    .filter((line) => /^\s+at .*:\d+:\d+\)?$/.test(line))
    .map((line) => line.trim())
}
