/** One entry of the transcript. */
import { defined } from '../../../../lib/defined.ts'
import type { TranscriptEntry } from '../../../../state/transcript.ts'
import type { Live } from '../../../../state/live.ts'
import {
  assistantName,
  compactionWords,
  handoffWords,
  lineWords,
  userName,
} from '../model/entry-words.ts'
import type { LineWords } from '../model/entry-words.ts'
import { forkIn } from '../model/fork-tree.ts'
import { hashOf } from '../model/route.ts'
import { visible } from '../model/words.ts'
import { Fold } from './fold.tsx'
import { Markdown } from './markdown.tsx'
import { memo } from './memo.ts'
import { ToolCard } from './tool-card.tsx'
import { unfinishedWords } from '../../../../state/unfinished-words.ts'

/** What can be done from a message. Who may only read can do neither, and has no other session to go to. */
export type Changes = {
  readonly onRewind?: (eventId: string) => void
  readonly onFork?: (eventId: string) => void
}

type Props = {
  readonly entry: TranscriptEntry
  readonly tail?: string | undefined
} & Changes

export const Entry = memo((props: Props) => {
  const { entry } = props
  return (
    <article class={`entry e-${entry.kind}${entry.agentId === undefined ? '' : ' of-subagent'}`}>
      {bodyOf(props)}
    </article>
  )
})

function bodyOf({ entry, tail, onRewind, onFork }: Props) {
  switch (entry.kind) {
    case 'user':
      return (
        <>
          <header>
            <span class="who">{userName(entry, onFork === undefined ? 'User' : 'You')}</span>
            <Time at={entry.at} />
            {!entry.isSteering && onRewind !== undefined && onFork !== undefined && (
              <span class="actions">
                <button type="button" class="quiet small" onClick={() => onRewind(entry.eventId)}>
                  Rewind…
                </button>
                <button type="button" class="quiet small" onClick={() => onFork(entry.eventId)}>
                  Fork
                </button>
              </span>
            )}
          </header>
          <Markdown text={entry.text} />
          {entry.attachments.map((name) => (
            <span class="chip">{visible(name)}</span>
          ))}
        </>
      )
    case 'assistant':
      return (
        <>
          <header>
            <span class="who">{visible(assistantName(entry))}</span>
            <Time at={entry.at} />
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
          head={<Line name="Thought" text={entry.text} />}
        >
          {() => <Markdown text={entry.text} />}
        </Fold>
      )
    case 'tool':
      return <ToolCard entry={entry} {...defined({ tail })} />
    case 'compaction':
      return (
        <Fold id={entry.eventId} className="compaction" head={<Line {...compactionWords(entry)} />}>
          {() => <Markdown text={entry.summary ?? ''} />}
        </Fold>
      )
    case 'handoff':
      return (
        <Fold id={entry.eventId} head={<Line {...handoffWords(entry)} />}>
          {() => <Markdown text={entry.text} />}
        </Fold>
      )
    case 'info':
      return <Line {...lineWords(entry)} leadsTo={onFork && forkIn(entry)} />
    default:
      return <Line {...lineWords(entry)} />
  }
}

type LineProps = LineWords & { readonly leadsTo?: string | undefined }

const Line = ({ name, text, leadsTo }: LineProps) => (
  <span class="line">
    <b>{visible(name)}</b> <span>{visible(text.slice(0, 2000))}</span>{' '}
    {leadsTo !== undefined && <a href={hashOf({ view: 'session', id: leadsTo })}>Open it</a>}
  </span>
)

export const Time = ({ at }: { readonly at: string }) => {
  const date = new Date(at)
  if (Number.isNaN(date.getTime())) return null
  return (
    <time dateTime={date.toISOString()} title={date.toLocaleString()}>
      {date.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })}
    </time>
  )
}

export const LiveEntry = ({ live }: { readonly live: Live }) => (
  <article class="entry e-assistant is-live" aria-busy="true">
    <header>
      <span class="who">Agent</span>
      <span class="pulse">{visible(live.retry ?? live.intent ?? 'writing')}</span>
    </header>
    {live.thought !== '' && <p class="thought-live">{visible(live.thought.slice(-2000))}</p>}
    {live.text !== '' && <Markdown text={live.text} />}
  </article>
)
