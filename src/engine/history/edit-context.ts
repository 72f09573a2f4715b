/** Leaves something out of the context of the model from here on, or gives it again. */
import { omission, restoration } from '../../state/context-edits.ts'
import type { ContextItem } from '../../state/context-items.ts'
import type { EngineContext } from '../engine-context.ts'
import { EngineError } from '../errors.ts'
import { commit } from '../live/commit.ts'
import { requireIdle, type LiveSession } from '../live/live-session.ts'
import { withWriter, type WriterOptions } from '../live/writer.ts'
import { answeringIfAny } from '../turn/resolve-agent.ts'
import { contextItem } from './context-item.ts'

export type ContextEdit = WriterOptions & {
  readonly operation: 'omit' | 'restore'
  /** The id of the event that said it, or its beginning. */
  readonly item: string
}

/** What was changed, as it stood before. Never while a turn runs: its calls are made of what was said when it began. */
export async function editContext(
  engine: EngineContext,
  session: LiveSession,
  { operation, item: word, ...options }: ContextEdit,
): Promise<ContextItem> {
  requireIdle(session, 'change its context')
  await refuseOwn(engine, session)
  return withWriter(engine, session, options, async () => {
    const { message, ...item } = await contextItem(engine, session, word)
    const isGiven = item.status === 'given'
    if (isGiven !== (operation === 'omit'))
      throw new EngineError(
        'invalid',
        `"${item.what}" is ${isGiven ? '' : 'not '}given to the model as it is. Nothing was changed.`,
      )
    const isHeld = item.status === 'omitted'
    await commit(engine, session, [
      operation === 'omit' ? omission(message) : restoration(message, { isHeld }),
    ])
    return item
  })
}

/** What an agent keeps itself cannot be taken out of it. */
async function refuseOwn(engine: EngineContext, session: LiveSession): Promise<void> {
  const agent = await answeringIfAny(engine, session)
  if (agent?.keepsContext !== true) return
  throw new EngineError(
    'invalid',
    `${agent.name} keeps a context of its own, which cannot be changed from here. Nothing was changed. A rewind or a fork takes turns out of it.`,
  )
}
