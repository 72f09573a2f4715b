/** `/chronicle`: reports over all sessions, made from the store when they are asked for. */
import { z } from 'zod'
import type { Report, ReportKind } from '../store/reports/report.ts'
import { EngineError } from '../engine/errors.ts'
import { defined } from '../lib/defined.ts'
import { ownZone } from '../lib/time-zone.ts'
import { command, type CommandContext } from './command.ts'
import { elsewhere, farBehind, farOf, type Far } from './remote-query.ts'
import { asking, behind, freshStore } from './fresh-store.ts'
import type { FarBehind } from '../store/far-store.ts'

const report = (kind: ReportKind, summary: string, aliases: readonly string[] = []) =>
  command({
    name: `chronicle ${kind}`,
    aliases,
    summary,
    changes: 'nothing',
    on: 'home',
    args: z.object({
      since: z.string().optional().describe('how far back: 24h, 7d, 2w, or a date'),
      repo: z.string().optional().describe('only this repository'),
      ...elsewhere,
    }),
    words: ['since'],
    run: (context, given) =>
      asking(async () => {
        const far = await farOf(context, given)
        return far === undefined ? make(context, kind, given) : makeFar(context, kind, far, given)
      }),
    say: ({ markdown, stale, behind: unread }, wording) => {
      const missing = [...(stale ? [behind(wording)] : []), ...farBehind(unread)]
      return [markdown, ...missing].join('\n\n')
    },
  })

type Wish = { readonly since?: string | undefined; readonly repo?: string | undefined }

async function makeFar(
  context: CommandContext,
  kind: ReportKind,
  { of, store }: Far,
  { since, repo }: Wish,
) {
  const report_ = await store.report(of, kind, { since, repo: repo ?? (await own(context, kind)) })
  return { ...(await context.redactor()).redactJson(report_).value, kind, of, stale: false }
}

/** What is learned is for the instructions of this project; the other reports are about all of them. */
const own = async ({ engine, cwd }: CommandContext, kind: ReportKind) =>
  kind === 'improve' ? (await engine.project(cwd)).repository : undefined

async function make(
  context: CommandContext,
  kind: ReportKind,
  { since, repo }: Wish,
): Promise<Report & { readonly stale: boolean; readonly behind?: FarBehind }> {
  const { engine, cwd, cacheFolder, now } = context
  const [{ makeReport }, { BadPeriod }, { subjectOf }, { connect }, { rewindReader }, config, bad] =
    await Promise.all([
      import('../store/reports/chronicle.ts'),
      import('../store/reports/since.ts'),
      import('../store/reports/subject.ts'),
      import('../store/connection.ts'),
      import('../store/rewinds.ts'),
      import('../config/load.ts'),
      import('../config/config-file.ts'),
    ])
  const { stale } = await freshStore(context)
  const connection = connect(engine.fs, { cacheFolder })
  try {
    const { prices } = kind === 'cost' ? await config.readConfig(engine.fs) : {}
    const report_ = await makeReport(connection, kind, {
      now: now(),
      zone: ownZone(),
      ...defined({ since, prices }),
      ...subjectOf(kind, await engine.project(cwd), repo),
      ...(kind === 'improve' && { rewinds: rewindReader(engine.fs) }),
    })
    return { ...(await context.redactor()).redactJson(report_).value, stale }
  } catch (cause) {
    if (cause instanceof BadPeriod || cause instanceof bad.BadConfig)
      throw new EngineError('invalid', cause.message, { cause })
    throw cause
  } finally {
    connection.close()
  }
}

const made = {
  standup: report(
    'standup',
    'what is done, in progress and blocked, by repository (last 24 hours)',
  ),
  tips: report('tips', 'habits that cost time, with the sessions that show them (last 30 days)'),
  improve: report(
    'improve',
    'where the agent struggled here, and what AGENTS.md could say (last 30 days)',
  ),
  cost: report('cost', 'tokens and money by model, day and repository (last 30 days)', [
    'chronicle cost-tips',
  ]),
} satisfies Record<ReportKind, unknown>

export const reportOf = (kind: ReportKind) => made[kind]

export const reports = [
  command({
    ...made.standup,
    name: 'chronicle',
    summary: 'reports over all sessions; without a word, what was done since yesterday',
    args: z.object({}),
    words: [],
    run: (context) => made.standup.run(context, {}),
  }),
  ...Object.values(made),
]
