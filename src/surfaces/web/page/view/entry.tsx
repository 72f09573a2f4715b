/** One entry of the transcript. */
import { defined } from '../../../../lib/defined.ts'
import { withoutMarkup } from '../../../../state/ending.ts'
import type { Live } from '../../../../state/live.ts'
import { unfinishedWords } from '../../../../state/unfinished-words.ts'
import {
  assistantName,
  compactionWords,
  continuationWords,
  handoffWords,
  lineWords,
  type LineWords,
} from '../model/entry-words.ts'
import { forkIn } from '../model/fork-tree.ts'
import { livePieces } from '../model/live-pieces.ts'
import { hashOf } from '../model/route.ts'
import type { QuietEntry } from '../model/rows.ts'
import { visible } from '../model/words.ts'
import { Copy } from './copy.tsx'
import type { EntryProps } from './entry-props.ts'
import { Fold } from './fold.tsx'
import { Icon } from './icon.tsx'
import { Markdown } from './markdown.tsx'
import { memo } from './memo.ts'
import { Time } from './time.tsx'
import { ToolCard } from './tool-card.tsx'
import { UserEntry } from './user-entry.tsx'

export const Entry = memo((props: EntryProps) => {
  const { entry, isShown } = props
  const kinds = [
    `entry e-${entry.kind}`,
    entry.agentId === undefined ? '' : 'of-subagent',
    isShown ? 'is-shown' : '',
  ]
  return <article class={kinds.join(' ')}>{bodyOf(props)}</article>
})

function bodyOf(props: EntryProps) {
  const { entry, permission, tail, isShown, speaker, again, onSend } = props
  switch (entry.kind) {
    case 'user':
      return <UserEntry {...props} entry={entry} />
    case 'assistant':
      return (
        <>
          <header>
            <span class="who">{visible(assistantName(entry, speaker))}</span>
            <Time at={entry.at} />
            <span class="actions">
              <Copy text={entry.text} what="answer" />
            </span>
          </header>
          <Markdown text={entry.text} />
          {entry.unfinished !== undefined && (
            <p class="faint">⋯ {unfinishedWords(entry.unfinished)}</p>
          )}
        </>
      )
    case 'thought':
      return (
        <Fold
          id={entry.eventId}
          className="thought"
          isOpenAtFirst={isShown}
          head={
            <>
              <Icon name="thought" />
              <Line name="Thought" text={withoutMarkup(entry.text.slice(0, 1000))} />
            </>
          }
        >
          {() => <Markdown text={entry.text} />}
        </Fold>
      )
    case 'tool':
      return <ToolCard entry={entry} isShown={isShown} {...defined({ permission, tail })} />
    case 'continuation':
      return (
        <Fold
          id={entry.eventId}
          className="quiet-lines"
          isOpenAtFirst={isShown}
          head={<Line {...continuationWords(entry)} text="" />}
        >
          {() => <Markdown text={entry.text} />}
        </Fold>
      )
    case 'compaction':
      return (
        <Fold
          id={entry.eventId}
          className="compaction"
          isOpenAtFirst={isShown}
          head={<Line {...compactionWords(entry)} />}
        >
          {() => <Markdown text={entry.summary ?? ''} />}
        </Fold>
      )
    case 'handoff':
      return (
        <Fold id={entry.eventId} isOpenAtFirst={isShown} head={<Line {...handoffWords(entry)} />}>
          {() => <Markdown text={entry.text} />}
        </Fold>
      )
    case 'error':
    case 'warning':
      return (
        <>
          <Line {...lineWords(entry)} />
          {again !== undefined && onSend !== undefined && (
            <button type="button" class="small" onClick={() => onSend(again)}>
              <Icon name="restore" /> {entry.kind === 'error' ? 'Send it again' : 'Ask again'}
            </button>
          )}
        </>
      )
    default:
      return <Line {...lineWords(entry)} />
  }
}

type QuietProps = {
  readonly entries: readonly QuietEntry[]
  readonly isShown: boolean
  readonly isOwner: boolean
}

/** What happened around the talk. One thing is a line; several are one line that opens. */
export function QuietLines({ entries, isShown, isOwner }: QuietProps) {
  const lines = entries.map((entry) => (
    <Line
      {...lineWords(entry)}
      leadsTo={isOwner && entry.kind === 'info' ? forkIn(entry) : undefined}
    />
  ))
  const [first] = entries
  if (first === undefined) return null
  const shown = isShown ? 'is-shown' : ''
  if (entries.length === 1)
    return <article class={`entry e-${first.kind} quiet-lines ${shown}`}>{lines}</article>
  const names = [...new Set(entries.map((entry) => lineWords(entry).name))]
  return (
    <article class={`entry ${shown}`}>
      <Fold
        id={`quiet ${first.eventId}`}
        className="quiet-lines"
        isOpenAtFirst={isShown}
        head={
          <span class="line">
            {visible(names.slice(0, 4).join(' · '))}
            {names.length > 4 && ' …'}
          </span>
        }
      >
        {() => lines}
      </Fold>
    </article>
  )
}

type LineProps = LineWords & { readonly leadsTo?: string | undefined }

const Line = ({ name, text, leadsTo }: LineProps) => (
  <span class="line">
    <b>{visible(name)}</b> <span>{visible(text.slice(0, 2000))}</span>{' '}
    {leadsTo !== undefined && <a href={hashOf({ view: 'session', id: leadsTo })}>Open it</a>}
  </span>
)

export const LiveEntry = ({ live, who }: { readonly live: Live; readonly who: string }) => (
  <article class="entry e-assistant is-live" aria-busy="true">
    <header>
      <span class="who">{visible(who)}</span>
      <span class="pulse">{visible(live.retry ?? live.intent ?? 'writing')}</span>
    </header>
    {live.thought !== '' && <p class="thought-live">{visible(live.thought.slice(-2000))}</p>}
    {live.text !== '' && (
      <div class="md">
        {livePieces(live.text).map((piece) => (
          <Markdown text={piece} />
        ))}
      </div>
    )}
  </article>
)
