/** `sessions delete`: all that are named, after one question. What cannot be deleted does not stop the rest. */
import type { SessionId } from '../../../format/ids.ts'
import { confirm } from '../ask.ts'
import type { Run } from '../command.ts'
import { OK, exitCodes } from '../exit-codes.ts'
import { findSession } from '../find-session.ts'
import { counted, sizeText } from '../../../lib/quantities.ts'
import { dim, red } from '../render/span.ts'

export const run: Run = async (cli, given) => {
  const engine = await cli.engine()
  const now = given.flag('now')
  const ids = new Set<SessionId>()
  for (const word of given.words(0)) ids.add(await findSession(cli, engine, word))
  const what = counted(ids.size, 'session')
  const question = now ? `Delete ${what} for good?` : `Move ${what} to the trash?`
  await confirm(cli, question, given.flag('yes'))
  const removals = await engine.remove([...ids], { now })
  const kept = removals.flatMap((removal) => (removal.outcome === 'kept' ? [removal] : []))
  const bytes = removals.reduce((sum, removal) => sum + ('bytes' in removal ? removal.bytes : 0), 0)
  if (cli.json) {
    cli.out.json({
      sessions: removals.map((removal) =>
        removal.outcome === 'kept'
          ? {
              id: removal.id,
              outcome: removal.outcome,
              error: { code: removal.error.code, message: removal.error.message },
            }
          : removal,
      ),
      bytes,
    })
  } else {
    const gone = counted(removals.length - kept.length, 'session')
    const done = now ? `Deleted ${gone} for good` : `Moved ${gone} to the trash`
    if (removals.length > kept.length)
      cli.out.line(`${done}, ${sizeText(bytes)}. `, dim(now ? '' : 'restore brings back.'))
    for (const { error } of kept) cli.out.note(red('kept '), error.message)
  }
  const [first] = kept
  return first === undefined ? OK : exitCodes[first.error.code]
}
