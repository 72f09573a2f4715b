/** Refuses what a token is not for. */
import { ControlError } from '../control-error.ts'
import type { Asker, Scope } from './scopes.ts'

/** One of them is enough. */
export function requireScope({ scopes }: Asker, ...wanted: readonly Scope[]): void {
  if (wanted.some((scope) => scopes.includes(scope))) return
  throw new ControlError(
    'forbidden',
    `This needs a token for: ${wanted.join(' or ')}. Nothing was changed.`,
  )
}
