/** A tool call as a card: what it is asked, how it goes, what came of it. */
import { useState } from 'preact/hooks'
import type { EntryOf } from '../../../../state/transcript.ts'
import { countChanges, diffOf } from '../model/diff.ts'
import { argumentDetails, argumentText } from '../model/tool.ts'
import { duration, visible, withoutAnsi } from '../model/words.ts'
import { Diff } from './diff.tsx'
import { Fold } from './fold.tsx'

type Tool = EntryOf<'tool'>

const marks = { announced: '○', running: '●', succeeded: '✓', failed: '✗' } as const

export function ToolCard({ entry, tail }: { readonly entry: Tool; readonly tail?: string }) {
  const diff = entry.status === 'failed' ? undefined : diffOf(entry.output, entry.arguments)
  const isOver = entry.status === 'succeeded' || entry.status === 'failed'
  return (
    <Fold
      id={`${entry.eventId} ${entry.toolCallId}`}
      className={`tool ${entry.status}`}
      isOpenAtFirst={diff !== undefined && diff.length <= 40}
      head={
        <>
          <span class="mark" role="img" aria-label={entry.status}>
            {marks[entry.status]}
          </span>
          <b>{visible(entry.toolName)}</b>
          <span class="what">{visible(oneLine(argumentText(entry.arguments)))}</span>
          {diff !== undefined && <Changes {...countChanges(diff)} />}
          {entry.exitCode !== undefined && entry.exitCode !== 0 && (
            <span class="bad">exit {entry.exitCode}</span>
          )}
          {entry.endedAt !== undefined && (
            <span class="faint">{duration(entry.at, entry.endedAt)}</span>
          )}
        </>
      }
    >
      {() => (
        <>
          {diff !== undefined ? <Diff lines={diff} /> : <Arguments given={entry.arguments} />}
          {isOver ? (
            diff === undefined && <Output text={entry.output ?? ''} />
          ) : (
            <Output text={tail ?? ''} />
          )}
        </>
      )}
    </Fold>
  )
}

const oneLine = (text: string) => text.slice(0, 300).replace(/\s+/g, ' ')

export const Changes = ({
  added,
  removed,
}: {
  readonly added: number
  readonly removed: number
}) => (
  <span class="changes">
    <span class="good">+{added}</span> <span class="bad">−{removed}</span>
  </span>
)

function Arguments({ given }: { readonly given: unknown }) {
  const details = argumentDetails(given)
  if (details === undefined) return null
  return (
    <pre class="args" tabIndex={0}>
      {visible(details)}
    </pre>
  )
}

const MOST = 60

export function Output({ text }: { readonly text: string }) {
  const [isWhole, setWhole] = useState(false)
  if (text.trim() === '') return <p class="faint">No output.</p>
  const lines = withoutAnsi(text).split('\n')
  const isCut = !isWhole && lines.length > MOST
  return (
    <>
      {isCut && (
        <button type="button" class="quiet small" onClick={() => setWhole(true)}>
          Show {lines.length - MOST} lines above
        </button>
      )}
      <pre class="output" tabIndex={0}>
        {visible((isCut ? lines.slice(-MOST) : lines).join('\n'))}
      </pre>
    </>
  )
}
