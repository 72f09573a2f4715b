/** What stands between the transcript and the editor: what runs, what waits, what is asked. */
import { visibleWidth } from '@earendil-works/pi-tui'
import { matching, type Dialog } from '../model/dialog.ts'
import { hasLostQuestion, isBusy, type Model } from '../model/model.ts'
import { askLines } from './ask.ts'
import { diffLine } from './highlight.ts'
import { workingLines } from './working.ts'
import { fit, inLine, inLines, wrap } from './text.ts'
import type { Theme } from './theme.ts'

const MOST_QUEUED = 3

type PanelOptions = {
  readonly width: number
  readonly height: number
  readonly theme: Theme
  readonly now: Date
  /** When what goes on began. */
  readonly since: Date
}

export function panelLines(model: Model, options: PanelOptions): string[] {
  const { width, height, theme } = options
  if (model.dialog !== undefined) return dialogLines(model.dialog, width, height, theme)
  const [ask] = model.asks
  return [
    ...workingLines(model, options),
    ...queueLines(model, width, theme),
    ...(hasLostQuestion(model) ? [fit(`  ${theme.yellow('enter')} asks again`, width)] : []),
    ...(ask === undefined ? [] : askLines(ask, model, { width, height, theme })),
  ]
}

function queueLines(model: Model, width: number, theme: Theme): string[] {
  const { queue } = model
  if (queue.length === 0) return []
  const said = queue.slice(0, MOST_QUEUED).map(({ prompt }) => `“${fit(inLine(prompt), 40)}”`)
  const more = queue.length > MOST_QUEUED ? `, ${queue.length - MOST_QUEUED} more` : ''
  const keys = isBusy(model)
    ? '↑ edits the last · /queue'
    : 'enter on an empty line sends them · ↑ edits the last'
  const line = `Queued (${queue.length}): ${said.join(', ')}${more}`
  const whole = `${line} · ${keys}`
  return visibleWidth(whole) <= width
    ? [theme.dim(whole)]
    : [fit(theme.dim(line), width), fit(theme.dim(keys), width)]
}

function dialogLines(dialog: Dialog, width: number, height: number, theme: Theme): string[] {
  const title = wrap(theme.bold(inLines(dialog.title).join('\n')), width)
  if (dialog.kind === 'confirm')
    return [...title, `  ${theme.yellow('y')} yes  ${theme.yellow('n')} no`]
  if (dialog.kind === 'line')
    return [...title, fit(`❯ ${inLine(dialog.text)}${theme.inverse(' ')}`, width)]
  const shown = matching(dialog)
  const most = height - title.length - 2
  const room = Math.max(3, most - Math.min(LEAST_PREVIEW, dialog.preview?.length ?? 0))
  const preview = previewLines(
    dialog,
    Math.max(0, most - Math.min(room, shown.length)),
    width,
    theme,
  )
  const top = Math.max(0, Math.min(dialog.at - Math.floor(room / 2), shown.length - room))
  const column = labelWidth(dialog, width)
  const rows = shown.slice(top, top + room).map((place, at) => {
    const { label = '', detail = '' } = dialog.options[place] ?? {}
    const name = inLine(label)
    const gap = ' '.repeat(Math.max(0, column - visibleWidth(name)))
    const text = `${name}${gap}  ${theme.dim(inLine(detail))}`
    return fit(top + at === dialog.at ? theme.cyan(`❯ ${text}`) : `  ${text}`, width)
  })
  const foot =
    dialog.deeds !== undefined
      ? [...dialog.deeds.map(([key, what]) => `${key} ${what}`), 'esc leaves'].join(' · ')
      : dialog.filter === ''
        ? dialog.givesWay === true
          ? 'enter chooses · esc, or a message that you type, leaves'
          : `enter chooses · esc leaves · type to filter${shown.length > room ? ` · ${dialog.at + 1} of ${shown.length}` : ''}`
        : `filter: ${inLine(dialog.filter)}${shown.length === 0 ? ' · nothing has these words · ctrl+u clears' : ''}`
  return [...title, ...rows, ...preview, theme.dim(foot)]
}

const LEAST_PREVIEW = 6

/** What is said of names stands in one column, unless one of them is long; the same while a list is narrowed. */
function labelWidth({ options }: Extract<Dialog, { kind: 'choice' }>, width: number): number {
  const widest = Math.max(
    0,
    ...options.slice(0, 100).map(({ label }) => visibleWidth(inLine(label))),
  )
  return widest <= width / 3 ? widest : 0
}

/** As much as there is room for; a difference has its colours. */
function previewLines(
  { preview = [] }: Extract<Dialog, { kind: 'choice' }>,
  most: number,
  width: number,
  theme: Theme,
): string[] {
  const isDiff = preview.some((line) => line.startsWith('@@ '))
  const paint = (line: string) => (isDiff ? diffLine(line, theme) : theme.dim(line))
  const hidden = preview.length - most
  const lines = hidden > 0 ? preview.slice(0, Math.max(0, most - 1)) : preview
  return [
    ...lines.map((line) => fit(`  ${paint(inLine(line))}`, width)),
    ...(hidden > 0 ? [theme.dim(`  … ${hidden + 1} more lines`)] : []),
  ]
}
