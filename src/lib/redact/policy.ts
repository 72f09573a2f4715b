/**
 * Which policy a redactor follows, in one word that can be told: the same one makes the same of the same text. It is
 * keyed, so that nobody can try out from it what the secret values are.
 */
import { createHmac } from 'node:crypto'
import { clueRules } from './clues.ts'
import type { ForgottenForm } from './forgotten.ts'
import { shapesSaid } from './shape-rules.ts'

type PolicyParts = {
  readonly known: readonly string[]
  readonly forgotten: readonly ForgottenForm[]
  readonly key: Uint8Array
}

export function policyOf({ known, forgotten, key }: PolicyParts): string {
  const hashes = forgotten.map(({ hash }) => hash).sort()
  const clues = clueRules.map(({ opening }) => String(opening))
  const said = JSON.stringify([shapesSaid, clues, [...known].sort(), hashes])
  return `reprise-1-${createHmac('sha256', key).update(said).digest('hex').slice(0, 16)}`
}
