/** A turn on the screen: the answer on stdout, what the agent does in short lines on stderr, or all as JSON. */
import type { FeedItem } from '../../engine/live/feed.ts'
import type { Event, Stranger } from '../../format/event.ts'
import { argumentText } from '../../state/call-text.ts'
import { withoutExit } from '../../state/exit-code.ts'
import { refusalText } from '../../state/failure-text.ts'
import { hearNotice, silence } from '../../state/live.ts'
import type { Cli } from './command.ts'
import { dim, green, red, yellow } from './render/span.ts'
import { printed } from './render/event-line.ts'

export function showEvents(
  cli: Cli,
  { notices, isSilent }: { readonly notices: boolean; readonly isSilent: boolean },
): (item: FeedItem) => void {
  if (!cli.json) return (item) => showForPeople(cli, item, isSilent)
  return (item) => {
    // Trouble with the disk cannot be in the log, so it is told beside it, whatever was asked for.
    if (item.kind === 'notice' && item.notice.type === 'session.error')
      cli.out.note('error ', item.notice.data.message)
    if (item.kind === 'event') cli.out.record(printed(item.event))
    if (item.kind === 'notice' && notices) cli.out.record({ ...item.notice, ephemeral: true })
  }
}

function showForPeople({ out }: Cli, item: FeedItem, isSilent: boolean): void {
  if (item.kind === 'notice' && item.notice.type === 'session.error') {
    out.note(red('error '), item.notice.data.message)
  }
  if (item.kind === 'notice' && item.notice.type === 'assistant.turn_retry' && !isSilent) {
    const { retry } = hearNotice(silence, item.notice)
    if (retry !== undefined) out.note(yellow('… '), retry)
  }
  if (item.kind === 'notice' && item.notice.type === 'tool.execution_partial_result' && !isSilent) {
    const printedNow = item.notice.data.partialOutput.trimEnd()
    if (printedNow !== '') for (const line of printedNow.split('\n')) out.note(dim('│ '), dim(line))
  }
  if (item.kind !== 'event' || isStranger(item.event)) return
  const { event } = item
  if (event.agentId !== undefined) return
  if (event.type === 'assistant.message') {
    const { content, reprise } = event.data
    // What came before the connection broke is said again: a script must not read it twice.
    if (content.trim() !== '' && reprise?.unfinished !== 'retried') out.block(content)
  }
  if (event.type === 'tool.execution_start' && !isSilent) {
    const { toolName, arguments: given } = event.data
    out.note(dim('▸ '), toolName, ' ', dim(shorten(argumentText(given))))
  }
  if (event.type === 'tool.execution_complete' && !isSilent) {
    const { success, error, result, shellExecution } = event.data
    const said =
      refusalText(error?.message ?? '', error?.code) ?? error?.message ?? result?.content ?? ''
    const { exitCode = 0 } = shellExecution ?? {}
    if (exitCode !== 0)
      out.note(red(`✗ exit ${exitCode} `), dim(shorten(withoutExit(said)) || 'no output'))
    else if (success) out.note(green('✓ '), dim(shorten(said) || 'no output'))
    else out.note(red('✗ '), dim(shorten(said.replace(/\s+/g, ' ')) || 'no output'))
  }
  if (event.type === 'session.error') out.note(red('error '), event.data.message)
  if (event.type === 'session.warning') out.note(yellow('warning '), event.data.message)
}

const isStranger = (event: Event | Stranger): event is Stranger => 'stranger' in event

const LONGEST = 140

function shorten(text: string): string {
  const [first = ''] = text.trim().split('\n', 1)
  const rest = text.trim().length > first.length ? ' …' : ''
  return first.length > LONGEST ? `${first.slice(0, LONGEST).toWellFormed()}…` : first + rest
}
