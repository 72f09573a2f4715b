/**
 * Which line is taken when, and for what. A person is heard at once: while a turn runs a message waits and a command is
 * run. Lines of a pipe wait for each other, so that they do what they would do typed one by one. What the agent asks is
 * never answered by a line that came before it was asked.
 */
import type { App } from '../app.ts'
import type { Model } from '../model/model.ts'
import type { Paper } from './paper.ts'
import { answerTo, isSame, questionIn, questionTexts, unanswered } from './question.ts'
import type { Answer, Question } from './question.ts'

export type LineTaker = {
  line(line: string): void
  /** No more lines come. */
  end(): void
  /** Nothing more is asked or taken. */
  stop(): void
  /** The model is another one. */
  changed(): void
  /** False when there is nothing to interrupt. */
  interrupt(): boolean
  /** The message that the person has before them, because they just typed it. */
  typed(): string | undefined
}

export type LineTakerOptions = {
  readonly app: App
  readonly paper: Paper
  readonly isInteractive: boolean
  readonly now: () => Date
  readonly quit: () => void
}

/** A request that a rule answers is gone by then: nobody is asked. */
const MOMENT_MS = 50

export function createLineTaker(options: LineTakerOptions): LineTaker {
  const { app, paper, isInteractive, quit } = options
  const ahead: string[] = []
  let asked: Question | undefined
  let standing: Question | undefined
  let isEnded = false
  let isStopped = false
  let typed: string | undefined
  let next: NodeJS.Immediate | undefined

  const changed = () => void (next ??= setImmediate(step))

  function step(): void {
    next = undefined
    if (isStopped) return
    ask()
    while (ahead.length > 0 && mayTake()) take(ahead.shift() ?? '')
    if (isEnded && asked !== undefined && (ahead.length === 0 || asked.kind === 'ask'))
      give(asked, unanswered(asked))
    else if (isEnded && ahead.length === 0 && isSettled(app.model())) quit()
    else if (isInteractive && (asked !== undefined || isIdle(app.model()))) paper.prompt()
  }

  function ask(): void {
    const question = questionIn(app.model())
    if (isSame(question, asked)) return
    const isSettledElsewhere =
      asked?.kind === 'ask' && !app.model().asks.some((each) => isAskOf(asked, each.requestId))
    if (isSettledElsewhere) paper.print('This is not asked any more.')
    asked = undefined
    if (question === undefined || !hasStood(question)) return
    for (const text of questionTexts(question, options.now())) paper.print(text)
    asked = question
  }

  function hasStood(question: Question): boolean {
    if (question.kind !== 'ask' || isSame(question, standing)) return true
    setTimeout(() => {
      standing = question
      changed()
    }, MOMENT_MS)
    return false
  }

  const mayTake = (): boolean =>
    isInteractive || (asked === undefined ? isSettled(app.model()) : asked.kind !== 'ask')

  function take(line: string): void {
    paper.lineTyped()
    const question = asked
    const answer = question && answerTo(question, line)
    if (question !== undefined && answer !== undefined) return give(question, answer)
    // It is asked again behind what the line leads to.
    asked = undefined
    changed()
    if (question?.kind === 'ask' && line.startsWith('/')) return app.perform(line)
    if (question !== undefined) return paper.print(`"${line}" is no answer to this.`)
    typed = isInteractive && isIdle(app.model()) ? line : undefined
    app.submit(line)
  }

  function give(question: Question, answer: Answer): void {
    asked = undefined
    changed()
    if (answer.kind === 'reply') return app.dialogs.reply(answer.reply)
    if (answer.kind === 'narrow') return app.picker.narrow(answer.filter)
    if (answer.kind === 'pick') return app.track(app.picker.perform(answer.deed, answer.place))
    if (question.kind !== 'ask') return
    const { requestId } = question.ask
    if (answer.kind === 'decide') app.conversation.answer(requestId, answer.decision)
    else app.conversation.answerQuestion(requestId, answer.text)
  }

  return {
    changed,
    typed: () => typed,
    line(line) {
      if (asked?.kind === 'ask') return take(line)
      ahead.push(line)
      if (isInteractive) step()
      else changed()
    },
    end() {
      isEnded = true
      if (isInteractive) quit()
      else changed()
    },
    stop() {
      isStopped = true
    },
    interrupt() {
      const { turn } = app.model()
      if (asked !== undefined && asked.kind !== 'ask') {
        paper.print('Left.')
        give(asked, unanswered(asked))
      } else if (turn.mine && !turn.isCancelling) app.conversation.cancel()
      else return false
      return true
    },
  }
}

const isAskOf = (question: Question | undefined, requestId: string): boolean =>
  question?.kind === 'ask' && question.ask.requestId === requestId

/** All that was typed is done. */
const isSettled = (model: Model): boolean =>
  model.underway === 0 && !model.turn.mine && questionIn(model) === undefined

/** The next line would be sent at once. */
const isIdle = (model: Model): boolean =>
  model.underway <= model.queue.length && !model.turn.mine && questionIn(model) === undefined
