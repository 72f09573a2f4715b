/** `sessions answer`: what a turn of another process waits for, and the answer to it. */
import type { PermissionAnswer, PermissionDecision } from '../../../engine/agent.ts'
import type { Pending } from '../../../engine/transport/pending.ts'
import type { Engine } from '../../../engine/engine.ts'
import { EngineError } from '../../../engine/errors.ts'
import type { Session } from '../../../engine/session.ts'
import type { SessionId } from '../../../format/ids.ts'
import { usage, type Cli, type Run } from '../command.ts'
import { findSession } from '../../../commands/find-session.ts'
import { defined } from '../../../lib/defined.ts'
import { wish } from '../permission.ts'
import { bold, dim } from '../render/span.ts'

type Open = {
  readonly kind: 'permission' | 'question'
  readonly requestId: string
  readonly text: string
  readonly choices?: readonly string[]
  /** Answers of the agent's own, as it names them. */
  readonly options?: readonly PermissionAnswer[]
}

export const run: Run = async (cli, given) => {
  const engine = await cli.engine()
  const id = await findSession(cli, engine, given.word(0) ?? '')
  const session = await engine.open(id)
  const pending = await session.pending()
  const open = waiting(pending)
  const words = given.words(1)
  if (words.length === 0) return show(cli, id, open)
  const wanted = choose(id, open, given.text('request'))
  const turnEnd = pending.at === 'left' ? untilIdle(session) : undefined
  const said = await (wanted.kind === 'question' ? reply : decide)(engine, id, wanted, words)
  // The process that asked is gone, so its turn goes on in this one.
  await turnEnd
  if (cli.json) return cli.out.json({ id, requestId: wanted.requestId, ...said })
  cli.out.line('Answered in ', bold(id.slice(0, 8)), '.')
}

async function untilIdle(session: Session): Promise<void> {
  for await (const item of session.follow({ fromNow: true }))
    if (item.kind === 'notice' && item.notice.type === 'session.idle') return
}

/** What nobody takes an answer to any more is not offered. */
const waiting = ({ at, requests, questions }: Pending): readonly Open[] =>
  at === undefined || at === 'foreign'
    ? []
    : [
        ...requests.flatMap((event): Open[] =>
          event.type === 'permission.requested'
            ? [
                {
                  kind: 'permission',
                  requestId: event.data.requestId,
                  text: wish(event.data.permissionRequest),
                  ...defined({ options: event.data.reprise?.options }),
                },
              ]
            : [],
        ),
        ...questions.map(({ requestId, question, choices }): Open => ({
          kind: 'question',
          requestId,
          text: question,
          ...defined({ choices }),
        })),
      ]

function show({ json, out }: Cli, id: SessionId, open: readonly Open[]): void {
  if (json) return out.json({ id, waiting: open })
  if (open.length === 0) out.line('Nobody waits for an answer in ', bold(id.slice(0, 8)), '.')
  for (const { kind, requestId, text, choices, options } of open) {
    out.line(kind === 'question' ? '' : 'May it ', bold(text), kind === 'question' ? '' : '?')
    if (choices !== undefined) out.line(dim(`  ${choices.join(' · ')}`))
    for (const option of options ?? []) out.line(dim(`  ${option.id}: ${option.name}`))
    out.line(dim(`  ${requestId}`))
  }
}

function choose(id: SessionId, open: readonly Open[], request: string | undefined): Open {
  const fitting = open.filter(({ requestId }) => request === undefined || requestId === request)
  const [only] = fitting
  if (only !== undefined && fitting.length === 1) return only
  if (only === undefined)
    throw new EngineError(
      'not_found',
      request === undefined
        ? `Nobody waits for an answer in session ${id}. Nothing was changed.`
        : `Nobody waits for an answer to ${request} in session ${id}. Nothing was changed.`,
    )
  throw new EngineError(
    'ambiguous',
    `Session ${id} waits for ${fitting.length} answers. Nothing was changed. --request says which one is meant.`,
    { details: { requests: fitting.map(({ requestId }) => requestId) } },
  )
}

type Words = readonly string[]

const DECISIONS: Readonly<Record<string, PermissionDecision['kind']>> = {
  allow: 'allow',
  always: 'allow-for-session',
  deny: 'deny',
}

async function decide(engine: Engine, id: SessionId, { requestId, options }: Open, words: Words) {
  const theirs = chosenIn(options ?? [], words.join(' '))
  if (theirs !== undefined) {
    const decision = { kind: theirs.kind.startsWith('allow') ? 'allow' : 'deny' } as const
    await (await engine.open(id)).answer(requestId, { ...decision, option: theirs.id })
    return { decision: decision.kind, option: theirs.id }
  }
  const [word = '', ...rest] = words
  const kind = Object.hasOwn(DECISIONS, word) ? DECISIONS[word] : undefined
  const feedback = rest.join(' ')
  if (kind === undefined || (kind !== 'deny' && feedback !== ''))
    throw usage(
      `The answer is ${[...(options ?? []).map((option) => option.id), 'allow', 'always'].join(', ')}, or deny with a reason. Nothing was changed.`,
    )
  const decision = { kind, ...(feedback !== '' && { feedback }) }
  await (await engine.open(id)).answer(requestId, decision)
  return { decision: kind }
}

/** By its id or by its name. */
const chosenIn = (
  options: readonly PermissionAnswer[],
  said: string,
): PermissionAnswer | undefined =>
  options.find(({ id }) => id === said) ??
  options.find(({ name }) => name.toLowerCase() === said.toLowerCase())

async function reply(engine: Engine, id: SessionId, { requestId }: Open, words: Words) {
  const answer = words.join(' ')
  await (await engine.open(id)).answerQuestion(requestId, answer)
  return { answer }
}
