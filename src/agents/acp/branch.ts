/**
 * A conversation that was rewound or forked, as a branch of the agent's own memory: the agent forks its session, at a
 * message where it can, or a copy of its session's file up to there is written aside as a new one. Nothing is written
 * into a session that the agent has. What came of it is loaded and compared like any other memory.
 */
import { defined } from '../../lib/defined.ts'
import { fieldsOf, textIn } from '../../lib/fields.ts'
import type { ModelMessage } from '../../state/model-context.ts'
import type { InnerSession } from './agent-file.ts'
import { exchangesOf, previousTurn } from './conversation.ts'
import type { Copied, OwnStore } from './own-store.ts'
import { answerHash, openOwn, toldAtStart } from './own-memory.ts'
import {
  refusal,
  systemPrompt,
  type Attempt,
  type Restored,
  type Restoring,
  type Rung,
} from './restoring.ts'

export async function branch(
  restoring: Restoring,
  history: readonly ModelMessage[],
  tried: Attempt[],
): Promise<Restored | undefined> {
  const { known, abilities, turn, store } = restoring
  if (known === undefined || !abilities.load) return undefined
  const from = branchPoint(known, previousTurn(turn), history)
  if (from === undefined) return undefined
  const ways: readonly (readonly [Rung, () => Promise<string | { readonly why: string }>])[] = [
    ...(abilities.fork ? [['fork', () => forked(restoring, from, history)] as const] : []),
    ...(store === undefined ? [] : [['store', () => copied(restoring, from, store)] as const]),
  ]
  for (const [rung, make] of ways) {
    const made = await make()
    const opened =
      typeof made === 'string'
        ? await openOwn(restoring, 'load', { ...from.known, innerSessionId: made }, history)
        : made
    if (!('why' in opened))
      return { ...opened, turns: costed(restoring, rung, opened), rung, tried }
    if (typeof made === 'string') await letGo(restoring, made)
    tried.push({ rung, why: opened.why, ...(typeof made === 'string' && { left: made }) })
  }
  return undefined
}

/** What the turns of the branch had cost, in the agent's own account of it. */
const costed = (
  { costsOfFork }: Restoring,
  rung: Rung,
  { turns }: Pick<Restored, 'turns'>,
): Restored['turns'] =>
  rung === 'fork' && costsOfFork === 'from-zero'
    ? turns.map(({ cost: _before, ...turn }) => turn)
    : turns

/** A branch that does not do: the agent removes it where it can. It is known, so that an import does not take it. */
async function letGo({ connection, abilities }: Restoring, sessionId: string): Promise<void> {
  if (!abilities.delete) return
  await connection.request('session/delete', { sessionId }).catch(() => {}) // it is marked all the same
}

type BranchPoint = {
  readonly source: InnerSession
  /** The branch, as it will be known. */
  readonly known: InnerSession
  readonly isWhole: boolean
}

/** Undefined when the agent never answered the last message that is left, or not as the log has it. */
function branchPoint(
  source: InnerSession,
  last: string | undefined,
  history: readonly ModelMessage[],
): BranchPoint | undefined {
  const at = source.turns.findIndex(({ eventId }) => eventId === last)
  const turn = source.turns[at]
  // One that was imported and not gone on with here is known as a whole.
  if (turn === undefined)
    return source.turns.length === 0 && source.knows === last
      ? { source, known: source, isWhole: true }
      : undefined
  const isWhole = at === source.turns.length - 1
  const isSettled = !isWhole || source.isSettled
  const said = exchangesOf(history).at(-1)
  const isLast = said?.eventId === turn.eventId
  return {
    source,
    isWhole,
    known: {
      ...source,
      knows: turn.eventId,
      isSettled,
      ...defined({ answered: isSettled && isLast ? answerHash(said.answered) : undefined }),
      turns: source.turns.slice(0, at + 1),
    },
  }
}

async function forked(
  restoring: Restoring,
  { source, known, isWhole }: BranchPoint,
  history: readonly ModelMessage[],
): Promise<string | { readonly why: string }> {
  const { connection, turn, mcpServers, forksAtMessage } = restoring
  const messageId = known.turns.at(-1)?.lastMessageId
  if (!isWhole && (forksAtMessage !== true || messageId === undefined))
    return { why: 'it forks a session only as a whole' }
  const told = toldAtStart(restoring, known, history)
  if (told === 'lost') return { why: 'what it was told at its start is no longer known' }
  try {
    const result = await connection.request('session/fork', {
      sessionId: source.innerSessionId,
      cwd: turn.cwd,
      mcpServers,
      ...(told !== undefined && systemPrompt(told.text)),
      ...(!isWhole && { _meta: { jetbrains: { air: { fork: { version: 1, messageId } } } } }),
    })
    return textIn(fieldsOf(result), 'sessionId') ?? { why: 'it forked without an id' }
  } catch (error) {
    return { why: refusal(error) }
  }
}

async function copied(
  { turn, env, line }: Restoring,
  { source, known }: BranchPoint,
  store: OwnStore,
): Promise<Copied> {
  if (source.cwd !== turn.cwd) return { why: 'the session is in another directory now' }
  const { innerSessionId: sessionId, since, turns } = source
  const counted = (some: InnerSession['turns']) => some.reduce((sum, each) => sum + each.prompts, 0)
  // What was said in it before it was imported is not counted here.
  const isOurs = turns[0]?.eventId === since
  const prompts = isOurs
    ? { kept: counted(known.turns) }
    : { dropped: counted(turns.slice(known.turns.length)) }
  return store.copy({ env, line, cwd: turn.cwd, sessionId }, prompts)
}
