/** A report of the chronicle, from a store that is brought up to date first: Markdown, JSON, or a prompt for a model. */
import { makeReport } from '../../chronicle/chronicle.ts'
import type { ReportOptions } from '../../chronicle/chronicle.ts'
import { promptFor } from '../../chronicle/report.ts'
import type { Report, ReportKind } from '../../chronicle/report.ts'
import { BadPeriod } from '../../chronicle/since.ts'
import { subjectOf } from '../../chronicle/subject.ts'
import { BadConfig } from '../../config/config-file.ts'
import { readConfig } from '../../config/load.ts'
import { EngineError } from '../../engine/errors.ts'
import { cacheFolder } from '../../lib/cache-folder.ts'
import { defined } from '../../lib/defined.ts'
import { StoreUnavailable, connect } from '../../store/connection.ts'
import { rewindReader } from '../../store/rewinds.ts'
import { usage } from './command.ts'
import type { Cli, Given } from './command.ts'
import { freshStore } from './fresh-store.ts'
import { markdownLines } from './render/markdown.ts'

export async function showReport(cli: Cli, given: Given, kind: ReportKind): Promise<number | void> {
  const { report, stale } = await reportOf(cli, given, kind)
  const { out } = cli
  if (given.flag('write')) return (await import('./write-report.ts')).writeReport(cli, report)
  if (given.flag('prompt')) {
    const prompt = promptFor(report)
    if (cli.json) out.json({ kind, prompt })
    else out.block(prompt)
  } else if (given.flag('diff')) {
    const { diff } = report.json
    if (typeof diff === 'string') await out.bytes(Buffer.from(diff))
  } else if (cli.json) {
    out.json({ kind, ...report.json, stale })
  } else if (out.isTerminal) {
    for (const spans of markdownLines(report.markdown)) out.line(...spans)
  } else {
    out.block(report.markdown)
  }
}

async function reportOf(
  cli: Cli,
  given: Given,
  kind: ReportKind,
): Promise<{ readonly report: Report; readonly stale: boolean }> {
  const engine = await cli.engine()
  const connection = connect(engine.fs, { cacheFolder: cacheFolder(cli.host.env) })
  const since = given.text('since')
  try {
    const { stale } = await freshStore(cli, given)
    const report = await makeReport(connection, kind, {
      now: cli.now(),
      ...defined({ since }),
      ...subjectOf(kind, await engine.project(cli.cwd), given.text('repo')),
      ...(kind === 'improve' && { rewinds: rewindReader(engine.fs) }),
      ...(kind === 'cost' && (await moneyOf(cli))),
    })
    const redactor = await cli.host.openRedactor(cli.home.path)
    return { report: redactor.redactJson(report).value, stale }
  } catch (cause) {
    if (cause instanceof BadPeriod || cause instanceof BadConfig) throw usage(cause.message)
    throw unavailable(cause)
  } finally {
    connection.close()
  }
}

const unavailable = (cause: unknown): unknown =>
  cause instanceof StoreUnavailable ? new EngineError('busy', cause.message, { cause }) : cause

async function moneyOf(cli: Cli): Promise<Pick<ReportOptions, 'prices' | 'block'>> {
  const { prices } = await readConfig((await cli.engine()).fs)
  const { TERM, LC_ALL, LANG } = cli.host.env
  const isPlain = TERM === 'dumb' || /^(?:C|POSIX)$/.test(LC_ALL || LANG || '')
  return { ...defined({ prices }), ...(isPlain && { block: '#' }) }
}
