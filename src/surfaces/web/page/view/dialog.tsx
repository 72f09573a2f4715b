/** A window over the page. The browser's own: it keeps the focus inside, gives it back, and Escape closes it. */
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { Icon } from './icon.tsx'

type Props = {
  readonly title: string
  readonly className?: string
  readonly onClose: () => void
  readonly children: ComponentChildren
}

export function Dialog({ title, className, onClose, children }: Props) {
  const element = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    element.current?.showModal()
    // Without a field the browser chooses.
    element.current?.querySelector<HTMLElement>('textarea, input')?.focus()
    return () => element.current?.close()
  }, [])
  return (
    <dialog ref={element} class={className} aria-labelledby={id} onClose={onClose}>
      <header class="dialog-head">
        <h2 id={id}>{title}</h2>
        <button type="button" class="quiet sign" aria-label="Close" onClick={onClose}>
          <Icon name="close" />
        </button>
      </header>
      {children}
    </dialog>
  )
}
