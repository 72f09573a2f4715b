/** One changed file of a review. Its lines are fetched when it comes near the screen. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { ChangedFileAnswer } from '../../api.ts'
import { sessionPath, type Query } from '../client.ts'
import { compare, parseDiff } from '../model/diff.ts'
import type { ChangedFile, Comment } from '../model/review.ts'
import { hashOf } from '../model/route.ts'
import { oneLine } from '../model/tool.ts'
import { visible } from '../model/words.ts'
import { Copy } from './copy.tsx'
import { Failed } from './failed.tsx'
import { Icon } from './icon.tsx'
import type { Layout } from './review-head.tsx'
import { ReviewLines } from './review-lines.tsx'
import { Changes } from './tool-card.tsx'
import { useAnswer } from './use-answer.ts'

type Props = {
  readonly id: string
  readonly query: Query
  readonly file: ChangedFile
  readonly layout: Layout
  /** Undefined: another file is meant; 0: the file itself. */
  readonly shownLine: number | undefined
  readonly comments: readonly Comment[]
  readonly onComment: (comment: Comment) => void
  readonly onUncomment: (comment: Comment) => void
  readonly onRestore?: (path: string) => Promise<void>
}

const verdicts = {
  restore: '',
  already: 'is so already',
  drifted: 'was changed by others since: left alone',
  notCovered: 'no earlier version was kept: left alone',
} as const
const changeWords = { created: 'new', modified: '', deleted: 'deleted' } as const

export function ReviewFile(props: Props) {
  const { id, query, file, shownLine, onRestore } = props
  const box = useRef<HTMLElement>(null)
  const isNear = useNear(box)
  const [most, setMost] = useState(MOST_EDITS)
  const { answer, failure } = useAnswer<ChangedFileAnswer>(
    isNear ? sessionPath(id, '/changes/file') : undefined,
    { ...query, path: file.path, of: file.of },
  )
  useEffect(() => {
    if (shownLine === 0) box.current?.scrollIntoView({ block: 'start' })
  }, [shownLine])
  return (
    <section ref={box} class="review-file" aria-label={visible(file.path)}>
      <header>
        <h2>
          {visible(file.path)} {file.of === 'session' && <span class="chip">of the session</span>}
        </h2>
        <span class="faint">
          {file.verdict === undefined ? changeWords[file.change] : verdicts[file.verdict]}
        </span>
        {file.isTold === true && file.verdict === undefined && (
          <span class="chip" title="Its contents were not recorded: it cannot be restored.">
            as its tools told
          </span>
        )}
        {file.linesAdded + file.linesRemoved > 0 && (
          <Changes added={file.linesAdded} removed={file.linesRemoved} />
        )}
        <Copy text={file.path} what="path" />
        {onRestore !== undefined && (
          <button
            type="button"
            class="small"
            title="Only this file, to what it was before. The conversation goes on."
            onClick={() => void onRestore(file.path)}
          >
            <Icon name="restore" /> Restore
          </button>
        )}
      </header>
      <Failed failure={failure} />
      {answer === undefined ? (
        failure === undefined && (
          <p class="faint" style={{ minHeight: heightOf(file) }}>
            …
          </p>
        )
      ) : (
        <>
          {answer.told?.slice(0, most).map((edit, at) => (
            <Told {...props} edit={edit} key={at} />
          ))}
          {answer.told !== undefined && answer.told.length > most && (
            <button type="button" class="quiet" onClick={() => setMost(most + MOST_EDITS)}>
              Show more of {answer.told.length} edits
            </button>
          )}
          {(answer.told === undefined || answer.before.kind !== 'unknown') && (
            <Pair {...props} pair={answer} />
          )}
        </>
      )}
    </section>
  )
}

/** Of one file that tools told of; hundreds at once would keep the browser busy for long. */
const MOST_EDITS = 20
const LINE_PX = 20
const TALLEST_PX = 2000

/** About as tall as it will be: what is far below is not asked for because all above it is still empty. */
const heightOf = ({ linesAdded, linesRemoved }: ChangedFile): string =>
  `${Math.min(TALLEST_PX, (linesAdded + linesRemoved + 1) * LINE_PX)}px`

/** True from the first time on that it was near the screen. */
function useNear(box: { readonly current: HTMLElement | null }): boolean {
  const [isNear, setNear] = useState(false)
  useEffect(() => {
    if (box.current === null) return undefined
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && setNear(true),
      { rootMargin: '1000px' },
    )
    observer.observe(box.current)
    return () => observer.disconnect()
  }, [])
  return isNear
}

/** One edit of a turn of which no contents were recorded. */
function Told({
  edit: { eventId, prompt, diff },
  ...props
}: Props & { readonly edit: NonNullable<ChangedFileAnswer['told']>[number] }) {
  // Where it begins is told by the numbers of its lines.
  const lines = useMemo(() => parseDiff(diff).slice(1), [diff])
  return (
    <>
      {props.query['scope'] !== 'turn' && (
        <p class="faint">
          <a href={hashOf({ view: 'session', id: props.id, at: eventId })}>
            {visible(oneLine(prompt.slice(0, 120)))}
          </a>
        </p>
      )}
      {diff === '' ? (
        <p class="faint">Its tool named the file, and none of its lines.</p>
      ) : (
        <ReviewLines {...props} lines={lines} />
      )}
    </>
  )
}

function Pair({ pair, ...props }: Props & { readonly pair: ChangedFileAnswer }) {
  const { before, after } = pair
  const old = textOf(before)
  const now = textOf(after)
  const lines = useMemo(
    () => (old === undefined || now === undefined ? [] : compare(old, now)),
    [old, now],
  )
  if (old === undefined || now === undefined)
    return <p class="faint">{[whyNot(before), whyNot(after)].find(Boolean)}</p>
  if (lines.length === 0) return <p class="faint">It is empty.</p>
  return <ReviewLines {...props} lines={lines} />
}

type Side = ChangedFileAnswer['before']

function textOf(side: Side): string | undefined {
  if (side.kind === 'text') return side.text
  if (side.kind === 'absent') return ''
  return side.kind === 'link' ? `→ ${side.target}` : undefined
}

function whyNot(side: Side): string {
  if (side.kind === 'binary') return 'It is no text: its lines cannot be shown.'
  return side.kind === 'unknown' ? `It cannot be shown: ${side.why}.` : ''
}
