/** A figure beside its target and beside what the machine allows. */
import type { Summary } from './measure.ts'

export type Unit = 'ms' | 'MB' | 'kB' | 'µs' | 'events/s' | 'acks/s' | '%'

/** `times` means times the physical limit of the same run. */
type Target = { readonly atMost: number } | { readonly times: number } | 'none'

export type Figure = {
  readonly name: string
  readonly unit: Unit
  readonly target: Target
  readonly measured: Summary
  readonly limit?: { readonly name: string; readonly measured: Summary }
}

/** Medians are compared. A figure without a target is told and not judged. */
export function isMet({ target, measured, limit }: Figure): boolean | undefined {
  if (target === 'none') return undefined
  if ('atMost' in target) return measured.median <= target.atMost
  return limit !== undefined && measured.median <= target.times * limit.measured.median
}

export const ratioOf = ({ measured, limit }: Figure): number | undefined =>
  limit && measured.median / limit.measured.median

export function targetText({ target, unit }: Figure): string {
  if (target === 'none') return '–'
  return 'atMost' in target ? `≤ ${target.atMost} ${unit}` : `≤ ${target.times} × limit`
}

export function amount(value: number, unit: Unit): string {
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : 2
  return `${value.toLocaleString('en', { maximumFractionDigits: digits })} ${unit}`
}
