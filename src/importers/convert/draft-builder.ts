/**
 * Says what happened in another agent's session in events of ours: prompts, answers with their thinking and calls,
 * results, sub-agents, compactions, usage. It counts what it is told, gives every call one result, and settles a call
 * that was never answered when the conversation went on without it; one at the very end stays open, for the source may
 * still grow.
 */
import type { Draft } from '../../format/event.ts'
import { INTERRUPTED } from '../../state/provider-valid.ts'
import type { Dated } from './port.ts'
import {
  answerDraft,
  beganDraft,
  compactionDrafts,
  endedDraft,
  promptDraft,
  resultDraft,
  usageDraft,
  type Answer,
  type CallMade,
  type Compaction,
  type Moment,
  type Prompt,
  type Result,
  type SubAgent,
  type SubAgentEnd,
  type Used,
} from './import-drafts.ts'
import type { Tally } from './fidelity-report.ts'

export interface Teller {
  prompt(prompt: Prompt): Dated[]
  answer(answer: Answer): Dated[]
  result(result: Result): Dated[]
  began(agent: SubAgent): Dated[]
  ended(agent: SubAgentEnd): Dated[]
  compaction(given: Compaction): Dated[]
  used(given: Used): Dated[]
  remark(given: Moment & { readonly kind: string; readonly text: string }): Dated[]
  stopped(given: Moment): Dated[]
  /** Of a sub-agent: what it is told carries its id. */
  as(agentId: string): Teller
  /** A record of a known kind that yields nothing. */
  notUnderstood(kind: 'prompts' | 'answers'): void
}

const NOT_UNDERSTOOD =
  'A prompt or an answer has no text that was understood; its record is kept raw.'

const EPOCH = '1970-01-01T00:00:00.000Z'

type Clock = { last: string }

export function createTeller(tally: Tally, startedAt: string): Teller {
  return tellerFor(tally, { last: startedAt })
}

function tellerFor(tally: Tally, clock: Clock, agentId?: string): Teller {
  const open = new Map<string, CallMade>()
  const answered = new Set<string>()

  /** A time that is missing or none is that of what came before. */
  function dated(draft: Draft, { at, key }: Moment, part: string): Dated {
    const time = at === undefined ? undefined : new Date(at)
    const isTime = time !== undefined && !Number.isNaN(time.getTime())
    if (isTime) clock.last = time.toISOString()
    const own = agentId === undefined ? draft : { ...draft, agentId }
    return { draft: own, at: clock.last || EPOCH, key: `${key} ${part}` }
  }

  function countTime({ at }: Moment): void {
    const isTime = at !== undefined && !Number.isNaN(new Date(at).getTime())
    tally.count('times', isTime ? 'kept' : 'lost')
  }

  const settled = (moment: Moment): Dated[] =>
    [...open.keys()].map((id) => {
      open.delete(id)
      answered.add(id)
      tally.interrupted()
      const error = { message: INTERRUPTED, code: 'interrupted' }
      return dated(
        { type: 'tool.execution_complete', data: { toolCallId: id, success: false, error } },
        { ...moment, at: clock.last },
        `interrupted ${id}`,
      )
    })

  const teller: Teller = {
    prompt(prompt) {
      const { images = [] } = prompt
      const before = settled(prompt)
      const isEmpty = prompt.text === '' && images.length === 0
      if (agentId === undefined) tally.turn()
      if (isEmpty) teller.notUnderstood('prompts')
      else if (agentId === undefined) tally.count('prompts')
      countTime(prompt)
      tally.count('images', 'kept', images.length)
      return [...before, dated(promptDraft(prompt), prompt, 'prompt')]
    },
    answer(answer) {
      const { text, thinking, opaque, calls = [], model, usage } = answer
      const isSaid = text !== '' || calls.length > 0 || thinking !== undefined
      const told: Dated[] = []
      if (!isSaid && opaque === undefined) {
        teller.notUnderstood('answers')
      } else {
        tally.count('answers')
        countTime(answer)
        if (thinking !== undefined) tally.count('thinking')
        if (opaque !== undefined && thinking === undefined) {
          tally.count('thinking', 'changed')
          tally.note('Thinking that its vendor sealed is kept as it is and sent to nobody else.')
        }
        // An id that comes twice would be two calls with one result.
        const fresh = calls.filter((call) => !open.has(call.id) && !answered.has(call.id))
        told.push(dated(answerDraft(answer, fresh), answer, 'answer'))
        for (const call of fresh) {
          open.set(call.id, call)
          tally.count('tool calls')
          const start = { toolCallId: call.id, toolName: call.name, arguments: call.args }
          told.push(dated({ type: 'tool.execution_start', data: start }, answer, `call ${call.id}`))
        }
      }
      if (usage !== undefined)
        told.push(...teller.used({ ...answer, model: model ?? 'unknown', usage }))
      return told
    },
    result(result) {
      const { id, images = [], diff } = result
      const call = open.get(id)
      if (call === undefined) {
        tally.count('results', 'lost')
        tally.note(
          answered.has(id)
            ? 'A call that had its result already was answered once more; the first stands.'
            : 'A result names a call that was never made.',
        )
        return []
      }
      open.delete(id)
      answered.add(id)
      tally.count('results')
      countTime(result)
      if (diff !== undefined) tally.count('diffs')
      tally.count('images', 'kept', images.length)
      return [dated(resultDraft(result), result, `result ${id}`)]
    },
    began(agent) {
      tally.count('sub-agents')
      return [dated(beganDraft(agent), agent, `began ${agent.agentId}`)]
    },
    ended: (agent) => [dated(endedDraft(agent), agent, `ended ${agent.agentId}`)],
    compaction(given) {
      const before = settled(given)
      tally.count('compactions')
      const [start, complete] = compactionDrafts(given)
      return [...before, dated(start, given, 'compaction'), dated(complete, given, 'compacted')]
    },
    used(given) {
      const { input, output, cacheRead, cacheWrite } = given.usage
      if ([input, output, cacheRead, cacheWrite].every((count) => (count ?? 0) === 0)) return []
      tally.count('usage')
      return [dated(usageDraft(given), given, 'usage')]
    },
    remark: (given) => [
      dated(
        { type: 'session.info', data: { infoType: given.kind, message: given.text } },
        given,
        'remark',
      ),
    ],
    stopped: (given) => [
      ...settled(given),
      dated({ type: 'abort', data: { reason: 'user_initiated' } }, given, 'stopped'),
    ],
    as: (id) => tellerFor(tally, clock, id),
    notUnderstood(kind) {
      tally.count(kind, 'lost')
      tally.note(NOT_UNDERSTOOD)
    },
  }
  return teller
}
