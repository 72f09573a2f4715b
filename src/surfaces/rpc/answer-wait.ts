/**
 * What waits for an answer while no client that could give it is connected. It waits until the limit, and the log says
 * until when; a client that comes before that answers it. After the limit it is given up.
 */
import type { Note } from '../../engine/live/log-annotation.ts'

export interface AnswerWait {
  /** Call this when a question comes or ends, and when a client comes or goes. */
  align(): void
  end(): void
}

type AnswerWaitParts = {
  readonly limitMs: number
  /** Something waits here, and no client that is connected could answer it. */
  isForsaken(): boolean
  tell(remark: Note): void
  giveUp(): void
}

export function createAnswerWait({
  limitMs,
  isForsaken,
  tell,
  giveUp,
}: AnswerWaitParts): AnswerWait {
  let timer: NodeJS.Timeout | undefined
  let isGivenUp = false
  const end = () => {
    clearTimeout(timer)
    timer = undefined
  }
  const stop = () => {
    end()
    isGivenUp = true
    tell({ level: 'warning', type: TYPE, message: GIVEN_UP })
    giveUp()
  }
  return {
    align() {
      if (!isForsaken()) {
        isGivenUp = false
        return end()
      }
      if (timer !== undefined || isGivenUp) return
      timer = setTimeout(stop, limitMs)
      tell({ level: 'info', type: TYPE, message: waits(new Date(Date.now() + limitMs)) })
    },
    end,
  }
}

const TYPE = 'unanswered'

const waits = (until: Date) =>
  `Nobody who could answer is connected. The question waits until ${until.toISOString()}: resume the session to answer it. After that it counts as not allowed.`

const GIVEN_UP = 'Nobody came to answer the question in time. It counts as not allowed.'
