/** `/chronicle`: reports over all sessions, made from the store when they are asked for; `/reindex` makes the store anew. */
import { z } from 'zod'
import type { Report, ReportKind } from '../chronicle/report.ts'
import { EngineError } from '../engine/errors.ts'
import { defined } from '../lib/defined.ts'
import { grouped } from '../lib/grouped.ts'
import { command } from './command.ts'
import type { CommandContext } from './command.ts'
import { BEHIND, asking, freshStore, indexed } from './fresh-store.ts'
import { counted } from '../lib/quantities.ts'

const report = (kind: ReportKind, summary: string, aliases: readonly string[] = []) =>
  command({
    name: `chronicle ${kind}`,
    aliases,
    summary,
    changes: 'nothing',
    on: 'home',
    args: z.object({
      since: z.string().optional().describe('how far back: 24h, 7d, 2w, or a date'),
    }),
    words: ['since'],
    run: (context, { since }) => asking(() => make(context, kind, since)),
    say: ({ markdown, isBehind }) => (isBehind ? `${markdown}\n\n${BEHIND}` : markdown),
  })

async function make(
  context: CommandContext,
  kind: ReportKind,
  since: string | undefined,
): Promise<Report & { readonly isBehind: boolean }> {
  const { engine, cwd, cacheFolder, now } = context
  const [{ makeReport }, { BadPeriod }, { subjectOf }, { connect }, { rewindReader }, config] =
    await Promise.all([
      import('../chronicle/chronicle.ts'),
      import('../chronicle/since.ts'),
      import('../chronicle/subject.ts'),
      import('../store/connection.ts'),
      import('../store/rewinds.ts'),
      import('../config/load.ts'),
    ])
  const { isBehind } = await freshStore(context)
  const connection = connect(engine.fs, { cacheFolder })
  try {
    const { prices } = kind === 'cost' ? await config.readConfig(engine.fs) : {}
    const made = await makeReport(connection, kind, {
      now: now(),
      ...defined({ since, prices }),
      ...subjectOf(kind, await engine.project(cwd)),
      ...(kind === 'improve' && { rewinds: rewindReader(engine.fs) }),
    })
    return { ...(await context.redactor()).redactJson(made).value, isBehind }
  } catch (cause) {
    if (cause instanceof BadPeriod) throw new EngineError('invalid', cause.message)
    throw cause
  } finally {
    connection.close()
  }
}

const standup = report('standup', 'what was done since yesterday')

export const reports = [
  command({
    ...standup,
    name: 'chronicle',
    summary: 'reports over all sessions; without a word, what was done since yesterday',
    args: z.object({}),
    words: [],
    run: (context) => standup.run(context, {}),
  }),
  standup,
  report('tips', 'how to get more out of it'),
  report('improve', 'what the instructions should say'),
  report('cost', 'what it cost', ['chronicle cost-tips']),
]

export const reindex = command({
  name: 'reindex',
  aliases: ['chronicle reindex'],
  summary: 'build the index of all sessions anew',
  changes: 'store',
  on: 'home',
  args: z.object({}),
  run: (context) =>
    asking(async () => {
      context.working?.('reading all sessions')
      try {
        return await (
          await context.store()
        ).reindex({
          force: true,
          inBackground: true,
          onProgress: (at) => context.working?.(indexed(at)),
        })
      } finally {
        context.working?.(undefined)
      }
    }),
  say: ({ indexed: done, removed, failed }) =>
    [
      `Indexed: ${counted(done, 'session')}${removed === 0 ? '' : `, ${grouped(removed)} no longer there`}.`,
      ...failed.map(({ id, reason }) => `${id.slice(0, 8)} could not be indexed: ${reason}`),
    ].join('\n'),
})
