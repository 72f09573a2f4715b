/** Changes the files of a session that is open nowhere: here it is closed first, and nobody else gets the lease meanwhile. */
import type { SessionId } from '../../format/ids.ts'
import { settleForget } from '../../log/forget-intent.ts'
import { acquireLease } from '../../log/lease.ts'
import type { EngineContext } from '../context.ts'
import { close } from '../live/close.ts'
import { refuseInUse } from '../home/remove.ts'
import { touch } from '../home/touched.ts'
import { sessionDir } from '../session-dir.ts'
import { translateError } from '../translate-error.ts'

export async function alone<T>(
  engine: EngineContext,
  id: SessionId,
  label: string,
  work: (dir: string) => Promise<T>,
): Promise<T> {
  const { fs } = engine
  const dir = sessionDir(id)
  await close(engine, id)
  await refuseInUse(engine, id)
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
