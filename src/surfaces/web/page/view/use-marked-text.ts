/** Marks the text that was found in the row that is shown, and brings it onto the screen. Nothing of the row is changed. */
import { useEffect } from 'preact/hooks'
import type { RefObject } from 'preact'
import { placeOfText } from '../model/place-of-text.ts'

const NAME = 'found'
/** A row is drawn, measured and put in its place within a few frames. */
const MOST_FRAMES = 60
const SETTLED_FRAMES = 3

export function useMarkedText(
  box: RefObject<HTMLElement | null>,
  row: string | undefined,
  { text, times }: { readonly text?: string | undefined; readonly times: number },
): void {
  useEffect(() => {
    if (row === undefined || text === undefined || !('highlights' in CSS)) return undefined
    let frames = 0
    let drawn = 0
    let next = requestAnimationFrame(look)
    function look() {
      const element = box.current?.querySelector(`[data-row="${CSS.escape(row ?? '')}"]`)
      if (element) drawn++
      if (drawn >= SETTLED_FRAMES && element) return mark(element, text ?? '')
      if (++frames < MOST_FRAMES) next = requestAnimationFrame(look)
    }
    return () => {
      cancelAnimationFrame(next)
      CSS.highlights.delete(NAME)
    }
  }, [row, text, times])
}

function mark(row: Element, text: string): void {
  const range = rangeOf(row, text)
  if (range === undefined) return
  CSS.highlights.set(NAME, new Highlight(range))
  const { top, bottom } = range.getBoundingClientRect()
  const seen = row.closest('.scroll')?.getBoundingClientRect()
  const isSeen = seen === undefined || (top >= seen.top && bottom <= seen.bottom)
  if (!isSeen) range.startContainer.parentElement?.scrollIntoView({ block: 'center' })
}

function rangeOf(row: Element, text: string): Range | undefined {
  const nodes: Text[] = []
  const walker = document.createTreeWalker(row, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) nodes.push(walker.currentNode as Text)
  const place = placeOfText(
    nodes.map(({ data }) => data),
    text,
  )
  const [first, last] = [nodes[place?.start.node ?? -1], nodes[place?.end.node ?? -1]]
  if (place === undefined || first === undefined || last === undefined) return undefined
  const range = document.createRange()
  range.setStart(first, place.start.offset)
  range.setEnd(last, place.end.offset)
  return range
}
