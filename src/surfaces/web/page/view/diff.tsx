/** Lines that were added and removed. The sign is text, so that colour is not all there is to tell them apart. */
import { useState } from 'preact/hooks'
import type { DiffLine } from '../model/diff.ts'
import { visible } from '../model/words.ts'

const MOST = 200
const signs = { add: '+', remove: '−', same: ' ', place: '', head: '' } as const

export function Diff({ lines }: { readonly lines: readonly DiffLine[] }) {
  const [isWhole, setWhole] = useState(lines.length <= MOST)
  return (
    <div class="diff" tabIndex={0}>
      <div class="diff-lines">
        {(isWhole ? lines : lines.slice(0, MOST)).map(({ kind, text }) => (
          <div class={`d-${kind}`}>
            <span class="sign">{signs[kind]}</span>
            {visible(text) || ' '}
          </div>
        ))}
      </div>
      {!isWhole && (
        <button type="button" class="quiet small" onClick={() => setWhole(true)}>
          Show all {lines.length} lines
        </button>
      )}
    </div>
  )
}
