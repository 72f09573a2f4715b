/** An agent's own memory of a conversation: resumed where nothing speaks against it, else loaded and compared. */
import type { ModelMessage } from '../../state/model-context.ts'
import { defined } from '../../lib/defined.ts'
import type { Fields } from '../../lib/fields.ts'
import type { InnerSession } from './agent-file.ts'
import { bare, before, exchangesOf, previousTurn, type Moment } from './conversation.ts'
import { renderHistory } from './history.ts'
import { compareReplay, replayedExchanges } from './replay.ts'
import {
  givenOf,
  refusal,
  sha256,
  systemPrompt,
  upTo,
  type Attempt,
  type Restored,
  type Restoring,
} from './restoring.ts'
import { untilReplayed } from './until-replayed.ts'

export async function ownMemory(
  restoring: Restoring,
  history: readonly ModelMessage[],
  tried: Attempt[],
): Promise<Restored | undefined> {
  const { abilities, known, turn } = restoring
  if (known === undefined || known.of !== turn.sessionId) return undefined
  const { innerSessionId: sessionId } = known
  const doubt = doubtAbout(known, turn, history)
  const ways = [
    abilities.resume && { rung: 'resume' as const, why: doubt ?? doubtAboutResuming(known) },
    abilities.load && { rung: 'load' as const, why: doubt },
  ]
  for (const way of ways) {
    if (way === false) continue
    const { rung } = way
    const why =
      way.why ?? (await restoring.store?.doubt?.({ ...restoring, cwd: turn.cwd, sessionId }))
    const found = why === undefined ? await openOwn(restoring, rung, known, history) : { why }
    if ('why' in found) tried.push({ rung, why: found.why })
    else return { ...found, tried }
  }
  return undefined
}

/** Why the agent's own session cannot be the conversation that the log has. */
export function doubtAbout(
  known: InnerSession,
  turn: Moment,
  history: readonly ModelMessage[] = before(turn),
): string | undefined {
  if (known.cwd !== turn.cwd) return 'the session is in another directory now'
  if (known.knows !== previousTurn(turn)) return 'the session was rewound or went on without it'
  const last = exchangesOf(history).at(-1)
  const isCompared =
    known.isSettled && known.answered !== undefined && last?.eventId === known.knows
  if (isCompared && answerHash(last.answered) !== known.answered)
    return 'its last answer was rewound'
  return undefined
}

/** Nobody sees what a resumed session holds. */
function doubtAboutResuming({ isSettled, mark, isKept }: InnerSession): string | undefined {
  if (!isSettled) return 'its last answer was interrupted'
  return mark !== undefined && isKept !== true
    ? 'whether it kept what it was given before is not known'
    : undefined
}

export const answerHash = (text: string): string => sha256(bare(text))

type Opened = Omit<Restored, 'tried'> | { readonly why: string }

/** Opens a session that the agent has. What it loads must be the conversation; a session that is not is closed. */
export async function openOwn(
  restoring: Restoring,
  rung: 'resume' | 'load',
  known: InnerSession,
  history: readonly ModelMessage[],
): Promise<Opened> {
  const { connection, turn, mcpServers, abilities, notes } = restoring
  const { innerSessionId, since, mark, turns } = known
  const told = toldAtStart(restoring, known, history)
  if (told === 'lost') return { why: 'what it was told at its start is no longer known' }
  const params = {
    sessionId: innerSessionId,
    cwd: turn.cwd,
    mcpServers,
    ...(told !== undefined && systemPrompt(told.text)),
  }
  try {
    const ours = exchangesOf(history)
    const compare = (replayed: readonly Fields[]) =>
      compareReplay(ours, replayedExchanges(replayed), { ...known, notes })
    const { result, updates } = await restoring.replaying(innerSessionId, async (heard) => {
      const answer = await connection.request(`session/${rung}`, params)
      const isMissing = () => {
        const found = compare(heard)
        return 'why' in found ? found.isShort === true : found.lacksLast
      }
      if (rung === 'load') await untilReplayed(heard, isMissing, restoring.replayMs)
      return answer
    })
    const compared = rung === 'load' ? compare(updates) : { lacksLast: false }
    if ('why' in compared) {
      if (abilities.close)
        // It is not used; an agent that cannot close it keeps it until it ends.
        await connection.request('session/close', { sessionId: innerSessionId }).catch(() => {})
      return { why: compared.why }
    }
    return {
      innerSessionId,
      result,
      since,
      rung,
      origin: known.rung,
      preamble: [],
      turns,
      knows: {
        knows: known.knows,
        // A question that it does not know is put again with the next one, as what is new to it.
        isSettled: known.isSettled || compared.lacksLast,
        ...defined({ answered: compared.lacksLast ? undefined : known.answered }),
        isKept: known.isKept === true || (rung === 'load' && mark !== undefined),
      },
      ...defined({ mark }),
      ...givenOf(told),
    }
  } catch (error) {
    return { why: refusal(error) }
  }
}

/** What has to be told again with every start, because it stood in the system prompt. */
export function toldAtStart(
  { historyChars }: Pick<Restoring, 'historyChars'>,
  { rung, since }: InnerSession,
  history: readonly ModelMessage[],
): ReturnType<typeof renderHistory> | 'lost' | undefined {
  if (rung !== 'system-prompt') return undefined
  const earlier = upTo(history, since)
  if (earlier === undefined) return 'lost'
  return earlier.length === 0 ? undefined : renderHistory(earlier, historyChars)
}
