/** What lists in Mission Control tell of a session: its name, what it is about, and where. Without secrets. */
import type { Engine } from '../engine/engine.ts'
import type { SessionId } from '../format/ids.ts'
import { defined } from '../lib/defined.ts'
import type { Redaction } from './lines.ts'
import type { Heartbeat } from './control-client.ts'

export type About = Pick<Heartbeat, 'name' | 'summary' | 'repository' | 'branch'>

const MOST = 500

/** Undefined for a session that has said nothing. */
export async function aboutSession(
  engine: Pick<Engine, 'summary'>,
  { redactText }: Pick<Redaction, 'redactText'>,
  id: SessionId,
): Promise<About | undefined> {
  const found = await engine.summary(id)
  if (found === undefined) return undefined
  const clean = (text: string | undefined) =>
    text === undefined ? undefined : redactText(text).slice(0, MOST)
  return defined({
    name: clean(found.name),
    summary: clean(found.summary),
    repository: found.repository?.slice(0, MOST),
    branch: found.branch?.slice(0, MOST),
  })
}
