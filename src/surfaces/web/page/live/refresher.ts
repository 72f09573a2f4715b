/**
 * Asks again for what changes all the time. Answers may overtake each other on their way: an older one never replaces
 * a newer one. What was not answered is asked once more, or a "Working" of before would stay for good.
 */
type Options<T> = {
  readonly ask: () => Promise<T>
  readonly onAnswer: (answer: T) => void
  /** Whether to ask once more after this. */
  readonly isPassing: (error: unknown) => boolean
  readonly soonMs: number
  readonly againMs: number
}

type Refresher = {
  readonly now: () => Promise<void>
  /** Signs of a change come in bursts: asked for once behind them. */
  readonly soon: () => void
  readonly stop: () => void
}

export function createRefresher<T>(options: Options<T>): Refresher {
  const { ask, onAnswer, isPassing, soonMs, againMs } = options
  let asked = 0
  let answered = 0
  let isOver = false
  let timer: ReturnType<typeof setTimeout> | undefined

  const now = async () => {
    const own = ++asked
    const answer = await ask()
    if (isOver || own < answered) return
    answered = own
    onAnswer(answer)
  }
  const after = (ms: number) => {
    clearTimeout(timer)
    if (!isOver) timer = setTimeout(() => void attempt(), ms)
  }
  const attempt = async () => {
    try {
      await now()
    } catch (error) {
      if (isPassing(error)) after(againMs)
    }
  }
  return {
    now,
    soon: () => after(soonMs),
    stop() {
      isOver = true
      clearTimeout(timer)
    },
  }
}
