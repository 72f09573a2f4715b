/** The message of the turn that runs, when nothing at all was said or done for it. */
import type { Model } from './model.ts'

export function unanswered({ turn, live, window, queue }: Model): string | undefined {
  if (!turn.mine || queue.length > 0 || live.text !== '' || live.thought !== '') return undefined
  const last = window.items.findLast(({ entry }) => entry.kind !== 'note')?.entry
  return last?.kind === 'user' && !last.isSteering ? last.text : undefined
}
