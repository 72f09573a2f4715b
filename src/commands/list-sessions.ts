/** Sessions by how near they are to a directory. Apart from its command: a list is asked for often, and starts without a schema. */
import type { Engine } from '../engine/engine.ts'
import { defined } from '../lib/defined.ts'
import type { Nearest } from '../engine/home/catalogue-select.ts'

export type { NearSession } from '../engine/home/catalogue-select.ts'

export type NearSessions = Pick<Nearest, 'sessions' | 'total' | 'far'> & {
  /** Flat files of an older format, and folders without a log: none of them is a session. */
  readonly legacy: readonly string[]
  readonly empty: readonly string[]
}

const DEFAULT_LIMIT = 20

export async function listSessions(
  { engine, cwd }: { readonly engine: Engine; readonly cwd: string },
  {
    here: onlyNear = false,
    limit = DEFAULT_LIMIT,
    remote,
  }: { here?: boolean; limit?: number; remote?: 'too' },
): Promise<NearSessions> {
  const query = { limit, onlyNear, ...defined({ remote }) }
  const { sessions, total, far } = await engine.nearest(await engine.project(cwd), query)
  // Behind the list, which has found out what they ask for.
  const [legacy, empty] = await Promise.all([engine.legacy(), engine.empty()])
  return { sessions, total, legacy, empty, ...defined({ far }) }
}
