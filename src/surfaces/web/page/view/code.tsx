/** A block of code with a button to copy it. */
import { isDiff, parseDiff } from '../model/diff.ts'
import { Copy } from './copy.tsx'
import { Diff } from './diff.tsx'
import { useHighlighted } from './highlight.ts'

export function Code({ text, language }: { readonly text: string; readonly language: string }) {
  if (/^(diff|patch)$/i.test(language)) return <PlainDiff text={text} />
  return (
    <div class="code">
      <div class="code-head">
        <span>{language}</span>
        <Copy text={text} what="code" />
      </div>
      <pre tabIndex={0}>
        <Coloured text={text} language={language} />
      </pre>
    </div>
  )
}

/** What an agent writes as a diff may lack its places. */
const PlainDiff = ({ text }: { readonly text: string }) => (
  <Diff lines={parseDiff(isDiff(text) ? text : text.replaceAll('\r', ''))} />
)

function Coloured({ text, language }: { readonly text: string; readonly language: string }) {
  const pieces = useHighlighted(text, language.toLowerCase())
  return (
    <code>
      {pieces?.map(({ text: piece, scope }) =>
        scope === '' ? piece : <span class={`t-${scope}`}>{piece}</span>,
      ) ?? text}
    </code>
  )
}
