/** What is between the screen and the terminal: the title of the window, what tells of its focus, and the beat of what moves. */
import type { TUI, Terminal } from '@earendil-works/pi-tui'
import { safeText } from '../../lib/safe-text.ts'
import type { Model } from './model/model.ts'
import type { TuiOptions } from './options.ts'

/** What the window is called: what waits for a person is seen from afar. */
export function titleOf({ asks, session, greeting, turn }: Model): string {
  const sign = asks.length > 0 ? '? ' : turn.mine ? '● ' : ''
  return safeText(`${sign}${session.name ?? greeting.cwd} · reprise`)
}

/**
 * The library keeps what tells of the focus to itself: it is heard before it. What was typed before the terminal was
 * the screen's own waits in the line discipline, which has made a new line of every enter by then: it is an enter.
 */
export function onEveryInput(terminal: Terminal, hear: (data: string) => void): void {
  const start = terminal.start.bind(terminal)
  terminal.start = (onInput, onResize) => {
    let isFromBefore = true
    // What waits is read in the next round of the loop; the first of these may still be of this one.
    setImmediate(() => setImmediate(() => (isFromBefore = false)))
    start((data) => {
      hear(data)
      onInput(isFromBefore && data === '\n' ? '\r' : data)
    }, onResize)
  }
}

/** Draws again and again while something moves. */
export function createPulse(everyMs: number, draw: () => void) {
  let timer: NodeJS.Timeout | undefined
  let isOver = false
  return {
    stop(): void {
      isOver = true
      clearInterval(timer)
    },
    change(isMovingNow: boolean): void {
      if (isOver) return
      if (isMovingNow) timer ??= setInterval(draw, everyMs)
      else {
        clearInterval(timer)
        timer = undefined
      }
    },
  }
}

/** Lets a program have the terminal for a while. */
export const createOutside =
  (tui: Pick<TUI, 'stop' | 'start' | 'requestRender'>) =>
  async <T>(work: () => Promise<T>): Promise<T> => {
    tui.stop()
    try {
      return await work()
    } finally {
      tui.start()
      tui.requestRender(true)
    }
  }

/** By a program where one takes it, else by the terminal, which does not tell whether it did. */
export const createCopy =
  (terminal: Pick<Terminal, 'write'>, copyOutside: TuiOptions['copyOutside']) =>
  async (text: string): Promise<true> => {
    if (!(await copyOutside(text)))
      terminal.write(`\x1b]52;c;${Buffer.from(text).toString('base64')}\x07`)
    return true
  }
