/**
 * A list that draws only what is near the screen, by TanStack Virtual. What the reader looks at stays where it is,
 * whatever is added or measured above it; with `follows`, a reader at the end stays at the end.
 */
import {
  elementScroll,
  observeElementOffset,
  observeElementRect,
  Virtualizer,
  type VirtualizerOptions,
} from '@tanstack/virtual-core'
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useReducer, useRef } from 'preact/hooks'

type Props = {
  readonly keys: readonly string[]
  readonly render: (index: number) => ComponentChildren
  readonly estimate: number
  readonly label: string
  readonly className?: string
  readonly follows?: boolean
  /** The row with this key is brought into view when it changes, or when it is there at last. */
  readonly reveal?: string | undefined
  readonly onStart?: () => void
  readonly onEnd?: () => void
  readonly onLeaveEnd?: (isAtEnd: boolean) => void
}

type List = Virtualizer<HTMLDivElement, HTMLDivElement>

/** Rows that are drawn beyond the screen. */
const OVERSCAN = 12
/** A list of so few is drawn whole: the browser's own search finds what is in it, and a reader of screens reads it. */
const WHOLE = 80
const NEAR = 40
/** What lies nearer than this to an end is asked for. */
const AHEAD = 800

export function VirtualList(props: Props) {
  const { keys, render, estimate, label, className = '', follows = false, reveal } = props
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  const box = useRef<HTMLDivElement>(null)
  const latest = useRef(props)
  latest.current = props
  const wasAtEnd = useRef(follows)
  const revealed = useRef<string | undefined>(undefined)
  const list = useRef<List | undefined>(undefined)

  const options: VirtualizerOptions<HTMLDivElement, HTMLDivElement> = {
    count: keys.length,
    getScrollElement: () => box.current,
    estimateSize: () => estimate,
    getItemKey: (index) => keys[index] ?? index,
    scrollToFn: elementScroll,
    observeElementRect: (instance, tell) => {
      let height: number | undefined
      return observeElementRect(instance, (rect) => {
        // What is asked below the list makes it lower; a reader at the end stays there.
        const stays = follows && height !== undefined && height !== rect.height && wasAtEnd.current
        height = rect.height
        tell(rect)
        if (stays) instance.scrollToEnd()
      })
    },
    observeElementOffset,
    overscan: keys.length <= WHOLE ? WHOLE : OVERSCAN,
    initialRect: { width: 0, height: 800 },
    onChange: (instance) => {
      look(instance)
      redraw(0)
    },
    ...(follows && { anchorTo: 'end', followOnAppend: true, scrollEndThreshold: NEAR }),
  }
  list.current ??= new Virtualizer(options)
  const virtual = list.current
  virtual.setOptions(options)

  function look(instance: List) {
    const { onStart, onEnd, onLeaveEnd } = latest.current
    const offset = instance.scrollOffset ?? 0
    const isAtEnd = instance.isAtEnd(NEAR)
    if (isAtEnd !== wasAtEnd.current) {
      wasAtEnd.current = isAtEnd
      onLeaveEnd?.(isAtEnd)
    }
    if (!instance.isScrolling) return
    if (offset < AHEAD) onStart?.()
    if (instance.getDistanceFromEnd() < AHEAD) onEnd?.()
  }

  useLayoutEffect(() => {
    const leave = virtual._didMount()
    virtual._willUpdate()
    if (follows && reveal === undefined) virtual.scrollToEnd()
    return leave
  }, [virtual])
  useLayoutEffect(() => virtual._willUpdate())
  useLayoutEffect(() => {
    if (reveal === revealed.current) return
    const index = reveal === undefined ? -1 : keys.indexOf(reveal)
    if (index === -1) return
    revealed.current = reveal
    virtual.scrollToIndex(index, { align: follows ? 'start' : 'auto' })
  }, [reveal, keys])

  const items = virtual.getVirtualItems()
  const [first] = items
  return (
    <div ref={box} class={`scroll ${className}`} role="region" aria-label={label} tabIndex={0}>
      <div class="rows" style={{ height: `${virtual.getTotalSize()}px` }}>
        <div class="rows-drawn" style={{ transform: `translateY(${first?.start ?? 0}px)` }}>
          {items.map(({ index, key }) => (
            <div
              key={String(key)}
              data-row={String(key)}
              data-index={index}
              class="row"
              ref={virtual.measureElement}
            >
              {render(index)}
            </div>
          ))}
        </div>
      </div>
    </div>
  )
}
