/** A tool call as a card: what it is asked, how it goes, what came of it. */
import type { EntryOf } from '../../../../state/transcript.ts'
import { countChanges, diffOf } from '../model/diff.ts'
import { argumentDetails, argumentText, oneLine, toolMarks } from '../model/tool.ts'
import { duration, visible } from '../model/words.ts'
import { Diff } from './diff.tsx'
import { Fold } from './fold.tsx'
import { Output } from './output.tsx'

type Tool = EntryOf<'tool'>

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
            {toolMarks[entry.status]}
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
            diff === undefined && <Output text={entry.output ?? ''} whole={entry.whole} />
          ) : (
            <Output text={tail ?? ''} />
          )}
        </>
      )}
    </Fold>
  )
}

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
