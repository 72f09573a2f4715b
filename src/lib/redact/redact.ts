/**
 * One function for secrets at every sink. What it returns holds no secret that it can know or recognise; the rest
 * of the text is as it was, and redacting it again changes nothing.
 */
import { either, knownForgotten, type ForgottenForm } from './forgotten.ts'
import { knownSecrets, type Known } from './known.ts'
import { placeholdersIn, replaced } from './placeholder.ts'
import { loadPreset } from './preset.ts'
import { policyOf } from './policy.ts'
import { without, type Range } from './range.ts'
import { redactJson, type RedactedJson } from './redact-json.ts'
import type { FoundSecrets, Redacted } from './redacted.ts'
import { createStream, type RedactStream } from './redact-stream.ts'
import { needsScan, scan, type Engines } from './scan.ts'
import { loadTokenScan } from './token-scan.ts'

type RedactorOptions = {
  /** Values that are secret wherever they stand. */
  readonly known?: readonly string[]
  /** Values that are known by their hashes alone. */
  readonly forgotten?: readonly ForgottenForm[]
  /** The key of this install. A reader who has it can try whether a placeholder stands for a certain secret. */
  readonly key: Uint8Array
  /** How long the shapes of one text may be looked for. Default 50. */
  readonly budgetMs?: number
  readonly now?: () => number
}

/** Loads its libraries when a text first needs them. */
export type Redactor = {
  redactText(text: string): Promise<Redacted>
  redactJson<T>(value: T): Promise<RedactedJson<T>>
  createStream(): Promise<RedactStream>
  /** The same without waiting. */
  load(): Promise<LoadedRedactor>
}

export type LoadedRedactor = {
  redactText(text: string): Redacted
  redactJson<T>(value: T): RedactedJson<T>
  createStream(): RedactStream
  /** Which rules, values and key it has: the same policy makes the same of the same text. */
  readonly policy: string
}

export function createRedactor(options: RedactorOptions): Redactor {
  const { forgotten = [], key } = options
  const known = either(knownSecrets(options.known ?? []), knownForgotten(forgotten, key))
  let loading: Promise<LoadedRedactor> | undefined
  const load = () => (loading ??= loadRedactor(options, known))
  return {
    load,
    redactText: async (text) => {
      if (!needsScan(text, known)) return { text, found: NOTHING, partial: false }
      return (await load()).redactText(text)
    },
    redactJson: async (value) => (await load()).redactJson(value),
    createStream: async () => (await load()).createStream(),
  }
}

async function loadRedactor(options: RedactorOptions, known: Known): Promise<LoadedRedactor> {
  const { forgotten = [] } = options
  const [tokens, preset] = await Promise.all([loadTokenScan(), loadPreset()])
  const redactText = (text: string) => redact(text, options, known, { tokens, preset })
  return {
    policy: policyOf({ known: [...(options.known ?? [])], forgotten, key: options.key }),
    redactText,
    redactJson: (value) => redactJson(value, redactText, options.key),
    createStream: () =>
      createStream({
        redact: (text) => redactText(text).text,
        rangesIn: (text) => scan(text, known, { tokens, preset }, () => false).ranges,
        known,
      }),
  }
}

/** A replacement may lay bare what its neighbour hid, so a text in which something was found is looked at again. */
const MOST_ROUNDS = 8
/** Nothing shorter is looked for. */
const SHORTEST = 8

function redact(text: string, options: RedactorOptions, known: Known, engines: Engines): Redacted {
  if (text.length < SHORTEST) return { text, found: NOTHING, partial: false }
  const { key, budgetMs = 50, now = () => performance.now() } = options
  const deadline = now() + budgetMs
  const isOver = () => now() >= deadline
  let scanned = scan(text, known, engines, isOver)
  if (scanned.ranges.length === 0) return { text, found: NOTHING, partial: scanned.partial }
  const counts = new Map<string, number>()
  let result = text
  let { partial } = scanned
  for (let round = 1; ; round += 1) {
    const ranges = without(scanned.ranges, placeholdersIn(result))
    if (ranges.length === 0) break
    count(counts, ranges)
    result = replaced(result, ranges, key)
    if (round === MOST_ROUNDS) break
    scanned = scan(result, known, engines, isOver)
    partial ||= scanned.partial
  }
  const found = [...counts].sort().map(([kind, count]) => ({ kind, count }))
  return { text: result, found, partial }
}

const NOTHING: readonly FoundSecrets[] = []

function count(counts: Map<string, number>, ranges: readonly Range[]): void {
  for (const { kind } of ranges) counts.set(kind, (counts.get(kind) ?? 0) + 1)
}
