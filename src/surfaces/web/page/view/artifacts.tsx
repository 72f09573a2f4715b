/** What a session keeps besides its log: its plan, its files, its checkpoints. */
import { useState } from 'preact/hooks'
import { sizeText } from '../../../../lib/quantities.ts'
import type { CheckpointAnswer, CheckpointsAnswer, FilesAnswer, PlanAnswer } from '../../api.ts'
import { post, sessionPath } from '../client.ts'
import { visible } from '../model/words.ts'
import { Failed } from './failed.tsx'
import { Markdown } from './markdown.tsx'
import { Upload } from './upload.tsx'
import { useAnswer } from './use-answer.ts'
import type { Attempt } from './use-list.ts'

export type ArtifactProps = {
  readonly id: string
  /** Changes with the session, so that what is shown is asked for again. */
  readonly version: string
  /** Does what changes something. Who may only read has none. */
  readonly attempt?: Attempt
}

export function Plan({ id, version, attempt }: ArtifactProps) {
  const [saved, setSaved] = useState(0)
  const { answer, failure } = useAnswer<PlanAnswer>(
    sessionPath(id, '/plan'),
    {},
    { version: `${version} ${saved}` },
  )
  const [draft, setDraft] = useState<string>()
  if (failure !== undefined) return <Failed failure={failure} />
  if (answer === undefined) return null
  if (draft === undefined) {
    return (
      <>
        {answer.text === null ? <p class="faint">No plan yet.</p> : <Markdown text={answer.text} />}
        {attempt !== undefined && (
          <button type="button" class="small" onClick={() => setDraft(answer.text ?? '')}>
            {answer.text === null ? 'Write a plan' : 'Edit'}
          </button>
        )}
      </>
    )
  }
  const save = () =>
    void attempt?.(async () => {
      await post(sessionPath(id, '/plan'), { text: draft.trim() === '' ? null : draft })
      setDraft(undefined)
      setSaved(saved + 1)
    })
  return (
    <>
      <textarea
        class="plan-text"
        aria-label="Plan"
        value={draft}
        onInput={(event) => setDraft(event.currentTarget.value)}
      />
      <div class="buttons">
        <button type="button" class="primary" onClick={save}>
          Save
        </button>
        <button type="button" onClick={() => setDraft(undefined)}>
          Discard
        </button>
      </div>
    </>
  )
}

export function Files({ id, version, attempt }: ArtifactProps) {
  const [uploads, setUploads] = useState(0)
  const { answer, failure } = useAnswer<FilesAnswer>(
    sessionPath(id, '/files'),
    {},
    { version: `${version} ${uploads}` },
  )
  if (failure !== undefined) return <Failed failure={failure} />
  return (
    <>
      {attempt !== undefined && (
        <Upload id={id} attempt={attempt} onDone={() => setUploads((count) => count + 1)} />
      )}
      {answer?.files.length === 0 && <p class="faint">No files yet.</p>}
      <ul class="files">
        {answer?.files.map(({ path, size }) => (
          <li key={path}>
            <a href={sessionPath(id, `/files/content?path=${encodeURIComponent(path)}`)} download>
              {visible(path)}
            </a>{' '}
            <span class="faint">{sizeText(size)}</span>
          </li>
        ))}
      </ul>
    </>
  )
}

export function Checkpoints({ id, version }: ArtifactProps) {
  const [shown, setShown] = useState<number>()
  const list = useAnswer<CheckpointsAnswer>(sessionPath(id, '/checkpoints'), {}, { version })
  const one = useAnswer<CheckpointAnswer>(
    shown === undefined ? undefined : sessionPath(id, `/checkpoints/${shown}`),
  )
  if (list.failure !== undefined) return <Failed failure={list.failure} />
  if (list.answer?.checkpoints.length === 0) return <p class="faint">No checkpoints yet.</p>
  return (
    <ol class="timeline">
      {list.answer?.checkpoints.map(({ number, title }) => (
        <li key={number}>
          <button
            type="button"
            class="turn"
            aria-expanded={shown === number}
            onClick={() => setShown(shown === number ? undefined : number)}
          >
            {number}. {visible(title)}
          </button>
          {shown === number && one.answer !== undefined && <Markdown text={one.answer.text} />}
        </li>
      ))}
    </ol>
  )
}
