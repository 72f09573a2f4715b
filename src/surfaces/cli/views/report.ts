/** A report of the chronicle: Markdown, JSON, the diff alone, a prompt for a model, or written by the agent. */
import { promptFor, type Report } from '../../../store/reports/report.ts'
import type { View } from '../command.ts'
import { markdownLines } from '../render/markdown.ts'

export const reportView: View<Report & { readonly stale: boolean }> = {
  async before(cli, given, { run }) {
    if (!given.flag('write')) return undefined
    return (await import('../write-report.ts')).writeReport(cli, await run({}))
  },
  json: (_cli, report, given) =>
    given.flag('prompt')
      ? { kind: report.kind, prompt: promptFor(report) }
      : { kind: report.kind, ...report.json, stale: report.stale },
  async show({ out, host }, report, given) {
    if (given.flag('prompt')) return out.block(promptFor(report))
    if (given.flag('diff')) {
      const { diff } = report.json
      return typeof diff === 'string' ? out.bytes(Buffer.from(diff)) : undefined
    }
    const { TERM, LC_ALL, LANG } = host.env
    const isAscii = TERM === 'dumb' || /^(?:C|POSIX)$/.test(LC_ALL || LANG || '')
    const text = isAscii ? report.markdown.replaceAll('█', '#') : report.markdown
    if (!out.isTerminal) return out.block(text)
    for (const spans of markdownLines(text)) out.line(...spans)
  },
}
