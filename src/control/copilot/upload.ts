/**
 * Takes a batch of the Copilot CLI into a session's log. That program knows no claims and no numbers, so the server
 * appends in its name: it claims the session for the upload, asks what is there, and writes what is not.
 */
import { parseJson } from '../../lib/limit-depth.ts'
import { ControlError } from '../control-error.ts'
import type { Control } from '../control.ts'
import type { Query } from '../database/port.ts'
import { commandOf, settleCommand } from '../commands/commands.ts'
import { fieldsOf, textIn, type Fields } from '../../lib/fields.ts'
import { inTurn } from '../../lib/keyed-mutex.ts'
import type { Asker } from '../people/scopes.ts'
import { claimSession, type Claim } from '../sessions/claim.ts'
import { addGeneration } from '../sessions/generations.ts'
import { pathOf } from '../sessions/stored-session.ts'
import type { Content } from '../streams/content.ts'
import { findStream } from '../streams/find.ts'
import { seqsOf } from '../streams/event-positions.ts'
import { readPage } from '../streams/read.ts'
import { derive, type Step } from './derive.ts'
import { effectOf } from './effects.ts'

type Upload = {
  readonly session: string
  readonly events: readonly Content[]
  readonly acknowledged: readonly string[]
}

type Uploaded = { readonly written: number; readonly rewinds: number; readonly gaps: number }

/** One after another for each session; another node that uploads meanwhile overtakes, and this one begins again. */
export const upload = (control: Control, asker: Asker, wish: Upload): Promise<Uploaded> =>
  inTurn(`${asker.tenant} ${wish.session}`, async () => {
    for (let attempt = 0; attempt < 5; attempt++) {
      const done = await tryUpload(control, asker, wish)
      if (done === undefined) continue
      await settle(control, asker, wish)
      return done
    }
    throw new ControlError(
      'unavailable',
      'Another upload of this session is under way. Nothing was acknowledged; try again.',
    )
  })

async function tryUpload(
  control: Control,
  asker: Asker,
  { session, events }: Upload,
): Promise<Uploaded | undefined> {
  const { db, now } = control
  const none = { written: 0, rewinds: 0, gaps: 0 }
  if (events.length === 0) return none
  await control.meter.check(asker.tenant)
  const claim = await claimSession(db, asker, session, now())
  const stream = await findStream(db, db.query, { tenant: asker.tenant, path: claim.path }, now())
  if (stream === undefined) throw new ControlError('not_found', 'There is no such session.')
  const named = events.flatMap(({ id, parent }) => [id ?? [], parent ?? []].flat())
  const known = await seqsOf(db.query, stream, [...new Set(named)])
  const { steps, gaps } = derive(events, known, { id: claim.lastEventId, head: claim.head })
  let { generation } = claim
  let seq = 0
  let written = 0
  for (const step of steps) {
    if (step.cutBehind !== undefined) {
      if (!(await cut(control, asker, claim, generation, step.cutBehind))) return undefined
      generation += 1
      seq = 0
    }
    const count = await append(control, asker, { claim, generation, seq, step })
    if (count === undefined) return undefined
    written += count
    seq += 1
  }
  return { written, gaps, rewinds: generation - claim.generation }
}

async function cut(
  control: Control,
  asker: Asker,
  claim: Claim,
  generation: number,
  head: number,
): Promise<boolean> {
  const { session, producer, epoch } = claim
  const wish = { session, generation: generation + 1, from: generation, head, producer, epoch }
  const made = await addGeneration(control.db, asker, wish, control.now())
  if (made.kind === 'created' && made.stream.source !== null)
    control.tail.grown([made.stream.source])
  return made.kind === 'created'
}

async function append(
  { group, meter }: Control,
  { tenant }: Asker,
  { claim, generation, seq, step }: { claim: Claim; generation: number; seq: number; step: Step },
): Promise<number | undefined> {
  const { verdict, written, bytes } = await group.append({
    tenant,
    path: pathOf(claim.session, generation),
    type: 'application/json',
    close: false,
    records: step.events,
    producer: { id: claim.producer, epoch: claim.epoch, seq },
  })
  meter.add(tenant, written, bytes)
  return verdict.kind === 'append' ? written : undefined
}

/** The last events in which the effect of a command is looked for. */
const LOOK_BACK = 500

/** What was acknowledged and no event shows was refused. Prompts were settled with their message. */
async function settle(
  { db, now }: Control,
  { tenant }: Asker,
  { session, acknowledged }: Upload,
): Promise<void> {
  if (acknowledged.length === 0) return
  const recent = await recentEvents(db.query, tenant, session)
  for (const id of acknowledged) {
    const command = await commandOf(db.query, { tenant, session, id })
    if (command === undefined) continue
    // An event shows one command: an abort of before is not that of now.
    const others = await shownBy(db.query, { tenant, session, id })
    const event = effectOf(
      command,
      recent.filter((each) => !others.has(textIn(each, 'id'))),
    )
    const outcome =
      event === undefined
        ? {
            state: 'refused' as const,
            reason: 'The machine acknowledged it, and no event shows that it was done.',
          }
        : { state: 'applied' as const, event }
    await settleCommand(db, { tenant, session, id }, outcome, now())
  }
}

/** The events that show what became of other commands of the session. */
async function shownBy(
  query: Query,
  {
    tenant,
    session,
    id,
  }: { readonly tenant: string; readonly session: string; readonly id: string },
): Promise<ReadonlySet<string | undefined>> {
  const rows = await query
    .selectFrom('commands')
    .select('event')
    .where('tenant', '=', tenant)
    .where('session', '=', session)
    .where('id', '!=', id)
    .where('event', 'is not', null)
    .execute()
  return new Set(rows.flatMap(({ event }) => event ?? []))
}

async function recentEvents(
  query: Query,
  tenant: string,
  session: string,
): Promise<readonly Fields[]> {
  const stream = await query
    .selectFrom('streams')
    .selectAll()
    .where('tenant', '=', tenant)
    .where('session', '=', session)
    .orderBy('generation', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (stream === undefined) return []
  const found: Fields[] = []
  for (let after = Math.max(0, stream.head - LOOK_BACK); after < stream.head;) {
    const page = await readPage(query, stream, after)
    if (page.records.length === 0) break
    for (const { bytes } of page.records)
      found.push(fieldsOf(parseJson(Buffer.from(bytes).toString())))
    after = page.next
  }
  return found
}
