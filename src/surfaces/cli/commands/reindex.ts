/** `reindex`: what was indexed, what was left as it is, and what could not be, each counted. */
import { EngineError } from '../../../engine/errors.ts'
import { StoreUnavailable } from '../../../store/connection.ts'
import type { Reindexed } from '../../../store/rebuild.ts'
import type { Cli, Run } from '../command.ts'
import { CANCELLED, OK, exitCodes } from '../exit-codes.ts'
import { showProgress } from '../progress.ts'
import { counted } from '../../../lib/quantities.ts'
import { dim, red, yellow } from '../render/span.ts'

export const run: Run = async (cli, given) => {
  const store = await cli.store()
  const progress = showProgress(cli, 'indexed')
  try {
    const result = await store.reindex({
      force: given.flag('force'),
      signal: cli.signal,
      onProgress: progress.tell,
    })
    progress.end()
    if (cli.json) cli.out.json({ ...result, path: await store.path() })
    else show(cli, result)
    if (!result.finished) return CANCELLED
    return result.failed.length === 0 ? OK : exitCodes.corrupt
  } catch (cause) {
    if (!(cause instanceof StoreUnavailable)) throw cause
    throw new EngineError('busy', cause.message, { cause })
  } finally {
    progress.end()
  }
}

function show(cli: Cli, { indexed, skipped, removed, failed, finished }: Reindexed): void {
  const parts = [
    `${counted(indexed, 'session')} indexed`,
    `${skipped.toLocaleString('en')} unchanged`,
    ...(removed > 0 ? [`${removed.toLocaleString('en')} no longer there`] : []),
    ...(failed.length > 0 ? [`${failed.length.toLocaleString('en')} failed`] : []),
  ]
  cli.out.line(`${parts.join(', ')}.`)
  for (const { id, reason } of failed) cli.out.line('  ', red(id), '  ', reason)
  if (failed.length > 0) cli.out.line(dim('reprise doctor looks at what is wrong with them.'))
  if (!finished) cli.out.line(yellow('Stopped before the end. The next run goes on from here.'))
}
