/** Sessions by how near they are to a directory. Apart from its command: a list is asked for often, and starts without a schema. */
import type { Engine } from '../engine/engine.ts'
import { defined } from '../lib/defined.ts'
import type { Nearest, NearSession } from '../engine/catalogue/catalogue-select.ts'

import { byAttention, type Attention } from '../state/attention.ts'
import { relevance } from '../state/relevance.ts'
import type { UnusableSession } from '../engine/catalogue/catalogue.ts'
import { attentionIn } from './attention.ts'

export type ListedSession = NearSession & { readonly attention?: Attention }

export type NearSessions = Pick<Nearest, 'total' | 'far'> & {
  /** What wants a person comes first, then the nearest. */
  readonly sessions: readonly ListedSession[]
  /** Flat files of an older format, and folders without a log: none of them is a session. */
  readonly legacy: readonly string[]
  readonly empty: readonly string[]
  /** Sessions whose folder or log is not what it should be, or cannot be read. */
  readonly unusable: readonly UnusableSession[]
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
  const here = await engine.project(cwd)
  const [{ sessions, total, far }, attention] = await Promise.all([
    engine.nearest(here, query),
    attentionIn(engine),
  ])
  const isNone = onlyNear || attention.size === 0
  const wanted = isNone ? [] : await engine.summaries([...attention.keys()])
  // Behind the list, which has found out what they ask for.
  const [legacy, { empty, unusable }] = await Promise.all([engine.legacy(), engine.unlisted()])
  const known = new Set(sessions.map(({ id }) => id))
  const more = wanted
    .filter(({ id }) => !known.has(id))
    .map((session) => ({ ...session, bucket: relevance(session, here).bucket }))
  const all = [...sessions, ...more].map((session): ListedSession => {
    const wants = attention.get(session.id)
    return wants === undefined ? session : { ...session, attention: wants }
  })
  const first = byAttention(all, (session) => session.attention).slice(0, limit)
  return { sessions: first, total, legacy, empty, unusable, ...defined({ far }) }
}
