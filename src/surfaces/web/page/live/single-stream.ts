/** Follows one session over a stream of its own: what a guest has, who may ask for nothing else. */
import type { StreamFrame } from '../../api.ts'
import { sessionPath } from '../client.ts'
import { listen } from '../stream.ts'
import { batched } from './batch.ts'
import type { LinkState } from './messages.ts'

export function followAlone(
  id: string,
  after: string | undefined,
  told: {
    readonly onFrames: (frames: readonly StreamFrame[]) => void
    readonly onLink: (link: LinkState) => void
  },
): () => void {
  let last = after
  const batch = batched(told.onFrames)
  const { stop } = listen<StreamFrame>({
    url: () =>
      sessionPath(id, last === undefined ? '/stream' : `/stream?after=${encodeURIComponent(last)}`),
    names: ['event', 'notice', 'reset', 'ready', 'gone'],
    onFrame(frame) {
      if (frame.event === 'event') last = frame.data.id
      if (frame.event === 'reset') last = undefined
      batch.add(frame)
    },
    onLink: told.onLink,
  })
  return () => {
    stop()
    batch.stop()
  }
}
