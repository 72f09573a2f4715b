/**
 * What the agent asks, as a menu that keys answer. It takes keys only once nobody has typed for a moment, no letter ever
 * answers it, and what allows more than once is marked by its number and taken by enter: a user who is writing a message
 * when it comes goes on writing.
 */
import { defined } from '../../lib/defined.ts'
import { permissionAnswers, type Ask } from '../../state/asks.ts'
import type { CommandHost } from './commands/command.ts'
import type { Menu, Model } from './model/model.ts'
import type { Message } from './model/message.ts'
import type { Conversation } from './session/conversation.ts'

type AskingOptions = {
  readonly model: () => Model
  readonly tell: (message: Message) => void
  readonly conversation: Pick<Conversation, 'answer' | 'answerQuestion'>
  readonly askLine: CommandHost['ask']
  /** What stands in the editor. */
  readonly text: () => string
}

const GRACE_MS = 500

export function createAsking({ model, tell, conversation, askLine, text }: AskingOptions) {
  let standing: string | undefined
  let timer: NodeJS.Timeout | undefined
  let leftText: string | undefined
  let isOver = false

  const change = (part: Partial<Menu>) => tell({ kind: 'menu', menu: { ...model().menu, ...part } })

  /** A text has the keys, unless the person turned from it to what is asked. */
  const isAside = () => text() !== '' && text() !== leftText

  /** From the last sign that was typed on. */
  const wait = () => {
    clearTimeout(timer)
    if (isOver) return
    if (model().menu.isReady) change({ isReady: false })
    timer = setTimeout(() => change({ isReady: true, isAside: isAside() }), GRACE_MS)
  }

  function besideText(key: string): boolean {
    if (key !== 'tab') {
      if (isTyped(key)) wait()
      return false
    }
    leftText = text()
    change({ isReady: true, isAside: false })
    return true
  }

  function answer(ask: Ask, at: number): void {
    const { requestId } = ask
    if (ask.kind === 'question') {
      const choice = ask.choices[at]
      if (choice !== undefined) conversation.answerQuestion(requestId, choice)
      return
    }
    const chosen = permissionAnswers(ask)[at]
    if (chosen === undefined) return
    const { kind, option, takesReason } = chosen
    if (takesReason !== true)
      return conversation.answer(requestId, { kind, ...defined({ option }) })
    void askLine('Why not, or what to do instead?').then((feedback = '') => {
      if (feedback.trim() !== '') conversation.answer(requestId, { kind: 'deny', feedback })
    })
  }

  function digit(ask: Ask, key: string): boolean {
    const at = Number(key) - 1
    if (at < 0 || at >= answersOf(ask).length) return false
    const isLasting = ask.kind === 'permission' && permissionAnswers(ask)[at]?.isLasting === true
    if (isLasting) change({ at })
    else answer(ask, at)
    return true
  }

  return {
    /** The model is another one: something else may be asked now. */
    changed(): void {
      const asked = model().asks[0]?.requestId
      if (asked === standing) return
      standing = asked
      leftText = undefined
      clearTimeout(timer)
      if (asked !== undefined) wait()
    },
    /** True when the key was for what is asked. */
    press(key: string): boolean {
      const [ask] = model().asks
      if (ask === undefined) return false
      if (isAside()) return besideText(key)
      const { isReady, at } = model().menu
      const count = answersOf(ask).length
      if (key === 'up' || key === 'down' || key === 'tab') {
        const by = key === 'up' ? count - 1 : 1
        if (isReady && count > 0) change({ at: (at + by) % count })
        return true
      }
      if (key === 'enter') {
        if (isReady) answer(ask, at)
        return true
      }
      if (isReady && /^[1-9]$/.test(key) && digit(ask, key)) return true
      if (isTyped(key)) wait()
      return false
    },
    stop(): void {
      isOver = true
      clearTimeout(timer)
    },
  }
}

/** What may change the text of the editor; several signs in one read have no name. */
const isTyped = (key: string): boolean =>
  [...key].length <= 1 ||
  ['space', 'backspace', 'delete', 'ctrl+u', 'ctrl+w', 'ctrl+c'].includes(key)

/** The lines of the menu. */
export const answersOf = (ask: Ask): readonly string[] =>
  ask.kind === 'question' ? ask.choices : permissionAnswers(ask).map(({ says }) => says)
