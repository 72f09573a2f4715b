/** Changes the files of a session that is not open in this process, while nobody else gets the right to write to it. */
import type { SessionId } from '../../format/ids.ts'
import { settleForget } from '../../log/forget-intent.ts'
import { acquireLease } from '../../log/lease.ts'
import type { EngineContext } from '../engine-context.ts'
import { touch } from '../catalogue/dirty-markers.ts'
import { sessionDir } from '../session-dir.ts'
import { translateError } from '../translate-error.ts'

export async function withLease<T>(
  engine: EngineContext,
  id: SessionId,
  label: string,
  work: (dir: string) => Promise<T>,
): Promise<T> {
  const { fs } = engine
  const dir = sessionDir(id)
  const lease = await acquireLease(fs, dir, {
    label: `${engine.clientName} ${label}`,
    waitMs: 3_000,
    onRequest: () => {},
  }).catch((cause: unknown) => {
    throw translateError(cause)
  })
  try {
    await settleForget(fs, dir)
    return await work(dir)
  } finally {
    await lease.release()
    await touch(fs, id)
  }
}
