/** What a rewind would take away, before it does: the turns, and each file with what becomes of it. It can be redone. */
import { counted } from '../../../../lib/quantities.ts'
import type { RewindPreviewAnswer } from '../../api.ts'
import { sessionPath } from '../client.ts'
import { hashOf } from '../model/route.ts'
import { visible } from '../model/words.ts'
import { Dialog } from './dialog.tsx'
import { Failed } from './failed.tsx'
import { Icon } from './icon.tsx'
import { Changes } from './tool-card.tsx'
import { useAnswer } from './use-answer.ts'

type Props = {
  readonly id: string
  readonly eventId: string
  readonly onClose: () => void
  /** Without a mode the files go back too. */
  readonly onRewind: (mode?: 'conversation') => void
  readonly onFork: () => void
}

type File = RewindPreviewAnswer['files'][number]

/** What the rewind does to a file, by what the turns did. */
const deeds = {
  created: 'is deleted',
  modified: 'goes back to what it was',
  deleted: 'is brought back',
} as const
const reasons = {
  already: 'is as it was already',
  drifted: 'was changed since: left alone',
  notCovered: 'no earlier version is known: left alone',
} as const

const fileWords = ({ verdict, change }: Pick<File, 'verdict' | 'change'>): string =>
  verdict === 'restore' ? deeds[change] : reasons[verdict]

export function RewindDialog({ id, eventId, onClose, onRewind, onFork }: Props) {
  const { answer, failure } = useAnswer<RewindPreviewAnswer>(sessionPath(id, '/rewind-preview'), {
    eventId,
  })
  return (
    <Dialog title="Rewind to before this message" onClose={onClose}>
      <Failed failure={failure} />
      {answer === undefined ? (
        failure === undefined && <p class="faint">Looking at what would change…</p>
      ) : (
        <>
          <blockquote class="prompt">{visible(answer.prompt.slice(0, 600))}</blockquote>
          <p>
            {counted(answer.turnsRemoved, 'turn')} {answer.turnsRemoved === 1 ? 'leaves' : 'leave'}{' '}
            the session
            {answer.checkpointsRemoved > 0 &&
              `, with ${counted(answer.checkpointsRemoved, 'checkpoint')}`}
            . Redo brings everything back.
          </p>
          <Files files={answer.files} />
          {answer.files.length > 0 && (
            <a
              class="button small"
              href={hashOf({ view: 'review', id, scope: 'rewind', event: eventId })}
              onClick={onClose}
            >
              <Icon name="review" /> See what would change, line by line
            </a>
          )}
          <div class="buttons">
            <button type="button" class="primary" onClick={() => onRewind()}>
              {answer.files.length > 0 ? 'Rewind with files' : 'Rewind'}
            </button>
            {answer.files.length > 0 && (
              <button type="button" onClick={() => onRewind('conversation')}>
                Keep the files
              </button>
            )}
            <button type="button" onClick={onFork}>
              Fork instead
            </button>
          </div>
        </>
      )}
    </Dialog>
  )
}

function Files({ files }: Pick<RewindPreviewAnswer, 'files'>) {
  if (files.length === 0) return <p class="faint">No file would change.</p>
  return (
    <ul class="files">
      {files.map((file) => (
        <li class={file.verdict}>
          <code>{visible(file.path)}</code> {file.of === 'session' && 'of the session '}
          <Changes added={file.linesAdded} removed={file.linesRemoved} />{' '}
          <span class="faint">{fileWords(file)}</span>
        </li>
      ))}
    </ul>
  )
}
