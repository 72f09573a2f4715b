/** A tool call as a card: what it is asked, who allowed it, how it goes, what came of it. */
import { argumentText } from '../../../../state/call-text.ts'
import { decisionWords } from '../../../../state/decision-words.ts'
import type { EntryOf } from '../../../../state/transcript.ts'
import { countChanges, diffOf } from '../model/diff.ts'
import { argumentDetails, oneLine } from '../model/tool.ts'
import { duration, visible } from '../model/words.ts'
import { Copy } from './copy.tsx'
import { Diff } from './diff.tsx'
import { Fold } from './fold.tsx'
import { Icon } from './icon.tsx'
import { Markdown } from './markdown.tsx'
import { Output } from './output.tsx'
import { Pictures } from './pictures.tsx'

type Tool = EntryOf<'tool'>
type Props = {
  readonly entry: Tool
  readonly permission?: EntryOf<'permission'>
  readonly tail?: string
  /** It was gone to: what was looked for is in it. */
  readonly isShown: boolean
}

const signs = {
  announced: 'tool',
  running: 'running',
  succeeded: 'check',
  failed: 'failed',
} as const

export function ToolCard({ entry, permission, tail, isShown }: Props) {
  const { status } = entry
  const diff = status === 'failed' ? undefined : diffOf(entry.output, entry.arguments)
  const isOver = status === 'succeeded' || status === 'failed'
  const { pictures = [] } = entry
  return (
    <Fold
      id={`${entry.eventId} ${entry.toolCallId}`}
      className={`tool ${status}`}
      isOpenAtFirst={isShown || (diff !== undefined && diff.length <= 40) || pictures.length > 0}
      head={
        <>
          <span class="mark">
            <Icon name={signs[status]} label={status} />
          </span>
          <b>{visible(entry.toolName)}</b>
          <span class="what">{visible(oneLine(argumentText(entry.arguments)))}</span>
          {diff !== undefined && <Changes {...countChanges(diff)} />}
          {entry.exitCode !== undefined && entry.exitCode !== 0 && (
            <span class="bad">exit {entry.exitCode}</span>
          )}
          {permission !== undefined && <Allowed permission={permission} />}
          {entry.endedAt !== undefined && (
            <span class="faint">{duration(entry.at, entry.endedAt)}</span>
          )}
        </>
      }
    >
      {() => (
        <>
          {diff !== undefined ? <Diff lines={diff} /> : <Arguments given={entry.arguments} />}
          {isOver
            ? diff === undefined && <Output text={entry.output ?? ''} whole={entry.whole} />
            : (tail ?? '').trim() !== '' && <Output text={tail ?? ''} />}
          <Pictures pictures={pictures} />
          {permission !== undefined && (
            <p class="line">
              <b>Permission</b> {visible(decisionWords(permission))}
            </p>
          )}
        </>
      )}
    </Fold>
  )
}

const Allowed = ({ permission }: { readonly permission: EntryOf<'permission'> }) => (
  <span class="allowed" title={visible(decisionWords(permission))}>
    <Icon name="permission" label={`Permission: ${visible(decisionWords(permission))}`} />
  </span>
)

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

/** What a tool for questions asks is a question, not data. */
function Arguments({ given }: { readonly given: unknown }) {
  const { question } = (given ?? {}) as Readonly<Record<string, unknown>>
  if (typeof question === 'string') return <Markdown text={question} />
  const details = argumentDetails(given)
  if (details === undefined) return null
  return (
    <div class="args-box">
      <pre class="args" tabIndex={0}>
        {visible(details)}
      </pre>
      <Copy text={details} what="arguments" />
    </div>
  )
}
