/** `--wait`, in the engine's terms. */
import type { WriterOptions } from '../../engine/live/writer.ts'
import type { Cli, Given } from './command.ts'

export function waiting(cli: Cli, given: Given): WriterOptions {
  const seconds = given.whole('wait', 0)
  return { signal: cli.signal, ...(seconds !== undefined && { waitMs: seconds * 1000 }) }
}
