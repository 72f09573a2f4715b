/** The list of sessions with a look into the one that is marked. Draws what fits and nothing else. */
import { visibleWidth } from '@earendil-works/pi-tui'
import { ago, sizeText } from '../../../lib/quantities.ts'
import { attentionMarks } from '../../../state/attention.ts'
import { sessionTitle } from '../../../state/session-title.ts'
import type { FarPlace } from '../../../engine/remote-control.ts'
import { marked, type Picker, type Row } from '../picker/picker.ts'
import { fit, inLine, wrap } from './text.ts'
import type { Theme } from './theme.ts'

const WIDE = 100

/** Where there is little room, what nobody guesses stays. */
const KEYS = [
  'enter opens · ctrl+r renames · ctrl+f forks · ctrl+d deletes · esc leaves · type to filter',
  'enter opens · ctrl+r renames · ctrl+f forks · ctrl+d deletes · esc leaves',
  '^r name · ^f fork · ^d delete · esc back',
] as const

type PickerOptions = {
  readonly width: number
  readonly height: number
  readonly theme: Theme
  readonly now: Date
}

export function pickerLines(picker: Picker, options: PickerOptions): string[] {
  const { width, height, theme } = options
  const head = [
    `${theme.bold('Sessions')}  ${theme.cyan('❯')} ${inLine(picker.filter)}${theme.inverse(' ')}  ${theme.dim(counts(picker, options.now))}`,
    theme.dim('─'.repeat(width)),
  ]
  const foot = theme.dim(fit(KEYS.find((keys) => keys.length <= width) ?? KEYS[2], width))
  const room = height - head.length - 1
  const isWide = width >= WIDE
  const below = isWide ? 0 : Math.min(6, Math.floor(room / 3))
  const listWidth = isWide ? Math.floor(width * 0.58) : width
  const list = padded(listLines(picker, listWidth, room - below, options), room - below)
  const look = previewLines(
    picker,
    isWide ? width - listWidth - 3 : width,
    isWide ? room : below - 1,
    options,
  )
  if (!isWide)
    return [...head, ...list, ...padded([theme.dim('─'.repeat(width)), ...look], below), foot]
  const bar = theme.dim(' │ ')
  return [
    ...head,
    ...list.map((line, at) => filled(line, listWidth) + bar + (look[at] ?? '')),
    foot,
  ]
}

function counts({ rows, shown, total, far }: Picker, now: Date): string {
  if (rows === undefined) return 'reading…'
  const count = shown.length === rows.length ? `${total}` : `${shown.length} of ${total}`
  if (far?.trouble === undefined) return count
  const age =
    far.asOf.getTime() > 0 ? `, other machines as of ${ago(far.asOf.toISOString(), now)}` : ''
  return `${count} · Mission Control does not answer${age}`
}

function listLines(
  picker: Picker,
  width: number,
  height: number,
  { theme, now }: PickerOptions,
): string[] {
  const { shown, at } = picker
  if (shown.length === 0) return [theme.dim(picker.rows === undefined ? '' : nothing(picker))]
  // A group's heading takes a line; room for one more than fits is enough to keep the marked row in sight.
  const top = Math.max(
    0,
    Math.min(at - Math.floor(height / 2), shown.length - Math.floor(height / 2)),
  )
  const lines: string[] = []
  for (let place = top; lines.length < height && place < shown.length; place++) {
    const row = shown[place]
    if (row === undefined) break
    if (place === top || row.group !== shown[place - 1]?.group)
      lines.push(theme.dim(theme.bold(row.group)))
    lines.push(
      rowLine(
        row,
        { isMarked: place === at, isCurrent: row.session.id === picker.current },
        width,
        theme,
        now,
      ),
    )
  }
  return lines.slice(0, height)
}

const nothing = ({ rows = [] }: Picker): string =>
  rows.length === 0 ? '  no sessions yet: esc, and type a message' : '  nothing matches'

function rowLine(
  { session, attention }: Row,
  is: { readonly isMarked: boolean; readonly isCurrent: boolean },
  width: number,
  theme: Theme,
  now: Date,
): string {
  const mark = attention && attentionMarks[attention]
  const past = ago(session.modifiedAt, now)
  const age = mark === undefined ? past : isNow(attention) ? mark.words : `${mark.words} · ${past}`
  const when = session.remote === undefined ? age : `${placeOf(session.remote)} · ${age}`
  const sign = mark === undefined ? '' : `${mark.sign} `
  const room = width - when.length - 5
  const title = fit(`${sign}${is.isCurrent ? '▸ ' : ''}${inLine(sessionTitle(session))}`, room)
  const text = `${filled(title, room)} ${theme.dim(when)}`
  return is.isMarked ? `${theme.cyan('❯')} ${theme.cyan(text)}` : `  ${text}`
}

const placeOf = ({ machine, isStale, state }: FarPlace): string =>
  `⇄ ${fit(inLine(machine), 24)}${isStale ? ' not heard of' : state === 'idle' ? '' : ` ${state}`}`

const isNow = (attention: Row['attention']): boolean =>
  attention === 'running' || attention === 'waiting'

function previewLines(
  picker: Picker,
  width: number,
  height: number,
  { theme, now }: PickerOptions,
): string[] {
  const session = marked(picker)
  if (session === undefined) return []
  const facts = [
    session.id.slice(0, 8),
    session.branch === undefined ? '' : `⎇ ${session.branch}`,
    session.turns === undefined ? '' : `${session.turns} turn${session.turns === 1 ? '' : 's'}`,
    session.remote === undefined ? sizeText(session.bytes) : `on ${session.remote.machine}`,
    ago(session.modifiedAt, now),
    session.cwd ?? '',
  ].filter((fact) => fact !== '')
  const head = [
    ...wrap(theme.bold(inLine(sessionTitle(session))), width).slice(0, 2),
    fit(theme.dim(inLine(facts.join(' · '))), width),
  ]
  const said = picker.preview?.id === session.id ? picker.preview.lines : []
  const room = Math.max(0, height - head.length)
  return [...head, ...said.flatMap((line) => wrap(inLine(line), width).slice(0, 3)).slice(-room)]
}

const filled = (text: string, width: number): string =>
  text + ' '.repeat(Math.max(0, width - visibleWidth(text)))

const padded = (lines: readonly string[], height: number): string[] =>
  Array.from({ length: Math.max(0, height) }, (_, at) => lines[at] ?? '')
