/** `remote status`: how this home, or one session of it, stands to Mission Control. */
import { z } from 'zod'
import { isOn } from '../config/features.ts'
import { readConfig } from '../config/load.ts'
import type { CopyReport, RemoteMode } from '../engine/remote-control.ts'
import { counted } from '../lib/quantities.ts'
import { command, type Wording } from './command.ts'
import { findSession } from './find-session.ts'
import { plain } from './markdown.ts'
import { sayStatus, told, type Told } from './remote.ts'

type HomeStatus = Omit<CopyReport, 'url'> & {
  /** Where it has joined; null where it has not. */
  readonly server: string | null
  readonly state: 'off' | 'active' | 'error'
  /** Of sessions of which nothing was said. */
  readonly mode: RemoteMode
  readonly repositories: Readonly<Record<string, RemoteMode>>
}

const NOTHING = { same: 0, unwanted: 0, differing: [], unread: 0 } as const

export const remoteStatus = command({
  name: 'remote status',
  summary: 'how this home, or one session, stands to Mission Control',
  changes: 'nothing',
  on: 'home',
  args: z.object({
    session: z.string().optional().describe('one session: an id, its beginning, a name or @latest'),
  }),
  words: ['session'],
  async run(context, { session }): Promise<Told | HomeStatus> {
    const { engine } = context
    const [control, config] = await Promise.all([engine.remote?.(), readConfig(engine.fs)])
    const { mode = 'off', repositories = {} } = config.control ?? {}
    const isSending = isOn(config, 'sessionIndexing')
    const wishes = { mode: isSending ? mode : 'off', repositories: isSending ? repositories : {} }
    const id = session === undefined ? undefined : await findSession(context, engine, session)
    if (control === undefined) return { server: null, state: 'off', ...wishes, ...NOTHING }
    if (id !== undefined) return told(control, id, await control.status(id))
    const { url, ...report } = await control.compare()
    return {
      server: url,
      state: report.trouble === undefined ? 'active' : 'error',
      ...wishes,
      ...report,
    }
  },
  say: (status, wording) =>
    'id' in status ? sayStatus(status, wording) : sayHome(status, wording).join('\n'),
})

const modes = {
  off: 'stay here unless "remote on" is said of them',
  export: 'are copied there for reading',
  steer: 'are copied there and can be steered from there',
} as const satisfies Record<RemoteMode, string>

function sayHome(status: HomeStatus, { call }: Wording): string[] {
  const { server, as, trouble, mode, repositories, same, unwanted, differing, unread } = status
  if (server === null)
    return [
      'This home has joined no Mission Control: nothing of it is sent anywhere. "reprise remote login <url>" joins one.',
    ]
  const known = trouble === undefined ? '' : ', as far as this machine remembers'
  const late = differing.filter(({ canBeSynced }) => canBeSynced).length
  return [
    as === undefined
      ? `This home has joined ${server}, which cannot be asked now: ${plain(trouble ?? '')} Nothing here is lost by that.`
      : `This home has joined ${server} as ${plain(as.name)}${as.machine === null ? '' : `, by the name ${plain(as.machine)}`}. It answers.`,
    `New sessions ${modes[mode]}.`,
    ...Object.entries(repositories).map(
      ([repository, own]) => `- those of ${plain(repository)} ${modes[own]}`,
    ),
    `${counted(same, 'copy', 'copies')} up to date${known}, ${late} behind, ${counted(unwanted, 'session')} not sent.`,
    ...(late > 0 ? [`${call('remote sync')} sends what is behind.`] : []),
    ...(differing.length > late
      ? [
          `${counted(differing.length - late, 'session')} whose copy is elsewhere, turned off or deleted there: "reprise doctor" names them.`,
        ]
      : []),
    ...(unread > 0 ? [`${counted(unread, 'session')} there still to be read for --cloud.`] : []),
  ]
}
