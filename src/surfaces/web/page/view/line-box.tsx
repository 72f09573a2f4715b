/** What belongs to one line of a review: comments on it, a field for another, who wrote it, and its link. */
import { useState } from 'preact/hooks'
import { ago } from '../../../../lib/quantities.ts'
import type { BlameAnswer } from '../../api.ts'
import { get, sentence, sessionPath } from '../client.ts'
import type { DiffLine } from '../model/diff.ts'
import type { Comment } from '../model/review.ts'
import { hashOf, parseRoute } from '../model/route.ts'
import { visible } from '../model/words.ts'
import { Copy } from './copy.tsx'
import { Form } from './form.tsx'
import { Icon } from './icon.tsx'
import { useDraft } from './use-draft.ts'

type Props = {
  readonly id: string
  readonly path: string
  readonly line: DiffLine
  readonly comments: readonly Comment[]
  readonly isOpen: boolean
  readonly onComment: (text: string) => void
  readonly onUncomment: (comment: Comment) => void
  readonly onClose: () => void
}

export function LineBox(props: Props) {
  const { comments, isOpen, onUncomment } = props
  return (
    <div class="line-box">
      {comments.map((comment) => (
        <p>
          <Icon name="comment" /> {visible(comment.text)}{' '}
          <button type="button" class="quiet small" onClick={() => onUncomment(comment)}>
            Take back
          </button>
        </p>
      ))}
      {isOpen && <OpenBox {...props} />}
    </div>
  )
}

function OpenBox({ id, path, line, onComment, onClose }: Props) {
  const [text, write] = useDraft(`line ${id} ${path} ${line.old ?? ''} ${line.now ?? ''}`)
  const [blamed, setBlamed] = useState<BlameAnswer | string>()
  const isThere = line.kind !== 'remove'
  const number = line.now ?? line.old ?? 1
  const blame = async () => {
    setBlamed('Looking for who wrote it…')
    try {
      setBlamed(
        await get<BlameAnswer>(sessionPath(id, '/blame'), {
          path,
          line: number,
          text: line.text.slice(0, 10_000),
        }),
      )
    } catch (error) {
      setBlamed(sentence(error))
    }
  }
  const comment = () => {
    if (text.trim() === '') return
    onComment(text)
    write('')
  }
  const link = () => {
    const route = parseRoute(location.hash)
    const to = route.view === 'review' ? { ...route, file: path, line: number } : route
    return location.origin + location.pathname + hashOf(to)
  }
  return (
    <Form
      class="fields"
      onSubmit={comment}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose()
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) comment()
      }}
    >
      <textarea
        rows={2}
        aria-label="Comment on this line"
        placeholder="Tell the agent what to change here…"
        value={text}
        ref={focusOnce}
        onInput={(event) => write(event.currentTarget.value)}
      />
      <div class="buttons">
        <button class="primary small" disabled={text.trim() === ''}>
          Add the comment
        </button>
        {isThere && (
          <button type="button" class="small" onClick={() => void blame()}>
            <Icon name="blame" /> Who wrote it?
          </button>
        )}
        <Copy text={link} what="link to this line" />
        <button type="button" class="quiet small" onClick={onClose}>
          Close
        </button>
      </div>
      {blamed !== undefined && <Blamed blamed={blamed} />}
    </Form>
  )
}

function Blamed({ blamed }: { readonly blamed: BlameAnswer | string }) {
  if (typeof blamed === 'string') return <p class="faint">{blamed}</p>
  if (blamed.kind === 'unknown') return <p class="faint">{blamed.reason}</p>
  return (
    <p role="status">
      <a href={hashOf({ view: 'session', id: blamed.sessionId, at: blamed.eventId })}>
        {visible(blamed.prompt.slice(0, 200))}
      </a>{' '}
      <span class="faint">
        in {visible(blamed.sessionName ?? blamed.sessionId.slice(0, 8))},{' '}
        {ago(blamed.at, Date.now())}
      </span>
    </p>
  )
}

function focusOnce(field: HTMLTextAreaElement | null): void {
  if (field !== null && field.value === '' && document.activeElement !== field) field.focus()
}
