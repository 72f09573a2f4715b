/** What stands between the transcript and the editor: what runs, what waits, what is asked. */
import type { Ask } from '../../../state/asks.ts'
import { matching } from '../model/dialog.ts'
import type { Dialog } from '../model/dialog.ts'
import { isBusy } from '../model/model.ts'
import type { Model } from '../model/model.ts'
import { diffLine } from './highlight.ts'
import { fit, folded, indent, inLine, inLines, wrap } from './text.ts'
import type { Theme } from './theme.ts'

const MOST_QUEUED = 3

export function panelLines(model: Model, width: number, height: number, theme: Theme): string[] {
  if (model.dialog !== undefined) return dialogLines(model.dialog, width, height, theme)
  const [ask] = model.asks
  return [
    ...working(model, width, theme),
    ...queueLines(model, width, theme),
    ...(ask === undefined ? [] : askLines(ask, model, width, theme)),
  ]
}

function working(model: Model, width: number, theme: Theme): string[] {
  if (model.work !== undefined)
    return [fit(`${theme.yellow('●')} ${theme.dim(`${inLine(model.work)}…`)}`, width)]
  if (!isBusy(model) || model.asks.length > 0) return []
  const what = model.turn.theirs
    ? 'another terminal is at work here'
    : (model.live.retry ?? model.live.intent ?? (model.live.text === '' ? 'working' : 'answering'))
  return [fit(`${theme.yellow('●')} ${theme.dim(`${inLine(what)}…`)}`, width)]
}

function queueLines(model: Model, width: number, theme: Theme): string[] {
  const { queue } = model
  const lines = queue
    .slice(0, MOST_QUEUED)
    .map(({ prompt }, at) => fit(theme.dim(`${at + 1} waits: ${inLine(prompt)}`), width))
  if (queue.length > MOST_QUEUED) lines.push(theme.dim(`… ${queue.length - MOST_QUEUED} more`))
  const hint = isBusy(model)
    ? 'up takes the last one back, /queue changes them'
    : 'enter on an empty line sends them, up takes the last one back'
  return queue.length === 0 ? [] : [...lines, theme.dim(hint)]
}

function askLines(ask: Ask, { isOpen, turn }: Model, width: number, theme: Theme): string[] {
  const shape = { width: width - 2, isOpen, keep: 'head', faint: theme.dim } as const
  if (ask.kind === 'permission') {
    const what = folded(ask.what, { ...shape, most: 6, paint: theme.bold })
    const body =
      ask.body === ''
        ? []
        : folded(ask.body, { ...shape, most: 8, paint: (line) => diffLine(line, theme) })
    return [
      `${theme.yellow('?')} ${what[0] ?? ''}`,
      ...indent([...what.slice(1), ...body], '  '),
      ...(ask.always === undefined
        ? []
        : [fit(`  ${theme.yellow('a')} allow ${inLine(ask.always)} until you quit`, width)]),
      `  ${theme.yellow('y')} allow  ${theme.yellow('n')} refuse  ${theme.dim(turn.theirs ? 'esc esc cancels the turn' : 'esc cancels the turn')}`,
    ]
  }
  const choices = ask.choices.map((choice, at) =>
    fit(`  ${theme.yellow(String(at + 1))} ${inLine(choice)}`, width),
  )
  return [
    ...indent(folded(ask.what, { ...shape, most: 8, paint: theme.bold }), `${theme.yellow('?')} `),
    ...choices,
    theme.dim(
      ask.choices.length > 0
        ? '  a number, or type an answer and press enter'
        : '  type an answer and press enter',
    ),
  ]
}

function dialogLines(dialog: Dialog, width: number, height: number, theme: Theme): string[] {
  const title = wrap(theme.bold(inLines(dialog.title).join('\n')), width)
  if (dialog.kind === 'confirm')
    return [...title, `  ${theme.yellow('y')} yes  ${theme.yellow('n')} no`]
  if (dialog.kind === 'line')
    return [...title, fit(`❯ ${inLine(dialog.text)}${theme.inverse(' ')}`, width)]
  const shown = matching(dialog)
  const preview = (dialog.preview ?? [])
    .slice(0, 6)
    .map((line) => fit(`  ${theme.dim(inLine(line))}`, width))
  const room = Math.max(3, height - title.length - preview.length - 2)
  const top = Math.max(0, Math.min(dialog.at - Math.floor(room / 2), shown.length - room))
  const rows = shown.slice(top, top + room).map((place, at) => {
    const { label = '', detail = '' } = dialog.options[place] ?? {}
    const text = `${inLine(label)}  ${theme.dim(inLine(detail))}`
    return fit(top + at === dialog.at ? theme.cyan(`❯ ${text}`) : `  ${text}`, width)
  })
  const foot =
    dialog.deeds !== undefined
      ? [...dialog.deeds.map(([key, what]) => `${key} ${what}`), 'esc leaves'].join(' · ')
      : dialog.filter === ''
        ? 'enter chooses · esc leaves · type to filter'
        : `filter: ${inLine(dialog.filter)}`
  return [...title, ...rows, ...preview, theme.dim(foot)]
}
