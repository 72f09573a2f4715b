/** Brings what the model says of the session up to date: its status, and what a turn of another process asks. */
import { setImmediate as nextRound } from 'node:timers/promises'
import type { Answerer } from '../../../commands/command.ts'
import { remoteWords } from '../../../commands/remote-words.ts'
import type { SessionId } from '../../../format/ids.ts'
import { defined } from '../../../lib/defined.ts'
import { permissionAsk, questionAsk } from '../../../state/asks.ts'
import type { SessionContext } from './session-context.ts'
import { poll } from './poll.ts'
import { isAtWorkElsewhere, readStatus } from './read-status.ts'

export async function refresh(context: SessionContext): Promise<void> {
  const { engine, tell, id } = context
  // Who answers is a help, too: why nobody can is told by the turn.
  const answering = await whoAnswers(context).catch(() => undefined)
  if (id !== context.id) return
  tell({ kind: 'answering', answering })
  if (id === undefined || !context.isSpoken) return
  // The status is a help: what cannot be read now stays as it was.
  const facts = await upToDate(context, id, () => readStatus(engine, id, answering?.window)).catch(
    () => undefined,
  )
  if (facts === undefined) return
  tell({ kind: 'facts', facts })
  // It is looked at again in a moment.
  await showRemote(context).catch(() => {})
  // A request that cannot be read now is told by its event, or with the next refresh.
  if (!context.model().turn.mine) await showAsked(context, id).catch(() => {})
}

const whoAnswers = async (context: SessionContext) =>
  context.agents.answering(await answererOf(context))

/** The one that was chosen here, else the one that the session had, else whom the configuration leads to. */
export async function answererOf({
  engine,
  chosen,
  id,
  isSpoken,
}: SessionContext): Promise<Answerer> {
  const { answeredBy: recorded, model } =
    id === undefined || !isSpoken ? {} : await (await engine.open(id)).state()
  return chosen === undefined ? defined({ recorded, model }) : defined({ chosen, model })
}

/** A process that died tells nobody: while another one seems to be at work it is looked after. */
export const watchOtherProcess = (context: SessionContext): Disposable =>
  poll({
    isWanted: () => context.model().turn.theirs && !context.model().turn.mine,
    async look() {
      const { engine, tell, id } = context
      if (id === undefined) return
      const isElsewhere = await upToDate(context, id, () => isAtWorkElsewhere(engine, id))
      if (isElsewhere !== undefined) tell({ kind: 'facts', facts: { isElsewhere } })
    },
  })

/** A copy that falls behind, or a machine that falls silent, tells nobody. */
export const watchRemote = (context: SessionContext): Disposable =>
  poll({
    isWanted: () => context.id !== undefined && context.isSpoken,
    look: () => showRemote(context),
  })

async function showRemote(context: SessionContext): Promise<void> {
  const { engine, tell, id } = context
  if (id === undefined) return
  const remote = await remoteWords(engine, id, Date.now())
  const shown = context.model().session.remote
  if (id === context.id && remote?.text !== shown?.text) tell({ kind: 'facts', facts: { remote } })
}

/** Asks until nothing was told meanwhile: an answer that is older than what is shown would never be corrected. */
async function upToDate<T>(
  context: SessionContext,
  id: SessionId,
  ask: () => Promise<T>,
): Promise<T | undefined> {
  for (;;) {
    const before = context.eventsTold
    const answer = await ask()
    // What the asking itself found in the log is told first.
    await nextRound()
    if (id !== context.id) return undefined
    if (before === context.eventsTold) return answer
  }
}

async function showAsked(context: SessionContext, id: SessionId): Promise<void> {
  const session = await context.engine.open(id)
  const { at, requests, questions } = await session.pending()
  const isTheirs = at === 'next-door' || at === 'left' || session.machine !== undefined
  if (id !== context.id || !isTheirs) return
  context.tell({
    kind: 'asked',
    asks: [
      ...requests.flatMap((event) =>
        event.type === 'permission.requested' ? [permissionAsk(event.data, true)] : [],
      ),
      ...questions.map(questionAsk),
    ],
  })
}
