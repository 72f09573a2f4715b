/** Puts a text on the clipboard and says that it did. */
import { useEffect, useState } from 'preact/hooks'
import { Icon } from './icon.tsx'

const SHOWN_MS = 1500

export function Copy({
  text,
  what,
}: {
  readonly text: string | (() => string)
  readonly what: string
}) {
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return undefined
    const timer = setTimeout(() => setCopied(false), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [isCopied])
  const copy = () =>
    void navigator.clipboard
      .writeText(typeof text === 'string' ? text : text())
      .then(() => setCopied(true))
  const name = isCopied ? 'Copied' : `Copy ${what}`
  return (
    <button type="button" class="quiet sign copy" aria-label={name} title={name} onClick={copy}>
      <Icon name={isCopied ? 'check' : 'copy'} />
    </button>
  )
}
