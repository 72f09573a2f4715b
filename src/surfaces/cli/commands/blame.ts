/** `blame`: one line in whole sentences, more of them as a table. */
import { findSession } from '../../../commands/find-session.ts'
import type { BlamedLine } from '../../../engine/history/blame.ts'
import { defined } from '../../../lib/defined.ts'
import { relativeTime } from '../../../lib/quantities.ts'
import type { Cli, Run } from '../command.ts'
import { bold, dim } from '../render/span.ts'
import { table } from '../render/table.ts'

export const run: Run = async (cli, given) => {
  const { file, lines } = placeIn(given.word(0) ?? '')
  const engine = await cli.engine()
  const only = given.text('session')
  const session = only === undefined ? undefined : await findSession(cli, engine, only)
  const blamed = await engine.blame({ file, cwd: cli.cwd, ...defined({ lines, session }) })
  const [first] = blamed
  const isOne = first !== undefined && lines?.from === lines?.to && lines !== undefined
  if (cli.json) return cli.out.json(isOne ? first.by : blamed)
  if (isOne) tellLine(cli, first.by)
  else tellFile(cli, blamed)
}

/** `src/main.ts`, `src/main.ts:12` or `src/main.ts:10-20`. */
function placeIn(word: string): { file: string; lines?: { from: number; to: number } } {
  const [, file, from, to] = /^(.+?):(\d{1,9})(?:-(\d{1,9}))?$/s.exec(word) ?? []
  if (file === undefined) return { file: word }
  return { file, lines: { from: Number(from), to: Number(to ?? from) } }
}

function tellLine(cli: Cli, by: BlamedLine['by']): void {
  if (by.kind === 'unknown') return cli.out.line(by.reason)
  const { sessionId, sessionName = '', at, alongside = [] } = by
  const ago = relativeTime(at, cli.now())
  cli.out.line(bold(by.prompt))
  cli.out.line(dim(`${sessionId.slice(0, 8)} ${sessionName} · ${ago}`))
  const others = alongside.length === 1 ? 'Another call' : `${alongside.length} other calls`
  if (alongside.length > 0) cli.out.line(dim(`${others} ran meanwhile and may have written it.`))
}

const PROMPT_LENGTH = 32

/** The prompt stands beside the first of the lines that it wrote. */
function tellFile(cli: Cli, blamed: readonly BlamedLine[]): void {
  const rows = blamed.map(({ line, text, by }, at) => {
    const before = blamed[at - 1]?.by
    const isSame = by.kind === 'turn' && before?.kind === 'turn' && before.eventId === by.eventId
    const who = by.kind === 'turn' && !isSame ? by : undefined
    return [
      dim(who?.sessionId.slice(0, 8) ?? ''),
      who === undefined ? '' : short(who.prompt),
      dim(who === undefined ? '' : relativeTime(who.at, cli.now())),
      dim(String(line)),
      text,
    ]
  })
  for (const row of table(rows, { columns: cli.out.columns, shrink: 4, right: [3] }))
    cli.out.line(...row)
  if (blamed.some(({ by }) => by.kind === 'turn')) return
  cli.out.line(dim('No recorded turn wrote any of these lines.'))
}

function short(prompt: string): string {
  const [line = ''] = prompt.trim().split('\n')
  return line.length > PROMPT_LENGTH ? `${line.slice(0, PROMPT_LENGTH - 1)}…` : line
}
