/** What was used in turns that are no longer in the log, and what that makes with what is. */
import type { Spent } from '../format/spent.ts'
import { isStranger, type Placed } from './positioned-event.ts'
import { startsTurn } from './turns.ts'
import { amountsOf, noUsage, openMeter, type Usage } from './usage.ts'

type Call = { isRecorded: boolean; told: Spent[] }

/** Of events that a rewind removes, in their order. Counted as the state counts them. */
export async function spentIn(
  portions: AsyncIterable<{ readonly records: readonly Placed[] }>,
  usual = 'unknown',
): Promise<readonly Spent[]> {
  const rows = new Set<Spent>()
  const calls = new Map<string | undefined, Call>()
  let turn: string | undefined
  for await (const { records } of portions)
    for (const { event } of records) {
      if (isStranger(event)) continue
      const { timestamp: at, agentId } = event
      const begun = turn === undefined ? {} : { turn }
      const call = calls.get(agentId)
      if (event.type === 'user.message' && startsTurn(event)) turn = event.id
      else if (event.type === 'assistant.turn_start')
        calls.set(agentId, { isRecorded: false, told: [] })
      else if (event.type === 'assistant.turn_end') calls.delete(agentId)
      else if (event.type === 'session.usage_record') {
        if (call !== undefined && event.data.reprise?.purpose === undefined) {
          for (const told of call.told) rows.delete(told)
          calls.set(agentId, { isRecorded: true, told: [] })
        }
        rows.add({ ...begun, at, model: event.data.usage.model, ...amountsOf(event.data) })
      } else if (event.type === 'assistant.message' && call?.isRecorded !== true) {
        const { outputTokens, model = usual } = event.data
        if (outputTokens === undefined) continue
        const told = { ...begun, at, model, outputTokens }
        rows.add(told)
        call?.told.push(told)
      }
    }
  return [...rows]
}

/** What a session used, with what is apart in it. */
export type SessionUsage = Usage & {
  /** In turns that were taken back; part of the sum. */
  readonly takenBack: Usage
}

/** What a fork has of its source, the source counts: what is older than `since` is left out. */
export function withTakenBack(
  usage: Usage,
  spent: readonly Spent[],
  since: string | undefined,
): SessionUsage {
  const [all, gone] = [openMeter(usage), openMeter(noUsage)]
  for (const { turn: _, at, model, requests = 0, ...amounts } of spent) {
    if (at < (since ?? '')) continue
    all.beside(model, { requests, ...amounts })
    gone.beside(model, { requests, ...amounts })
  }
  return { ...all.total(), takenBack: gone.total() }
}
