/**
 * Puts files without a text in the place of those with it, in one step for the next opening of the session: the new files are
 * whole and durable beside it, then the intent, then each takes its place. Killed before the intent nothing has
 * happened; killed after it that opening goes on. Neither the intent nor a name holds the text.
 *
 * Only lengths that stay the same make this safe for the log: what another program has appended meanwhile is taken over.
 */
import { z } from 'zod'
import type { SessionFs } from '../fs/session-fs.ts'
import { checkPath } from '../lib/check-path.ts'
import { layout } from '../format/layout.ts'
import { inSession, logPath, sessionFolder } from '../format/paths.ts'
import { chunksOf, withFile } from './range.ts'
import { parseJson } from './undo-log.ts'

const Intent = z.object({
  version: z.literal(1),
  /** The staged file `n` goes to a path below the session's folder. */
  moves: z.array(z.object({ n: z.int().nonnegative(), to: z.string() })),
  removes: z.array(z.string()),
  logSize: z.int().nonnegative(),
})
type ForgetIntent = Omit<z.output<typeof Intent>, 'version'>

export const stagedPath = (dir: string, n: number): string => inSession(dir, 'forgetStaged', { n })
const intentPath = (dir: string): string => inSession(dir, 'forgetIntent')

/** The staged files must be durable before. */
export async function replaceFiles(
  fs: SessionFs,
  dir: string,
  intent: ForgetIntent,
): Promise<void> {
  const bytes = Buffer.from(`${JSON.stringify({ version: 1, ...intent })}\n`)
  await fs.writeAtomic(intentPath(dir), bytes, { durable: true })
  await settleForget(fs, dir)
}

/** Finishes what was intended. Without an intent nothing has happened, and it costs one look. */
export async function settleForget(fs: SessionFs, dir: string): Promise<void> {
  const bytes = await fs.read(intentPath(dir))
  if (bytes === undefined) return
  const intent = parseJson(bytes, Intent)
  if (intent !== undefined) {
    for (const { n, to } of intent.moves) await putInPlace(fs, dir, stagedPath(dir, n), to, intent)
    for (const path of intent.removes) await fs.remove(below(dir, path))
  }
  await clearStaged(fs, dir)
  await fs.remove(intentPath(dir))
}

/** `begun`: the next opening finishes it. `staged`: it was killed before, and nothing has happened. */
export async function unfinishedForget(
  fs: SessionFs,
  dir: string,
): Promise<'begun' | 'staged' | undefined> {
  if ((await fs.stat(intentPath(dir))) !== undefined) return 'begun'
  return (await fs.stat(sessionFolder(dir, 'forgetStaged'))) === undefined ? undefined : 'staged'
}

/** What was staged without an intent was never meant to be. */
export async function clearStaged(fs: SessionFs, dir: string): Promise<void> {
  const folder = sessionFolder(dir, 'forgetStaged')
  if ((await fs.stat(folder)) !== undefined) await fs.remove(folder)
}

async function putInPlace(
  fs: SessionFs,
  dir: string,
  staged: string,
  to: string,
  { logSize }: ForgetIntent,
): Promise<void> {
  if ((await fs.stat(staged)) === undefined) return
  const target = below(dir, to)
  if (to === layout.session.log.path) await takeOver(fs, dir, staged, logSize)
  if ((await fs.stat(target)) === undefined) await fs.rename(staged, target)
  else {
    await fs.copy(staged, target)
    await fs.remove(staged)
  }
}

/** What stands behind the log as it was. */
async function takeOver(
  fs: SessionFs,
  dir: string,
  staged: string,
  logSize: number,
): Promise<void> {
  await withFile(fs, logPath(dir), async (log) => {
    if (log.size <= logSize) return
    const file = await fs.openAppend(staged)
    try {
      let position = logSize
      for await (const chunk of chunksOf(log, { start: logSize, end: log.size })) {
        await file.write([chunk], position)
        position += chunk.length
      }
      await file.sync()
    } finally {
      await file.close()
    }
  })
}

/** A folder that came from elsewhere may say anything. */
function below(dir: string, path: string): string {
  checkPath(path)
  return `${dir}/${path}`
}
