/** /chronicle: reports over all sessions, made from the store when they are asked for. */
import { makeReport } from '../../../chronicle/chronicle.ts'
import { reportKinds } from '../../../chronicle/report.ts'
import { subjectOf } from '../../../chronicle/subject.ts'
import { readConfig } from '../../../config/load.ts'
import { defined } from '../../../lib/defined.ts'
import { connect } from '../../../store/connection.ts'
import { rewindReader } from '../../../store/rewinds.ts'
import type { CommandHost } from '../commands/command.ts'
import { freshStore } from './fresh-store.ts'
import { reindex } from './reindex.ts'
import { search } from './search.ts'

export async function chronicle(host: CommandHost, rest: string): Promise<void> {
  const [word = 'standup', ...more] = rest.split(/\s+/).filter(Boolean)
  if (word === 'search') return search(host, more.join(' '))
  if (word === 'reindex') return reindex(host)
  const kind = reportKinds.find((each) => each === word)
  if (kind === undefined)
    return host.say(`/chronicle knows ${reportKinds.join(', ')}; not "${word}".`, 'bad')
  const [since] = more
  const { fs } = host.engine
  await freshStore(host)
  const connection = connect(fs, { cacheFolder: host.past.cacheFolder })
  try {
    const { prices } = kind === 'cost' ? await readConfig(fs) : {}
    const { markdown } = await makeReport(connection, kind, {
      now: host.now(),
      ...defined({ since }),
      ...subjectOf(kind, await host.engine.project(host.cwd)),
      ...(kind === 'improve' && { rewinds: rewindReader(fs) }),
      ...defined({ prices }),
    })
    host.page(`Chronicle: ${kind}`, markdown)
  } finally {
    connection.close()
  }
}
