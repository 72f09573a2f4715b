/** Makes a link with which others watch the session, shows until when it works, and copies it. */
import { useState } from 'preact/hooks'
import type { GuestLinkAnswer } from '../../api.ts'
import { post, sentence, sessionPath } from '../client.ts'
import { guestSpans, isOfThisMachine } from '../model/link.ts'
import { Dialog } from './dialog.tsx'
import { Form } from './form.tsx'

type Props = { readonly id: string; readonly onClose: () => void }

export function GuestLinkDialog({ id, onClose }: Props) {
  const [hours, setHours] = useState(24)
  const [made, setMade] = useState<GuestLinkAnswer>()
  const [said, setSaid] = useState('')

  const copy = async (link: string) => {
    try {
      await navigator.clipboard.writeText(link)
      setSaid('Copied.')
    } catch {
      // A browser may forbid it, and does so without a reason.
      setSaid('It could not be copied by itself: select it and copy it.')
    }
  }
  const make = async () => {
    try {
      const answer = await post<GuestLinkAnswer>(sessionPath(id, '/guest-link'), { hours })
      setMade(answer)
      await copy(answer.link)
    } catch (error) {
      setSaid(sentence(error))
    }
  }
  return (
    <Dialog title="Guest link" onClose={onClose}>
      <Form class="fields" onSubmit={make}>
        <p>
          Anyone with the link watches this session until it expires: live, read-only, and without
          the secrets that can be recognised. All else in it is shown, also what was said before.
        </p>
        <label>
          Works for
          <select value={hours} onChange={(event) => setHours(Number(event.currentTarget.value))}>
            {guestSpans.map(([each, name]) => (
              <option value={each}>{name}</option>
            ))}
          </select>
        </label>
        {made !== undefined && (
          <>
            <label>
              Link
              <input readOnly value={made.link} onFocus={(event) => event.currentTarget.select()} />
            </label>
            <p class="faint">
              Until {new Date(made.expiresAt).toLocaleString()}. “reprise web --end-guests” ends all
              links before.
              {isOfThisMachine(made.link) &&
                ' Only this machine reaches this address: docs/web.md tells how others do.'}
            </p>
          </>
        )}
        <p role="status">{said}</p>
        <div class="buttons">
          <button class={made === undefined ? 'primary' : ''}>
            {made === undefined ? 'Make the link' : 'Make another'}
          </button>
          {made !== undefined && (
            <button type="button" class="primary" onClick={() => void copy(made.link)}>
              Copy
            </button>
          )}
        </div>
      </Form>
    </Dialog>
  )
}
