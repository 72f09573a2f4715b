/** How the session stands to Mission Control, with the link to its copy and a code that a phone reads. */
import { useEffect, useState } from 'preact/hooks'
import type { CommandAnswer } from '../../api.ts'
import { post, sentence, sessionPath } from '../client.ts'
import { Dialog } from './dialog.tsx'
import { Markdown } from './markdown.tsx'

type Props = { readonly id: string; readonly onClose: () => void }

export function RemoteDialog({ id, onClose }: Props) {
  const [said, setSaid] = useState('')
  const run = (text: string) =>
    void post<CommandAnswer>(sessionPath(id, '/command'), { text }).then(
      (answer) => setSaid(answer.said),
      (error: unknown) => setSaid(sentence(error)),
    )
  useEffect(() => run('/remote'), [id])
  return (
    <Dialog title="In Mission Control" onClose={onClose}>
      <div aria-live="polite">
        <Markdown text={said} />
      </div>
      <div class="buttons">
        <button type="button" onClick={() => run('/remote on')}>
          Keep a copy
        </button>
        <button type="button" onClick={() => run('/remote on --steer')}>
          Keep a copy that can be steered
        </button>
        <button type="button" onClick={() => run('/remote off')}>
          Send nothing
        </button>
      </div>
    </Dialog>
  )
}
