/** A block of code with a button to copy it. */
import { useState } from 'preact/hooks'
import { codeTokens } from '../../../../lib/code-tokens.ts'
import { isDiff, parseDiff } from '../model/diff.ts'
import { Diff } from './diff.tsx'

export function Code({ text, language }: { readonly text: string; readonly language: string }) {
  if (/^(diff|patch)$/i.test(language) && isDiff(text)) return <Diff lines={parseDiff(text)} />
  return (
    <div class="code">
      <div class="code-head">
        <span>{language}</span>
        <Copy text={text} />
      </div>
      <pre tabIndex={0}>
        <code>
          {codeTokens(text, language).map(({ text: piece, kind }) =>
            kind === 'plain' ? piece : <span class={`t-${kind}`}>{piece}</span>,
          )}
        </code>
      </pre>
    </div>
  )
}

function Copy({ text }: { readonly text: string }) {
  const [isCopied, setCopied] = useState(false)
  const copy = () => void navigator.clipboard.writeText(text).then(() => setCopied(true))
  return (
    <button type="button" class="quiet small" onClick={copy}>
      {isCopied ? 'Copied' : 'Copy'}
    </button>
  )
}
