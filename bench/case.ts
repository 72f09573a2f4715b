/** What a case is given and what it owes: one or more figures, each measured beside its physical limit. */
import type { Homes } from './data.ts'
import type { Figure } from './figure.ts'
import type { Measure } from './measure.ts'

export type Lab = {
  readonly homes: Homes
  /** A folder for copies that may be changed, on the same file system as the homes. */
  readonly scratch: string
  readonly measure: Measure
}

export type Case = {
  readonly name: string
  readonly figures: (lab: Lab) => Promise<readonly Figure[]>
}
