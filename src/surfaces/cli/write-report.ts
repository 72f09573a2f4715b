/**
 * A report in the words of the agent: it is given the evidence, and what it says stays traceable. The sessions
 * that it cites stand below; where it cites none, the evidence itself does.
 */
import { promptFor, type Report } from '../../store/reports/report.ts'
import type { FeedItem } from '../../engine/live/feed.ts'
import type { Cli } from './command.ts'
import { OK, TURN_FAILED } from './exit-codes.ts'
import { permission } from './permission.ts'
import { dim, yellow } from './render/span.ts'
import { takeTurn } from './turn.ts'

export async function writeReport(cli: Cli, report: Report): Promise<number> {
  const { kind, markdown } = report
  const engine = await cli.engine()
  const { id } = await engine.create({ cwd: cli.cwd, name: `Chronicle ${kind}` })
  const said: string[] = []
  const { status } = await takeTurn(cli, engine, {
    id,
    after: undefined,
    prompt: promptFor(report),
    waitMs: undefined,
    permission: permission(cli, { allowAll: false }),
    show: (item) => {
      said.push(...textOf(item))
      if (!cli.json) tellError(cli, item)
    },
  })
  const text = said.join('\n\n')
  const sources = citedIn(text, markdown)
  if (cli.json) cli.out.json({ kind, text, sources, sessionId: id, evidence: markdown })
  else show(cli, { text, sources, markdown })
  return status === 'completed' ? OK : TURN_FAILED
}

function show(
  { out }: Cli,
  { text, sources, markdown }: { text: string; sources: readonly string[]; markdown: string },
): void {
  if (text !== '') out.block(text)
  out.line()
  if (sources.length === 0) {
    out.note(yellow('The answer names no session of the evidence, so here is the evidence.'))
    out.block(markdown)
    return
  }
  out.line(dim(`Sources: ${sources.join(', ')}. reprise --resume <id> opens one.`))
}

const MARKED = /`([0-9a-f]{8})`/g

/** Only what the evidence names: an id that a model made up is no source. */
function citedIn(text: string, evidence: string): string[] {
  const known = new Set(Array.from(evidence.matchAll(MARKED), ([, id = '']) => id))
  return [...known].filter((id) => id !== '' && text.includes(id))
}

function textOf(item: FeedItem): string[] {
  if (item.kind !== 'event' || 'stranger' in item.event) return []
  const { type, agentId, data } = item.event
  if (type !== 'assistant.message' || agentId !== undefined) return []
  return data.content.trim() === '' ? [] : [data.content.trim()]
}

function tellError({ out }: Cli, item: FeedItem): void {
  if (item.kind === 'event' && !('stranger' in item.event) && item.event.type === 'session.error')
    out.note(yellow('error '), item.event.data.message)
}
