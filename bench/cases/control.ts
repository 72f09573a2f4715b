/** Mission Control on PostgreSQL: many machines export, many screens watch, over three nodes; and how it grows. */
import { cannotPostgres } from '../../test/support/postgres-programs.ts'
import type { Case } from '../case.ts'
import { load } from '../control-load.ts'
import { bareAppends, openStage, type Stage } from '../control-stage.ts'
import type { Figure, Unit } from '../figure.ts'
import { summaryOf } from '../measure.ts'

const EVENTS = 5
const SECONDS = 15

const told = (name: string, unit: Unit, values: readonly number[]): Figure => ({
  name,
  unit,
  target: 'none',
  measured: summaryOf(values),
})

const hundredth = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length * 0.99)] ?? Number.NaN

export const controlLiveCase: Case = {
  name: 'control-live',
  async figures() {
    if (cannotPostgres !== false) throw new Error(cannotPostgres)
    return [...(await growing()), ...(await threeNodes())]
  },
}

/** One node, as fast as each session is acknowledged. */
async function growing(): Promise<Figure[]> {
  await using stage = await openStage(1)
  const figures: Figure[] = []
  for (const sessions of [1, 10, 100, 1000]) {
    const bare = await bareAppends(stage, { events: EVENTS, together: sessions, seconds: 3 })
    const run = `grow${sessions}`
    const wish = { ...stage, sessions, watchers: 0, events: EVENTS, everyMs: 0, seconds: SECONDS }
    const { acks, ackMs } = await load({ ...wish, run })
    figures.push(
      {
        ...told(`appends of 5 events, ${sessions} sessions, one node`, 'acks/s', [acks / SECONDS]),
        limit: {
          name: `PostgreSQL alone, ${sessions} a commit, one connection`,
          measured: summaryOf([bare]),
        },
      },
      told(`… acknowledged, ${sessions} sessions`, 'ms', ackMs),
      told(`… the slowest hundredth, ${sessions} sessions`, 'ms', [hundredth(ackMs)]),
    )
  }
  return figures
}

async function threeNodes(): Promise<Figure[]> {
  await using stage = await openStage(3)
  const wish = { ...stage, sessions: 1000, watchers: 1000, events: EVENTS, seconds: 20 }
  const { acks, ackMs, seenMs } = await load({ ...wish, everyMs: 5000, run: 'watched' })
  return [
    told('three nodes, 1,000 sessions every 5 s, 1,000 watchers: appends', 'acks/s', [acks / 20]),
    told('… acknowledged', 'ms', ackMs),
    told('… the slowest hundredth', 'ms', [hundredth(ackMs)]),
    told('… from said to seen on another node', 'ms', seenMs),
    told('… the slowest hundredth', 'ms', [hundredth(seenMs)]),
    told('… memory of the three nodes', 'MB', [stage.memoryMb()]),
  ]
}

const WIRE = 1_000_000
const BULK = 10_000_000

export const controlGrownCase: Case = {
  name: 'control-grown',
  async figures() {
    if (cannotPostgres !== false) throw new Error(cannotPostgres)
    await using stage = await openStage(1)
    return [...(await overTheWire(stage)), ...(await inBulk(stage))]
  },
}

/** By tenths: the first one and the last one are compared. */
async function overTheWire(stage: Stage): Promise<Figure[]> {
  const rates: number[] = []
  for (let stored = 0, run = 0; stored < WIRE; run++) {
    const began = performance.now()
    const wish = { ...stage, sessions: 20, watchers: 0, events: 500, everyMs: 0, seconds: 5 }
    const { events } = await load({ ...wish, run: `wire${run}` })
    stored += events
    rates.push((events * 1000) / (performance.now() - began))
  }
  return [
    told('over the wire: the first events of 10^6', 'events/s', rates.slice(0, 2)),
    told('over the wire: the last events of 10^6', 'events/s', rates.slice(-2)),
    told('… their database', 'MB', [await sizeMb(stage)]),
    await smallAppends(stage, 'at 10^6 events: an append of 5'),
  ]
}

async function inBulk(stage: Stage): Promise<Figure[]> {
  const { sql } = stage
  const began = performance.now()
  await sql`insert into events (tenant, stream, seq, id, parent, type, at, line)
    select 'main', 'bulk-' || (n / 10000), n % 10000, 'bulk-' || n, null, 'assistant.message', '',
      '{"type":"assistant.message","data":{"content":"' || repeat('x', 200) || '"}}'
    from generate_series(1, ${BULK}::int) as n`
  const seconds = (performance.now() - began) / 1000
  await sql`analyze events`
  return [
    told('10^7 events in bulk', 'events/s', [BULK / seconds]),
    told('… their database', 'MB', [await sizeMb(stage)]),
    await smallAppends(stage, 'at 10^7 events: an append of 5'),
  ]
}

async function smallAppends(stage: Stage, name: string): Promise<Figure> {
  const wish = { ...stage, sessions: 10, watchers: 0, events: EVENTS, everyMs: 0, seconds: 5 }
  return told(name, 'ms', (await load({ ...wish, run: crypto.randomUUID() })).ackMs)
}

async function sizeMb({ sql }: Stage): Promise<number> {
  const [row] = await sql<{ bytes: string }[]>`select pg_database_size(current_database()) as bytes`
  return Number(row?.bytes ?? 0) / 1024 / 1024
}
