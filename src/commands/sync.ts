/** `sync`: copies in Mission Control are brought up to their sessions; and what `reindex` asks and says of that. */
import { z } from 'zod'
import { isOn } from '../config/features.ts'
import { changeConfig } from '../config/change-config.ts'
import { readConfig } from '../config/load.ts'
import type { RemoteControl, Synced } from '../engine/remote-control.ts'
import { defined } from '../lib/defined.ts'
import { grouped } from '../lib/grouped.ts'
import { counted } from '../lib/quantities.ts'
import { command, type CommandContext, type Wording } from './command.ts'
import { code, plain } from './markdown.ts'
import { remoteOf } from './remote.ts'

export const remoteSync = command({
  name: 'remote sync',
  aliases: ['sync'],
  summary: 'bring copies in Mission Control up to their sessions',
  changes: 'nothing',
  on: 'home',
  args: z.object({
    all: z
      .boolean()
      .optional()
      .describe('also sessions of which nothing was said: a copy is kept of them from now on'),
    repo: z.string().optional().describe('with --all: only those of this repository'),
  }),
  run: async (context, { all = false, repo }) =>
    sync(context, await remoteOf(context), all ? defined({ repository: repo }) : undefined),
  say: (synced, wording) => saySynced(synced, wording).join('\n'),
})

export async function sync(
  { working, waiting }: Pick<CommandContext, 'working' | 'waiting'>,
  remote: RemoteControl,
  history?: { readonly repository?: string },
): Promise<Synced> {
  working?.('Starting cloud session sync')
  try {
    return await remote.sync({
      onProgress: ({ done, total }) =>
        working?.(`${grouped(done)} of ${grouped(total)} sessions looked at for the cloud`),
      ...defined({ history, signal: waiting?.signal }),
    })
  } finally {
    working?.(undefined)
  }
}

/**
 * What a person says yes to when an index is made anew: older sessions go to Mission Control too. It is asked where
 * copies are on, a server is joined, this is a repository, and something of it is not there; a no is remembered.
 */
export async function offerSync(
  context: CommandContext,
): Promise<{ readonly repository?: string } | undefined> {
  const { engine, cwd, confirm, view } = context
  const remote = confirm === undefined ? undefined : await engine.remote?.()
  if (remote === undefined) return undefined
  const [config, { repository }] = await Promise.all([readConfig(engine.fs), engine.project(cwd)])
  const { control = {} } = config
  if (!isOn(config, 'sessionIndexing') || repository === undefined) return undefined
  if (control.dismissed?.includes(repository) === true) return undefined
  const history = isOn(config, 'sessionIndexingRepo') ? { repository } : {}
  const missing = await remote.withoutCopy(history)
  if (missing === 0) return undefined
  const whose = history.repository === undefined ? 'here' : `of ${repository}`
  const question = `Mission Control at ${remote.url} has no copy of ${counted(missing, 'session')} ${whose}. Send them too, without secrets, and keep copies of them from now on?`
  if (await confirm?.(question)) return history
  await changeConfig(engine.fs, (now) => {
    const dismissed = [...new Set([...(now.control?.dismissed ?? []), repository])]
    return { ...now, control: { ...now.control, dismissed } }
  })
  const shown = view?.shown()
  if (shown !== undefined) await remote.dismissIn(shown)
  return undefined
}

export function saySynced(synced: Synced, { call }: Pick<Wording, 'call'>): string[] {
  const { created, eventsUploaded, unchanged, failed, finished } = synced
  const { backfillQueued, backfillFailed } = synced
  const { removedAgain } = synced
  if (isClean(synced) && eventsUploaded + removedAgain === 0)
    return ['Every copy is up to its session.']
  const parts = [
    `${counted(created, 'cloud session')} created`,
    `${counted(eventsUploaded, 'event')} uploaded`,
    `${counted(backfillQueued, 'backfill')} queued`,
    `${grouped(unchanged)} up to date`,
    ...(removedAgain > 0
      ? [
          `${grouped(removedAgain)} removed again that ${removedAgain === 1 ? 'was' : 'were'} deleted or forgotten here before`,
        ]
      : []),
    ...(failed.length > 0 ? [`${grouped(failed.length)} failed`] : []),
    ...(backfillFailed > 0 ? [`${counted(backfillFailed, 'backfill')} could not be queued`] : []),
  ]
  const shown = failed.slice(0, MOST_SHOWN)
  return [
    `${isClean(synced) ? 'Cloud sync:' : 'Cloud sync, in part:'} ${parts.join(', ')}.`,
    ...shown.map(({ id, reason }) => `- ${code(id.slice(0, 8))} ${plain(reason)}`),
    ...(failed.length > shown.length
      ? [`- and ${grouped(failed.length - shown.length)} more`]
      : []),
    ...(failed.length > 0
      ? [`Nothing here is lost by that; ${call('remote sync')} tries them again.`]
      : []),
    ...(backfillFailed > 0 ? ['Those are read when they are first asked for.'] : []),
    ...(finished ? [] : [`Stopped before the end; ${call('remote sync')} goes on from here.`]),
  ]
}

const MOST_SHOWN = 20

const isClean = ({ failed, backfillFailed, finished }: Synced): boolean =>
  failed.length === 0 && backfillFailed === 0 && finished
