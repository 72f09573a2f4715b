/**
 * All changes of a turn, of a session, of a fork beside its origin, or of a rewind to come, in one view: files in a
 * tree, lines side by side or in one column, one file put back, comments that go to the agent.
 */
import { useMemo, useState } from 'preact/hooks'
import { defined } from '../../../../lib/defined.ts'
import { counted } from '../../../../lib/quantities.ts'
import type { ChangesAnswer, SessionAnswer, TurnsAnswer } from '../../api.ts'
import { post, sentence, sessionPath } from '../client.ts'
import { commentsAsMessage, treeOfFiles } from '../model/review.ts'
import { hashOf, type ReviewScope } from '../model/route.ts'
import { titleOf } from '../model/sessions.ts'
import { Failed } from './failed.tsx'
import { Icon } from './icon.tsx'
import { ReviewFile } from './review-file.tsx'
import { ReviewHead, type Layout } from './review-head.tsx'
import { ReviewTree } from './review-tree.tsx'
import { useAnswer } from './use-answer.ts'
import { useComments } from './use-comments.ts'

type Props = {
  readonly id: string
  readonly scope: ReviewScope
  readonly event?: string
  readonly file?: string
  readonly line?: number
  readonly say: (text: string) => void
}

export function ReviewPage({ id, scope, event, file, line, say }: Props) {
  const [layout, setLayout] = useState<Layout>(storedLayout)
  const [comments, setComments] = useComments(id)
  const [version, setVersion] = useState(0)
  const query = { scope, eventId: event }
  const { answer, failure, isLoading } = useAnswer<ChangesAnswer>(
    sessionPath(id, '/changes'),
    query,
    { version },
  )
  const session = useAnswer<SessionAnswer>(sessionPath(id)).answer
  const turns =
    useAnswer<TurnsAnswer>(sessionPath(id, '/turns'), {}, { version }).answer?.turns ?? []
  const files = answer?.files ?? []
  const tree = useMemo(() => treeOfFiles(files), [answer])
  // Where a file goes back to: before the turn, or before the first of all.
  const restoreTo = scope === 'fork' ? undefined : (event ?? turns.at(-1)?.eventId)

  const choose = (next: Layout) => {
    localStorage.setItem(LAYOUT, next)
    setLayout(next)
  }
  const send = async () => {
    try {
      await post(sessionPath(id, '/send'), {
        prompt: commentsAsMessage(comments),
        whenBusy: 'queue',
      })
      setComments([])
      location.hash = hashOf({ view: 'session', id })
      say(`${counted(comments.length, 'comment')} sent to the agent.`)
    } catch (error) {
      say(sentence(error))
    }
  }
  const restore = async (path: string) => {
    try {
      await post(sessionPath(id, '/restore-file'), { eventId: restoreTo, path })
      say(`${path} is as it was before. The agent is told with the next message.`)
      setVersion((count) => count + 1)
    } catch (error) {
      say(sentence(error))
    }
  }
  return (
    <main class="review" id="content">
      <ReviewHead
        id={id}
        title={session === undefined ? 'Session' : titleOf(session.metadata)}
        scope={scope}
        event={event}
        turns={turns}
        isFork={session?.metadata.forkedFrom !== undefined}
        files={files}
        layout={layout}
        onLayout={choose}
      />
      {answer?.origin !== undefined && (
        <p class="review-note">
          Left:{' '}
          <a href={hashOf({ view: 'session', id: answer.origin })}>
            the session it was forked from
          </a>
          . Right: this fork. Only what either changed since they parted.
        </p>
      )}
      {scope === 'rewind' && (
        <p class="review-note">
          Left: files as they are now. Right: as they would be after the rewind.
        </p>
      )}
      {files.some(({ isTold }) => isTold === true) && (
        <p class="review-note">
          Of some turns the contents of files were not recorded here, as of those that another agent
          ran. Their changes are shown as their tools told them, and cannot be restored.
        </p>
      )}
      <Failed failure={failure} className="pad" />
      <div class="review-body">
        <ReviewTree
          nodes={tree}
          route={{ view: 'review', id, scope, ...defined({ event }) }}
          file={file}
        />
        <div class="review-files">
          {answer === undefined && isLoading && <p class="faint">Looking at what changed…</p>}
          {answer !== undefined && files.length === 0 && (
            <p class="empty">No file was changed here, as far as was recorded.</p>
          )}
          {files.map((each) => (
            <ReviewFile
              key={`${scope} ${event ?? ''} ${each.of} ${each.path} ${version}`}
              id={id}
              query={query}
              file={each}
              layout={layout}
              shownLine={each.path === file ? (line ?? 0) : undefined}
              comments={comments.filter(({ path }) => path === each.path)}
              onComment={(comment) => setComments([...comments, comment])}
              onUncomment={(gone) => setComments(comments.filter((comment) => comment !== gone))}
              {...(restoreTo !== undefined &&
                each.of === 'project' &&
                each.isTold === undefined && { onRestore: restore })}
            />
          ))}
        </div>
      </div>
      {comments.length > 0 && (
        <div class="comments">
          <Icon name="comment" />
          <span>{counted(comments.length, 'comment')}, not sent yet</span>
          <span class="space" />
          <button type="button" class="quiet" onClick={() => setComments([])}>
            Discard
          </button>
          <button type="button" class="primary" onClick={() => void send()}>
            Send to the agent
          </button>
        </div>
      )}
    </main>
  )
}

const LAYOUT = 'reprise.review-layout'

function storedLayout(): Layout {
  const stored = localStorage.getItem(LAYOUT)
  if (stored === 'split' || stored === 'unified') return stored
  return matchMedia('(min-width: 1300px)').matches ? 'split' : 'unified'
}
