/** One entry of the transcript. */
import type { TranscriptEntry } from '../../../../state/transcript.ts'
import type { Live } from '../model/live.ts'
import { counted, visible } from '../model/words.ts'
import { Fold } from './fold.tsx'
import { Markdown } from './markdown.tsx'
import { memo } from './memo.ts'
import { ToolCard } from './tool-card.tsx'

type Props = {
  readonly entry: TranscriptEntry
  readonly tail?: string | undefined
  readonly onRewind: (eventId: string) => void
  readonly onFork: (eventId: string) => void
}

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
            <span class="who">{entry.isSteering ? 'You, while it worked' : 'You'}</span>
            <Time at={entry.at} />
            {!entry.isSteering && (
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
            <span class="who">{visible(entry.model ?? 'Agent')}</span>
            <Time at={entry.at} />
          </header>
          <Markdown text={entry.text} />
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
      return <ToolCard entry={entry} {...(tail !== undefined && { tail })} />
    case 'compaction':
      return (
        <Fold
          id={entry.eventId}
          className="compaction"
          head={<Line name={compactionName(entry)} text={entry.error ?? ''} />}
        >
          {() => <Markdown text={entry.summary ?? ''} />}
        </Fold>
      )
    case 'handoff':
      return (
        <Fold id={entry.eventId} head={<Line name="Handed over" text={entry.from ?? ''} />}>
          {() => <Markdown text={entry.text} />}
        </Fold>
      )
    default:
      return <Line {...lineOf(entry)} />
  }
}

function compactionName({ status, checkpoint }: Extract<TranscriptEntry, { kind: 'compaction' }>) {
  if (status === 'running') return 'Summing up…'
  if (status === 'failed') return 'Could not be summed up'
  return checkpoint === undefined ? 'Summed up' : `Summed up as checkpoint ${checkpoint}`
}

type Short = Exclude<
  TranscriptEntry,
  { kind: 'user' | 'assistant' | 'thought' | 'tool' | 'compaction' | 'handoff' }
>

function lineOf(entry: Short): { readonly name: string; readonly text: string } {
  switch (entry.kind) {
    case 'permission':
      return { name: 'Permission', text: `${entry.what} — ${entry.decision ?? 'open'}` }
    case 'info':
    case 'warning':
    case 'error':
      return { name: entry.topic, text: entry.text }
    case 'model':
      return { name: 'Model', text: [entry.model, entry.effort ?? ''].join(' ') }
    case 'mode':
      return { name: 'Mode', text: entry.mode }
    case 'plan':
      return { name: 'Plan', text: entry.operation }
    case 'file':
      return { name: 'File', text: `${entry.path} ${entry.operation}` }
    case 'resume':
      return { name: 'Resumed', text: `with ${counted(entry.eventCount, 'event')}` }
    case 'shutdown':
      return { name: 'Closed', text: entry.reason ?? entry.shutdownType }
    case 'abort':
      return { name: 'Stopped', text: entry.reason }
    case 'subagent':
      return { name: entry.name, text: entry.error ?? entry.status }
    case 'skill':
      return { name: 'Skill', text: `${entry.name} ${entry.path}` }
    case 'hook':
      return { name: 'Hook', text: `${entry.hookType} ${entry.error ?? entry.status}` }
    case 'stranger':
      return { name: 'Unknown event', text: entry.type }
  }
}

const Line = ({ name, text }: { readonly name: string; readonly text: string }) => (
  <span class="line">
    <b>{visible(name)}</b> <span>{visible(text.slice(0, 2000))}</span>
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
      <span class="pulse">{visible(live.intent ?? 'writing')}</span>
    </header>
    {live.thought !== '' && <p class="thought-live">{visible(live.thought.slice(-2000))}</p>}
    {live.text !== '' && <Markdown text={live.text} />}
  </article>
)
