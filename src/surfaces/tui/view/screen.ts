/** The whole screen, exactly as high as the terminal: transcript, panel, editor, status; or the list of sessions. */
import type { Component, TuiMouseEvent, TuiMouseEventResult } from '@earendil-works/pi-tui'
import { isBusy, type Model } from '../model/model.ts'
import { markdownLines } from './entry.ts'
import { createFlow, type Flow } from './flow.ts'
import { greetingLines } from './greeting.ts'
import { panelLines } from './panel.ts'
import { isDrawing, type Pictures } from './pictures.ts'
import { pickerLines } from './picker.ts'
import { statusLine } from './status.ts'
import { fit, inLine } from './text.ts'
import type { Theme } from './theme.ts'

type ScreenOptions = {
  readonly theme: Theme
  readonly pictures: Pictures
  readonly model: () => Model
  readonly rows: () => number
  readonly editor: Component
  readonly now: () => Date
  /** The first line that is held came into view. */
  readonly onTop: () => void
  readonly onWheel: (lines: number) => void
}

type Screen = Component & {
  readonly flow: Flow
  /** The height of the transcript, as last drawn. */
  readonly height: () => number
}

export function createScreen(options: ScreenOptions): Screen {
  const { theme } = options
  const flow = createFlow(theme, options.pictures)
  const exactly = createFrame()
  let flowHeight = 0
  /** When what goes on began, as far as it was seen here. */
  let timed: { readonly since: Date; readonly begun: number } | undefined

  const render = (width: number): string[] => {
    const model = options.model()
    const rows = options.rows()
    if (model.picker !== undefined && model.dialog === undefined) {
      return exactly(
        pickerLines(model.picker, { width, height: rows, theme, now: options.now() }),
        rows,
        width,
      )
    }
    const status = statusLine(model, width, theme)
    const hasEditor = model.dialog === undefined && model.page === undefined
    const editor = hasEditor ? options.editor.render(width) : []
    const room = Math.max(1, rows - editor.length - 1)
    const now = options.now()
    const { begun, work } = model
    if (!isBusy(model) && work === undefined) timed = undefined
    else if (timed?.begun !== begun) timed = { since: now, begun }
    const since = timed?.since ?? now
    const height = Math.max(4, Math.floor(room * 0.7))
    const panel = panelLines(model, { width, height, theme, now, since }).slice(0, room - 1)
    flowHeight = room - panel.length
    const above = model.page === undefined ? transcript(model, width) : pageLines(model, width)
    return exactly([...above, ...panel, ...editor, status], rows, width)
  }

  function transcript(model: Model, width: number): string[] {
    if (model.window.items.length === 0 && model.live.text === '') {
      return bottom(greetingLines(model, width, theme), flowHeight)
    }
    const { lines, isAtTop } = flow.frame(model, width, flowHeight)
    if (isAtTop) options.onTop()
    return bottom(lines, flowHeight)
  }

  function pageLines({ page }: Model, width: number): string[] {
    if (page === undefined) return []
    const lines = markdownLines(page.text, width, theme)
    const room = flowHeight - 3
    const top = Math.max(0, Math.min(page.top, lines.length - room))
    const place =
      lines.length > room
        ? ` ${top + 1}–${Math.min(lines.length, top + room)} of ${lines.length} · up/down`
        : ''
    const shown = lines.slice(top, top + room)
    const foot = theme.dim(`esc closes${place}`)
    return [
      theme.bold(fit(inLine(page.title), width)),
      '',
      ...shown,
      ...Array<string>(Math.max(0, room - shown.length)).fill(''),
      foot,
    ]
  }

  return {
    flow,
    height: () => flowHeight,
    render,
    invalidate() {},
    handleMouse(event: TuiMouseEvent): TuiMouseEventResult | undefined {
      if (event.type !== 'wheel' || event.wheelDelta === undefined) return undefined
      options.onWheel(event.wheelDelta)
      return { handled: true }
    },
  }
}

const bottom = (lines: readonly string[], height: number): string[] => [
  ...Array<string>(Math.max(0, height - lines.length)).fill(''),
  ...lines.slice(-height),
]

/** As many lines as there are rows, each no wider than the screen. Lines that stand as they stood are not measured again. */
function createFrame() {
  let last = { width: 0, given: [] as readonly string[], drawn: [] as readonly string[] }
  return (lines: readonly string[], rows: number, width: number): string[] => {
    const { given, drawn } = last.width === width ? last : { given: [], drawn: [] }
    const frame = Array.from({ length: rows }, (_, at) => {
      const line = lines[at] ?? ''
      const known = given[at] === line ? drawn[at] : undefined
      // What draws a picture takes no room in its line, and is nothing when it is cut.
      return known ?? (isDrawing(line) ? line : fit(line, width))
    })
    last = { width, given: lines, drawn: frame }
    return frame
  }
}
