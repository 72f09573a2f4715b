/** /chronicle: reports over all sessions, made from the store when they are asked for. */
import { makeReport } from '../../../chronicle/chronicle.ts'
import { reportKinds } from '../../../chronicle/report.ts'
import { subjectOf } from '../../../chronicle/subject.ts'
import { readConfig } from '../../../config/load.ts'
import { defined } from '../../../lib/defined.ts'
import { connect } from '../../../store/connection.ts'
import { rewindReader } from '../../../store/rewinds.ts'
import type { Desk } from '../commands/command.ts'
import { freshStore } from './fresh-store.ts'
import { reindex } from './reindex.ts'
import { search } from './search.ts'

export async function chronicle(desk: Desk, rest: string): Promise<void> {
  const [word = 'standup', ...more] = rest.split(/\s+/).filter(Boolean)
  if (word === 'search') return search(desk, more.join(' '))
  if (word === 'reindex') return reindex(desk)
  const kind = reportKinds.find((each) => each === word)
  if (kind === undefined)
    return desk.say(`/chronicle knows ${reportKinds.join(', ')}; not "${word}".`, 'bad')
  const [since] = more
  const { fs } = desk.engine
  await freshStore(desk)
  const connection = connect(fs, { cacheFolder: desk.past.cacheFolder })
  try {
    const { prices } = kind === 'cost' ? await readConfig(fs) : {}
    const { markdown } = await makeReport(connection, kind, {
      now: desk.now(),
      ...defined({ since }),
      ...subjectOf(kind, await desk.engine.project(desk.cwd)),
      ...(kind === 'improve' && { rewinds: rewindReader(fs) }),
      ...defined({ prices }),
    })
    desk.page(`Chronicle: ${kind}`, markdown)
  } finally {
    connection.close()
  }
}
