/**
 * Which line is taken when, and for what. A person is heard at once: while a turn runs a message waits and a command is
 * run. Lines of a pipe wait for each other, so that they do what they would do typed one by one. What the agent asks is
 * never answered by a line that came before it was asked.
 */
import type { App } from '../app.ts'
import type { Paper } from './plain-output.ts'
import { questionIn, type Question } from './question.ts'

type LineTakerOptions = {
  readonly app: App
  readonly paper: Paper
  readonly isInteractive: boolean
  readonly now: () => Date
  readonly quit: () => void
}

/** A request that a rule answers is gone by then, and is not asked. */
const MOMENT_MS = 50

export function createLineTaker({ app, paper, isInteractive, now, quit }: LineTakerOptions) {
  const ahead: string[] = []
  let asked: Question | undefined
  let standing: string | undefined
  let isEnded = false
  let isStopped = false
  let typed: string | undefined
  let next: NodeJS.Immediate | undefined

  /** The model is another one. */
  const changed = () => void (next ??= setImmediate(step))

  function step(): void {
    next = undefined
    if (isStopped) return
    ask()
    while (ahead.length > 0 && mayTake()) take(ahead.shift() ?? '')
    const isOver = isEnded && (ahead.length === 0 || asked?.requestId !== undefined)
    if (isOver && asked !== undefined) leave(asked)
    else if (isOver && isDone(0)) quit()
    else if (isInteractive && (asked !== undefined || isDone())) paper.prompt()
  }

  function ask(): void {
    const question = questionIn(app)
    if (question?.key === asked?.key) return
    const isGone = !app.model().asks.some(({ requestId }) => requestId === asked?.requestId)
    if (asked?.requestId !== undefined && isGone) paper.print('This is not asked any more.')
    asked = undefined
    if (question === undefined || !hasStood(question)) return
    for (const text of question.texts(now())) paper.print(text)
    asked = question
  }

  function hasStood({ requestId }: Question): boolean {
    if (requestId === undefined || requestId === standing) return true
    setTimeout(() => {
      standing = requestId
      changed()
    }, MOMENT_MS)
    return false
  }

  /** All that was typed is done, but for what waits in the queue. */
  function isDone(waiting = app.model().queue.length): boolean {
    const { underway, turn } = app.model()
    return underway <= waiting && !turn.mine && questionIn(app) === undefined
  }

  const mayTake = (): boolean =>
    isInteractive || (asked === undefined ? isDone(0) : asked.requestId === undefined)

  function take(line: string): void {
    paper.lineTyped()
    const question = asked
    // When it still stands it is asked again, behind what the line leads to.
    asked = undefined
    changed()
    if (question === undefined) {
      typed = isInteractive && isDone() ? line : undefined
      app.submit(line)
    } else if (question.requestId !== undefined && line.startsWith('/')) app.perform(line)
    else if (question.answer(line)) return
    else if (question.givesWay === true) {
      question.leave()
      typed = isInteractive ? line : undefined
      app.submit(line)
    } else paper.print(`"${line}" is no answer to this.`)
  }

  function leave(question: Question): void {
    asked = undefined
    changed()
    question.leave()
  }

  return {
    changed,
    /** The message that the person has before them, because they just typed it. */
    typed: () => typed,
    line(line: string): void {
      if (asked?.requestId !== undefined) return take(line)
      ahead.push(line)
      if (isInteractive) step()
      else changed()
    },
    /** No more lines come. */
    end(): void {
      isEnded = true
      if (isInteractive) quit()
      else changed()
    },
    /** Nothing more is asked or taken. */
    stop(): void {
      isStopped = true
    },
    /** False when there is nothing to interrupt. */
    interrupt(): boolean {
      const { turn } = app.model()
      if (asked !== undefined && asked.requestId === undefined) {
        paper.print('Left.')
        leave(asked)
      } else if (turn.mine && !turn.isCancelling) app.conversation.cancel()
      else return false
      return true
    },
  }
}
