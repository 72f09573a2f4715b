/** A report of the chronicle, from a store that is brought up to date first: Markdown, JSON, or a prompt for a model. */
import { makeReport } from '../../chronicle/chronicle.ts'
import type { ReportOptions } from '../../chronicle/chronicle.ts'
import { promptFor } from '../../chronicle/report.ts'
import type { Report, ReportKind } from '../../chronicle/report.ts'
import { BadPeriod } from '../../chronicle/since.ts'
import { BadConfig } from '../../config/config-file.ts'
import { readConfig } from '../../config/load.ts'
import { EngineError } from '../../engine/errors.ts'
import { cacheFolder } from '../../lib/cache-folder.ts'
import { StoreUnavailable, connect } from '../../store/connection.ts'
import { rewindReader } from '../../store/rewinds.ts'
import { usage } from './command.ts'
import type { Cli, Given } from './command.ts'
import { showProgress } from './progress.ts'
import { markdownLines } from './render/markdown.ts'

export async function showReport(cli: Cli, given: Given, kind: ReportKind): Promise<void> {
  const report = await reportOf(cli, given, kind)
  const { out } = cli
  if (given.flag('prompt')) {
    const prompt = promptFor(report)
    if (cli.json) out.json({ kind, prompt })
    else out.block(prompt)
  } else if (given.flag('diff')) {
    const { diff } = report.json
    if (typeof diff === 'string') await out.bytes(Buffer.from(diff))
  } else if (cli.json) {
    out.json({ kind, ...report.json })
  } else if (out.isTerminal) {
    for (const spans of markdownLines(report.markdown)) out.line(...spans)
  } else {
    out.block(report.markdown)
  }
}

async function reportOf(cli: Cli, given: Given, kind: ReportKind): Promise<Report> {
  const engine = await cli.engine()
  await catchUp(cli)
  const connection = connect(engine.fs, { cacheFolder: cacheFolder(cli.host.env) })
  const since = given.text('since')
  try {
    return await makeReport(connection, kind, {
      now: cli.now(),
      ...(since !== undefined && { since }),
      ...(await subjectOf(cli, given, kind)),
      ...(kind === 'improve' && { rewinds: rewindReader(engine.fs) }),
      ...(kind === 'cost' && (await moneyOf(cli))),
    })
  } catch (cause) {
    if (cause instanceof BadPeriod || cause instanceof BadConfig) throw usage(cause.message)
    throw unavailable(cause)
  } finally {
    connection.close()
  }
}

async function catchUp(cli: Cli): Promise<void> {
  const progress = showProgress(cli, 'indexed')
  try {
    const store = await cli.store()
    await store.catchUp({ signal: cli.signal, onProgress: progress.tell })
  } catch (cause) {
    throw unavailable(cause)
  } finally {
    progress.end()
  }
}

const unavailable = (cause: unknown): unknown =>
  cause instanceof StoreUnavailable ? new EngineError('busy', cause.message, { cause }) : cause

/** Instructions belong to one project: the one that this is, unless another is named. */
async function subjectOf(
  cli: Cli,
  given: Given,
  kind: ReportKind,
): Promise<Pick<ReportOptions, 'repository' | 'root'>> {
  const named = given.text('repo')
  if (kind !== 'improve') return named === undefined ? {} : { repository: named }
  const { repository, gitRoot, cwd } = await (await cli.engine()).project(cli.cwd)
  const root = gitRoot ?? cwd
  const here = repository ?? root
  const isHere =
    named === undefined || here === named || here.toLowerCase().endsWith(`/${named.toLowerCase()}`)
  return { repository: named ?? here, ...(isHere && { root }) }
}

async function moneyOf(cli: Cli): Promise<Pick<ReportOptions, 'prices' | 'block'>> {
  const { prices } = await readConfig((await cli.engine()).fs)
  const { TERM, LC_ALL, LANG } = cli.host.env
  const isPlain = TERM === 'dumb' || /^(?:C|POSIX)$/.test(LC_ALL || LANG || '')
  return { ...(prices !== undefined && { prices }), ...(isPlain && { block: '#' }) }
}
