/** What the agent asks: what it would do, at such length as there is room for, and all answers below it. */
import type { Ask } from '../../../state/asks.ts'
import { answersOf } from '../asking.ts'
import type { Model } from '../model/model.ts'
import { diffLine } from './highlight.ts'
import { fit, folded, indent, inLine, wrap } from './text.ts'
import type { Paint, Theme } from './theme.ts'

type Room = { readonly width: number; readonly height: number; readonly theme: Theme }

export function askLines(ask: Ask, model: Model, room: Room): string[] {
  const { width, height, theme } = room
  const answers = answerLines(ask, model, room)
  const left = Math.max(2, height - answers.length)
  const shape = { width: width - 2, isOpen: model.isOpen, keep: 'head', faint: theme.dim } as const
  const text = (words: string, most: number, paint: Paint) =>
    folded(words, { ...shape, most: Math.max(1, most), paint }).slice(0, Math.max(1, left))
  const what = text(ask.what, Math.min(8, left - 1), theme.bold)
  const body =
    ask.kind === 'question' || ask.body === ''
      ? []
      : text(ask.body, Math.min(12, left - what.length - 1), (line) => diffLine(line, theme))
  const [first = '', ...more] = [...what, ...body]
  return [`${theme.yellow('?')} ${first}`, ...indent(more, '  ').slice(0, left - 1), ...answers]
}

function answerLines(
  ask: Ask,
  { menu, turn, hint }: Model,
  { width, theme }: Room,
): readonly string[] {
  const hasKeys = menu.isReady && !menu.isAside
  const lines = answersOf(ask).flatMap((words, at) => {
    const isMarked = hasKeys && at === menu.at
    const [first = '', ...more] = wrap(`${at + 1}. ${inLine(words)}`, width - 2)
    const shown = [`${isMarked ? '❯' : ' '} ${first}`, ...indent(more, '     ')]
    return shown.map((line) => (isMarked ? theme.cyan(line) : line))
  })
  const keys = hint ?? keysFor(ask, menu, turn.theirs)
  const short = keys.length + 2 > width ? keys.replace(' the turn', '') : keys
  return [...lines, fit(theme.dim(`  ${short}`), width)]
}

function keysFor(ask: Ask, menu: Model['menu'], isTheirs: boolean): string {
  const esc = isTheirs ? 'esc esc cancels the turn' : 'esc cancels the turn'
  const enter = ask.kind === 'question' ? 'enter sends your answer' : 'enter queues your message'
  if (menu.isAside) return `${enter} · tab to answer by choosing`
  if (!menu.isReady)
    return ask.kind === 'question' ? 'the agent asks you' : 'the agent asks to do this'
  if (ask.kind === 'permission') return `↑↓ enter, or a number · ${esc}`
  return ask.choices.length > 0
    ? `↑↓ enter, a number, or type an answer · ${esc}`
    : `type an answer and press enter · ${esc}`
}
