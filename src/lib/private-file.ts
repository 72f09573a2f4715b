/** A file that an engine opens by its name: a new one is its owner's alone, and so is what the engine puts beside it. */
import { closeSync, openSync } from 'node:fs'

export function makePrivate(path: string): void {
  closeSync(openSync(path, 'a', 0o600))
}
