/** Something that opens. What is inside is drawn when it is open, and stays as it was left when it scrolls away. */
import { createContext, type ComponentChildren } from 'preact'
import { useContext, useState } from 'preact/hooks'

export const OpenFolds = createContext(new Map<string, boolean>())

type Props = {
  readonly id: string
  readonly head: ComponentChildren
  readonly children: () => ComponentChildren
  readonly className?: string
  readonly isOpenAtFirst?: boolean
}

export function Fold({ id, head, children, className = '', isOpenAtFirst = false }: Props) {
  const folds = useContext(OpenFolds)
  const [isOpen, setOpen] = useState(folds.get(id) ?? isOpenAtFirst)
  const onToggle = (event: { currentTarget: HTMLDetailsElement }) => {
    folds.set(id, event.currentTarget.open)
    setOpen(event.currentTarget.open)
  }
  return (
    <details class={className} open={isOpen} onToggle={onToggle}>
      <summary>{head}</summary>
      {isOpen && <div class="fold-body">{children()}</div>}
    </details>
  )
}
