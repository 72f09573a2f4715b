/** What is told this once, to be copied: a link or a token. */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'

type Props = {
  readonly label: string
  readonly text: string
  readonly children: ComponentChildren
}

export function OneTime({ label, text, children }: Props) {
  const [said, setSaid] = useState('')
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setSaid('Copied.'),
      // A browser may forbid it, and does so without a reason.
      () => setSaid('It could not be copied by itself: select it and copy it.'),
    )
  return (
    <div class="fields">
      <label>
        {label}
        <input readOnly value={text} onFocus={(event) => event.currentTarget.select()} />
      </label>
      <p class="faint">{children}</p>
      <div class="buttons">
        <button type="button" class="primary" onClick={() => void copy()}>
          Copy
        </button>
        <span role="status">{said}</span>
      </div>
    </div>
  )
}
