/** A block of code with a button to copy it. */
import { isDiff, parseDiff } from '../model/diff.ts'
import { qrOf, type QrShape } from '../model/qr.ts'
import { Copy } from './copy.tsx'
import { Diff } from './diff.tsx'
import { useHighlighted } from './highlight.ts'

export function Code({ text, language }: { readonly text: string; readonly language: string }) {
  if (/^(diff|patch)$/i.test(language)) return <PlainDiff text={text} />
  const qr = qrOf(text)
  if (qr !== undefined) return <Qr {...qr} />
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

/** Codes need light around them. */
const BORDER = 3

const Qr = ({ width, height, path }: QrShape) => {
  const box = [-BORDER, -BORDER, width + 2 * BORDER, height + 2 * BORDER]
  return (
    <svg class="qr" viewBox={box.join(' ')} role="img" aria-label="QR code of the link">
      <path d={path} shape-rendering="crispEdges" />
    </svg>
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
