/** A button that opens a list of things to do. Escape and a click elsewhere close it; the arrows go through it. */
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { Icon, type IconName } from './icon.tsx'

type Props = {
  readonly name: string
  readonly icon?: IconName
  /** What the button shows in place of its sign. */
  readonly face?: ComponentChildren
  readonly children: ComponentChildren
}

export function Menu({ name, icon = 'more', face, children }: Props) {
  const menu = useRef<HTMLDetailsElement>(null)
  const close = () => {
    if (menu.current !== null) menu.current.open = false
  }
  useEffect(() => {
    const elsewhere = (event: Event) => {
      if (!(menu.current?.contains(event.target as Node) ?? false)) close()
    }
    addEventListener('pointerdown', elsewhere)
    return () => removeEventListener('pointerdown', elsewhere)
  }, [])
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      close()
      menu.current?.querySelector('summary')?.focus()
      event.stopPropagation()
    }
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (by === 0 || menu.current?.open !== true) return
    event.preventDefault()
    const all = [...menu.current.querySelectorAll<HTMLElement>('.menu-list :is(a, button:enabled)')]
    const at = all.indexOf(document.activeElement as HTMLElement)
    all.at((at + by + all.length) % Math.max(1, all.length))?.focus()
  }
  return (
    <details
      ref={menu}
      class="menu"
      onKeyDown={onKeyDown}
      onFocusOut={(event) => {
        if (
          event.relatedTarget !== null &&
          !event.currentTarget.contains(event.relatedTarget as Node)
        )
          close()
      }}
    >
      <summary aria-label={name} title={name} class={face === undefined ? 'sign' : ''}>
        {face ?? <Icon name={icon} />}
      </summary>
      <div class="menu-list" onClick={close}>
        {children}
      </div>
    </details>
  )
}

type ItemProps = {
  readonly icon?: IconName
  readonly children: ComponentChildren
  readonly onClick: () => void
  readonly isOff?: boolean
  readonly isBad?: boolean
}

export const MenuItem = ({ icon, children, onClick, isOff = false, isBad = false }: ItemProps) => (
  <button type="button" class={isBad ? 'danger' : ''} disabled={isOff} onClick={onClick}>
    {icon !== undefined && <Icon name={icon} />}
    <span>{children}</span>
  </button>
)
