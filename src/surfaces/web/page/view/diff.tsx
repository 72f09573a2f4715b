/** Lines that were added and removed, in one column. The sign is text: colour is not all that tells them apart. */
import { useState } from 'preact/hooks'
import type { DiffLine, Mark } from '../model/diff.ts'
import { visible } from '../model/words.ts'
import { Copy } from './copy.tsx'

const MOST = 200
export const signs = { add: '+', remove: '−', same: ' ', place: '', head: '' } as const

export function Diff({ lines }: { readonly lines: readonly DiffLine[] }) {
  const [isWhole, setWhole] = useState(lines.length <= MOST)
  const hasNumbers = lines.some(({ old, now }) => old !== undefined || now !== undefined)
  return (
    <div class="diff-box">
      <div class="diff" tabIndex={0}>
        <div class="diff-lines">
          {(isWhole ? lines : lines.slice(0, MOST)).map((line) => (
            <div class={`d-${line.kind}`}>
              {hasNumbers && <Numbers line={line} />}
              <span class="sign">{signs[line.kind]}</span>
              <Marked text={line.text} marks={line.marks} />
            </div>
          ))}
        </div>
      </div>
      <Copy text={() => lines.map(({ kind, text }) => plain[kind] + text).join('\n')} what="diff" />
      {!isWhole && (
        <button type="button" class="quiet small" onClick={() => setWhole(true)}>
          Show all {lines.length} lines
        </button>
      )}
    </div>
  )
}

const plain = { add: '+', remove: '-', same: ' ', place: '', head: '' } as const

const Numbers = ({ line: { old, now } }: { readonly line: DiffLine }) => (
  <>
    <span class="nr">{old ?? ''}</span>
    <span class="nr">{now ?? ''}</span>
  </>
)

/** Words that differ, marked in their line. */
export function Marked({
  text,
  marks = [],
}: {
  readonly text: string
  readonly marks?: readonly Mark[] | undefined
}) {
  if (marks.length === 0) return <>{visible(text) || ' '}</>
  let from = 0
  const pieces = marks.flatMap(({ start, end }) => {
    const before = visible(text.slice(from, start))
    from = end
    return [before, <b>{visible(text.slice(start, end))}</b>]
  })
  return (
    <>
      {pieces}
      {visible(text.slice(from))}
    </>
  )
}
