/**
 * The transcript as lines, of which only those that are seen are ever laid out. The place of the reader is an item and
 * a line in it, so nothing moves under their eyes while more is said below.
 */
import { isBusy, type Anchor, type Model } from '../model/model.ts'
import type { Item } from '../model/window.ts'
import { entryLines } from './entry.ts'
import { createLiveView } from './live.ts'
import type { Pictures } from './pictures.ts'
import type { PaletteName } from './palettes.ts'
import type { Theme } from './theme.ts'

export type Flow = {
  /** The lines that fit, and whether the first of them is the first that is held. */
  frame(
    model: Model,
    width: number,
    height: number,
  ): { readonly lines: string[]; readonly isAtTop: boolean }
  /** Where the reader is after moving up by so many lines; none when that is the end. */
  moved(model: Model, width: number, height: number, up: number): Anchor | undefined
}

type Cached = {
  readonly width: number
  readonly isOpen: boolean
  readonly tail: string | undefined
  readonly isStalled: boolean
  readonly palette: PaletteName
  readonly pictures: number
  readonly lines: string[]
}

const LIVE = 'live'

export function createFlow(theme: Theme, pictures: Pictures): Flow {
  const cache = new WeakMap<Item['entry'], Cached>()
  const liveView = createLiveView()

  const linesOf = (item: Item, model: Model, width: number): string[] => {
    const { isOpen, live } = model
    const tail = item.entry.kind === 'tool' ? live.tails[item.entry.toolCallId] : undefined
    const isStalled = item.entry.kind === 'tool' && !isBusy(model)
    const palette = theme.palette()
    const known = cache.get(item.entry)
    if (
      known?.width === width &&
      known.isOpen === isOpen &&
      known.tail === tail &&
      known.isStalled === isStalled &&
      known.palette === palette &&
      (known.pictures === pictures.version() || !hasPictures(item))
    )
      return known.lines
    const lines = entryLines(item, { width, isOpen, theme, pictures, tails: live.tails, isStalled })
    cache.set(item.entry, {
      width,
      isOpen,
      tail,
      isStalled,
      palette,
      pictures: pictures.version(),
      lines,
    })
    return lines
  }

  /** Parts from the end upwards, so that a caller that has enough stops. */
  function* upwards(model: Model, width: number): Generator<{ key: string; lines: string[] }> {
    const { live, window } = model
    if (!window.isDetached && (live.text !== '' || live.thought !== '')) {
      yield { key: LIVE, lines: liveView(live, { width, isOpen: model.isOpen, theme }) }
    }
    for (let at = window.items.length - 1; at >= 0; at--) {
      const item = window.items[at]
      if (item !== undefined) yield { key: item.key, lines: linesOf(item, model, width) }
    }
  }

  /** An anchor that is the first line, told by the last line that is then seen. */
  function fromLast(model: Model, width: number, height: number): Model {
    const { anchor, window } = model
    if (anchor?.isFirst !== true) return model
    const from = window.items.findIndex(({ key }) => key === anchor.key)
    let left = height + anchor.line
    for (const item of from === -1 ? [] : window.items.slice(from)) {
      const { length } = linesOf(item, model, width)
      if (left <= length) return { ...model, anchor: { key: item.key, line: left - 1 } }
      left -= length
    }
    return { ...model, anchor: undefined }
  }

  /** Lines upwards from the anchor, or from the end when it is none or gone. */
  function* linesUp(
    model: Model,
    width: number,
  ): Generator<{ key: string; line: number; text: string }> {
    const { anchor } = model
    const isHeld =
      anchor !== undefined &&
      (anchor.key === LIVE || model.window.items.some(({ key }) => key === anchor.key))
    let isBelow = isHeld
    for (const { key, lines } of upwards(model, width)) {
      let from = lines.length - 1
      if (isBelow) {
        if (key !== anchor?.key) continue
        isBelow = false
        from = Math.min(from, anchor.line)
      }
      for (let line = from; line >= 0; line--) yield { key, line, text: lines[line] ?? '' }
    }
  }

  return {
    frame(model, width, height) {
      const lines: string[] = []
      for (const { text } of linesUp(fromLast(model, width, height), width)) {
        if (lines.length === height)
          return { lines: pictures.whole(lines.reverse()), isAtTop: false }
        lines.push(text)
      }
      return { lines: pictures.whole(lines.reverse()), isAtTop: true }
    },
    moved(given, width, height, up) {
      const model = fromLast(given, width, height)
      if (up < 0) return downwards(model, width, -up)
      let count = 0
      const seen: Anchor[] = []
      for (const { key, line } of linesUp(model, width)) {
        seen.push({ key, line })
        if (++count > up + height) break
      }
      // The first line stays at the top of the screen: nobody scrolls into nothing.
      const at = Math.min(up, Math.max(0, seen.length - height))
      return at === 0 ? model.anchor : seen[at]
    },
  }

  function downwards(model: Model, width: number, down: number): Anchor | undefined {
    const { anchor } = model
    if (anchor === undefined) return undefined
    const below: Anchor[] = []
    for (const { key, lines } of upwards(model, width)) {
      const isIt = key === anchor.key
      for (let line = lines.length - 1; line > (isIt ? anchor.line : -1); line--)
        below.push({ key, line })
      if (isIt) break
    }
    return below.length <= down ? undefined : below[below.length - down]
  }
}

const hasPictures = ({ entry }: Item): boolean =>
  'pictures' in entry && entry.pictures !== undefined
