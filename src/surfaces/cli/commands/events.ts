/** `sessions events`: the log as it is, in pages, and what is added to it from now on. */
import type { Engine } from '../../../engine/engine.ts'
import type { Event, Stranger } from '../../../format/event.ts'
import { isEventId, type EventId, type SessionId } from '../../../format/ids.ts'
import { defined } from '../../../lib/defined.ts'
import { usage, type Cli, type Given, type Run } from '../command.ts'
import { findSession } from '../../../commands/find-session.ts'
import { eventLine, printed } from '../render/event-line.ts'
import { dim, yellow } from '../render/span.ts'

// Large, because each page is looked for from the end of the log.
const PAGE = 10_000

export const run: Run = async (cli, given) => {
  refuseConflicts(given)
  const engine = await cli.engine()
  const id = await findSession(cli, engine, given.word(0) ?? '')
  if (given.flag('raw')) return printRaw(cli, engine, id)
  const types = given.list('types')
  const isWanted = ({ type }: Event | Stranger) => types === undefined || types.includes(type)
  const last = given.whole('last', 0)
  if (last !== undefined) {
    const events = await lastEvents(engine, id, last, isWanted)
    for (const event of events) print(cli, event)
  }
  const after = given.text('after')
  if (given.flag('follow'))
    return follow(cli, engine, id, { after, fromNow: last !== undefined, isWanted })
  if (last === undefined) await printAll(cli, engine, id, { after, isWanted })
}

function refuseConflicts(given: Given): void {
  if (
    given.flag('raw') &&
    ['after', 'last', 'types'].some((name) => given.text(name) !== undefined)
  ) {
    throw usage('--raw prints the whole log. It goes with no other choice.')
  }
  if (given.flag('raw') && given.flag('follow'))
    throw usage('--raw does not follow. Use --follow --json.')
  if (given.text('after') !== undefined && given.text('last') !== undefined) {
    throw usage('--after and --last both choose where to begin. Give one of them.')
  }
}

function print({ out, json }: Cli, event: Event | Stranger): void {
  if (json) out.record(printed(event))
  else out.line(...eventLine(event))
}

type Selection = {
  readonly after: string | undefined
  readonly isWanted: (event: Event | Stranger) => boolean
}

async function printAll(
  cli: Cli,
  engine: Engine,
  id: SessionId,
  { after, isWanted }: Selection,
): Promise<void> {
  let cursor = isEventId(after) ? after : undefined
  let more = true
  while (more && !cli.signal.aborted) {
    const page = await (await engine.open(id)).events({ limit: PAGE, ...defined({ cursor }) })
    for (const event of page.events) if (isWanted(event)) print(cli, event)
    for (const { message } of page.findings) cli.out.note(yellow('! '), message)
    cursor = page.events.at(-1)?.id
    more = page.more && cursor !== undefined
  }
}

async function lastEvents(
  engine: Engine,
  id: SessionId,
  count: number,
  isWanted: Selection['isWanted'],
): Promise<(Event | Stranger)[]> {
  const found: (Event | Stranger)[] = []
  let cursor: EventId | undefined
  let more = count > 0
  while (more && found.length < count) {
    const limit = Math.max(count, 100)
    const page = await (
      await engine.open(id)
    ).events({
      direction: 'backward',
      limit,
      ...defined({ cursor }),
    })
    found.push(...page.events.filter(isWanted))
    cursor = page.events.at(-1)?.id
    more = page.more && cursor !== undefined
  }
  return found.slice(0, count).reverse()
}

async function follow(
  cli: Cli,
  engine: Engine,
  id: SessionId,
  { after, fromNow, isWanted }: Selection & { readonly fromNow: boolean },
): Promise<void> {
  const items = (await engine.open(id)).follow({
    signal: cli.signal,
    fromNow,
    ...(isEventId(after) && { after }),
  })
  for await (const item of items) {
    if (item.kind === 'event' && isWanted(item.event)) print(cli, item.event)
    if (item.kind !== 'reset') continue
    // A reader that keeps a copy must know that its end is gone.
    const { upToEventId } = item
    if (cli.json) cli.out.record({ type: 'reset', ephemeral: true, data: { upToEventId } })
    else cli.out.line(dim('— rewound: what came after is gone —'))
  }
}

async function printRaw(cli: Cli, engine: Engine, id: SessionId): Promise<void> {
  for await (const chunk of (await engine.open(id)).raw()) {
    if (cli.signal.aborted) return
    await cli.out.bytes(chunk)
  }
}
