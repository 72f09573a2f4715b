/**
 * A list that draws only what is near the screen. What the reader looks at stays where it is, whatever is added or
 * measured above it; with `follows`, a reader at the end stays at the end.
 */
import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useReducer, useRef } from 'preact/hooks'
import { layOut, rowAt, rowsBetween, totalOf } from '../model/window.ts'
import type { Layout } from '../model/window.ts'

type Props = {
  readonly keys: readonly string[]
  readonly render: (index: number) => ComponentChildren
  readonly estimate: number
  readonly label: string
  readonly className?: string
  readonly follows?: boolean
  /** The row with this key is brought into view when it changes. */
  readonly reveal?: string | undefined
  readonly onStart?: () => void
  readonly onEnd?: () => void
  readonly onLeaveEnd?: (isAtEnd: boolean) => void
}

const MARGIN = 800
const NEAR = 40

type Eye = {
  top: number
  height: number
  isAtEnd: boolean
  key: string | undefined
  inside: number
}

export function VirtualList(props: Props) {
  const { keys, render, estimate, label, className = '', follows = false } = props
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  const box = useRef<HTMLDivElement>(null)
  const inner = useRef<HTMLDivElement>(null)
  const heights = useRef(new Map<string, number>()).current
  const eye = useRef<Eye>({
    top: 0,
    height: 800,
    isAtEnd: follows,
    key: undefined,
    inside: 0,
  }).current

  const layout = layOut(keys, heights, estimate)
  const total = totalOf(layout)
  const top = follows && eye.isAtEnd ? Math.max(0, total - eye.height) : eye.top
  const { from, to } = rowsBetween(layout, top, top + eye.height, MARGIN)

  const look = (element: HTMLElement) => {
    eye.top = element.scrollTop
    eye.height = element.clientHeight
    const row = rowAt(layout, eye.top)
    eye.key = keys[row]
    eye.inside = eye.top - (layout.offsets[row] ?? 0)
    const wasAtEnd = eye.isAtEnd
    eye.isAtEnd = element.scrollHeight - element.clientHeight - element.scrollTop < NEAR
    if (wasAtEnd !== eye.isAtEnd) props.onLeaveEnd?.(eye.isAtEnd)
  }
  const onScroll = () => {
    if (box.current === null) return
    look(box.current)
    if (eye.top < MARGIN) props.onStart?.()
    if (eye.top + eye.height > total - MARGIN) props.onEnd?.()
    redraw(0)
  }

  useLayoutEffect(() => {
    if (box.current === null || inner.current === null) return
    eye.height = box.current.clientHeight
    if (measure(inner.current, heights)) redraw(0)
    else hold(box.current, eye, follows, layout, keys)
  })

  useLayoutEffect(() => {
    const index = props.reveal === undefined ? -1 : keys.indexOf(props.reveal)
    if (box.current === null || index === -1) return
    const start = layout.offsets[index] ?? 0
    const end = layout.offsets[index + 1] ?? start
    const { scrollTop, clientHeight } = box.current
    if (start >= scrollTop && end <= scrollTop + clientHeight) return
    eye.isAtEnd = false
    eye.key = keys[index]
    eye.inside = -NEAR
    box.current.scrollTop = Math.max(0, start - NEAR)
    look(box.current)
    redraw(0)
  }, [props.reveal])

  useEffect(() => {
    if (box.current === null || inner.current === null) return undefined
    const observer = new ResizeObserver(() => redraw(0))
    observer.observe(box.current)
    observer.observe(inner.current)
    return () => observer.disconnect()
  }, [])

  /** A person who opens something wants to read it, not to be carried to the end. */
  const onClickCapture = (event: Event) => {
    const target = event.target as Element
    if (box.current === null || target.closest('summary, button') === null) return
    look(box.current)
    eye.isAtEnd = false
  }

  return (
    <div
      ref={box}
      class={`scroll ${className}`}
      onScroll={onScroll}
      onClickCapture={onClickCapture}
      role="region"
      aria-label={label}
      tabIndex={0}
    >
      <div ref={inner} class="rows">
        <div style={{ height: `${layout.offsets[from] ?? 0}px` }} />
        {keys.slice(from, to).map((key, index) => (
          <div key={key} data-row={key} class="row">
            {render(from + index)}
          </div>
        ))}
        <div style={{ height: `${total - (layout.offsets[to] ?? total)}px` }} />
      </div>
    </div>
  )
}

function measure(inner: HTMLElement, heights: Map<string, number>): boolean {
  let isChanged = false
  for (const row of inner.children) {
    const key = (row as HTMLElement).dataset['row']
    if (key === undefined) continue
    const { height } = row.getBoundingClientRect()
    if (Math.abs((heights.get(key) ?? -1) - height) < 0.5) continue
    heights.set(key, height)
    isChanged = true
  }
  return isChanged
}

function hold(
  box: HTMLElement,
  eye: Eye,
  follows: boolean,
  layout: Layout,
  keys: readonly string[],
): void {
  if (follows && eye.isAtEnd) {
    box.scrollTop = box.scrollHeight
    eye.top = box.scrollTop
    return
  }
  if (eye.key === undefined) return
  const index = keys.indexOf(eye.key)
  if (index === -1) return
  const wanted = (layout.offsets[index] ?? 0) + eye.inside
  if (Math.abs(wanted - box.scrollTop) > 1) box.scrollTop = wanted
}
