/** One thing that the model is given, or was given once, with its words. */
import type { EventId } from '../../format/ids.ts'
import { createItemsFolder, type ContextItem, type ItemsFolder } from '../../state/context-items.ts'
import type { ModelMessage } from '../../state/model-context.ts'
import type { EngineContext } from '../engine-context.ts'
import { EngineError } from '../errors.ts'
import { stateOf, type LiveSession } from '../live/live-session.ts'
import { recordsIn } from './context-at.ts'

export type ContextItemWords = ContextItem & { readonly message: ModelMessage }

/** By the id of the event that said it, or its beginning. */
export async function contextItem(
  engine: EngineContext,
  session: LiveSession,
  word: string,
): Promise<ContextItemWords> {
  const all = (await folded(engine, session)).items()?.items ?? []
  const item = itemCalled(all, word)
  // Once more: the words of what is no longer given are held for this one alone.
  const message = (await folded(engine, session, item.eventId)).message(item.eventId)
  if (message !== undefined) return { ...item, message }
  throw new EngineError('internal', 'Its words could not be read. Nothing was changed.')
}

async function folded(
  engine: EngineContext,
  session: LiveSession,
  wanted?: EventId,
): Promise<ItemsFolder> {
  const folder = createItemsFolder(wanted)
  const whole = { start: 0, end: stateOf(session).size }
  for await (const record of recordsIn(engine, session, whole)) folder.push(record)
  return folder
}

function itemCalled(items: readonly ContextItem[], word: string): ContextItem {
  const found = items.filter(({ eventId }) => eventId.startsWith(word.toLowerCase()))
  const [only, another] = found
  if (only !== undefined && another === undefined) return only
  throw only === undefined
    ? new EngineError(
        'not_found',
        `Nothing in the context is called "${word}". Nothing was changed.`,
      )
    : new EngineError(
        'ambiguous',
        `${found.length} things in the context are called "${word}". Nothing was changed. Give more letters of the one.`,
      )
}
