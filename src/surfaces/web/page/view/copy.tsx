/** Puts a text on the clipboard and says that it did. */
import { useEffect, useState } from 'preact/hooks'
import { Icon } from './icon.tsx'

const SHOWN_MS = 1500

const outcomes = {
  copied: ['Copied', 'check'],
  failed: ['The browser forbids it: select the text and copy it', 'failed'],
} as const

export function Copy({
  text,
  what,
}: {
  readonly text: string | (() => string)
  readonly what: string
}) {
  const [outcome, setOutcome] = useState<keyof typeof outcomes>()
  useEffect(() => {
    if (outcome === undefined) return undefined
    const timer = setTimeout(() => setOutcome(undefined), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [outcome])
  // A browser may forbid it, and does so without a reason.
  const copy = () =>
    void navigator.clipboard.writeText(typeof text === 'string' ? text : text()).then(
      () => setOutcome('copied'),
      () => setOutcome('failed'),
    )
  const [name, icon] =
    outcome === undefined ? ([`Copy ${what}`, 'copy'] as const) : outcomes[outcome]
  return (
    <button type="button" class="quiet sign copy" aria-label={name} title={name} onClick={copy}>
      <Icon name={icon} />
    </button>
  )
}
