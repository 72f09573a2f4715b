/**
 * One function for secrets at every sink. What it returns holds no secret that it can know or recognise; the rest
 * of the text is as it was, and redacting it again changes nothing.
 */
import { either, knownForgotten, type ForgottenForm } from './forgotten.ts'
import { knownSecrets, type Known } from './known.ts'
import { placeholdersIn, replaced } from './placeholder.ts'
import { policyOf } from './policy.ts'
import { without } from './range.ts'
import { redactJson, told, type Redacted, type RedactedJson } from './redact-json.ts'
import { createStream, type RedactStream } from './redact-stream.ts'
import { scan } from './scan.ts'

type RedactorOptions = {
  /** Values that are secret wherever they stand. */
  readonly known?: readonly string[]
  /** Values that are known by their hashes alone. */
  readonly forgotten?: readonly ForgottenForm[]
  /** The key of this install. A reader who has it can try whether a placeholder stands for a certain secret. */
  readonly key: Uint8Array
}

export type Redactor = {
  redactText(text: string): Redacted
  redactJson<T>(value: T): RedactedJson<T>
  createStream(): RedactStream
  /** Which rules, values and key it has: the same policy makes the same of the same text. */
  readonly policy: string
}

export function createRedactor({ key, known = [], forgotten = [] }: RedactorOptions): Redactor {
  const values = either(knownSecrets(known), knownForgotten(forgotten, key))
  const redactText = (text: string) => redact(text, values, key)
  return {
    redactText,
    redactJson: (value) => redactJson(value, redactText, key),
    createStream: () =>
      createStream({
        redact: (text) => redactText(text).text,
        rangesIn: (text) => scan(text, values),
        known: values,
      }),
    policy: policyOf({ known, forgotten, key }),
  }
}

/** A replacement may lay bare what its neighbour hid, so a text in which something was found is looked at again. */
const MOST_ROUNDS = 8
/** Nothing shorter is looked for. */
const SHORTEST = 8

function redact(text: string, known: Known, key: Uint8Array): Redacted {
  let result = text
  const counts = new Map<string, number>()
  for (let round = 0; round < MOST_ROUNDS && text.length >= SHORTEST; round += 1) {
    const scanned = scan(result, known)
    const ranges = scanned.length === 0 ? scanned : without(scanned, placeholdersIn(result))
    if (ranges.length === 0) break
    for (const { kind } of ranges) counts.set(kind, (counts.get(kind) ?? 0) + 1)
    result = replaced(result, ranges, key)
  }
  return { text: result, found: told(counts) }
}
