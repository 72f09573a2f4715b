/** A formula, set once KaTeX is there; until then, and where it cannot be set, as it was written. */
import { useEffect, useReducer, useRef } from 'preact/hooks'
import { Code } from './code.tsx'
import { Copy } from './copy.tsx'

type Typesetter = (text: string, isBlock: boolean) => Node | undefined

let loaded: Typesetter | undefined
let loading: Promise<void> | undefined

export function Formula({ text }: { readonly text: string }) {
  const [node, box] = useTypeset<HTMLSpanElement>(text, false)
  if (node === undefined) return <code>{`$${text}$`}</code>
  return <span class="formula" ref={box} title={text} />
}

export function FormulaBlock({ text }: { readonly text: string }) {
  const [node, box] = useTypeset<HTMLDivElement>(text, true)
  if (node === undefined) return <Code text={text} language="math" />
  return (
    <div class="formula-block">
      <div class="formula" ref={box} tabIndex={0} role="group" aria-label="Formula" />
      <Copy text={text} what="formula" />
    </div>
  )
}

function useTypeset<E extends HTMLElement>(text: string, isBlock: boolean) {
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  const box = useRef<E>(null)
  useEffect(() => {
    if (loaded !== undefined) return
    // Without it a formula is read as it was written.
    loading ??= import('./typesetter.ts').then(
      async ({ prepare, typeset }) => {
        await prepare()
        loaded = typeset
      },
      () => {},
    )
    void loading.then(() => redraw(0))
  }, [])
  const node = loaded?.(text, isBlock)
  useEffect(() => {
    if (node !== undefined) box.current?.replaceChildren(node)
  })
  return [node, box] as const
}
