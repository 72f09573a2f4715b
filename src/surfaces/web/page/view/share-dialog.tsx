/** Who sees a session in Mission Control: nobody else, the team, people who may also steer it, guests with a link. */
import { useState } from 'preact/hooks'
import { post, remove, sessionPath } from '../client.ts'
import { guestSpans } from '../model/link.ts'
import {
  isEnded,
  kindsOf,
  mayOf,
  mayWords,
  type May,
  type Sharing,
  type TokensAnswer,
} from '../model/team.ts'
import { visible } from '../model/words.ts'
import { Dialog } from './dialog.tsx'
import { Failed } from './failed.tsx'
import { OneTime } from './one-time.tsx'
import type { Team } from './team.tsx'
import { useList } from './use-list.ts'

type Props = { readonly id: string; readonly team: Team; readonly onClose: () => void }

export function ShareDialog({ id, team, onClose }: Props) {
  const [said, setSaid] = useState('')
  const { answer, failure, act } = useList<Sharing>(sessionPath(id, '/grants'), setSaid)
  return (
    <Dialog title="Share" onClose={onClose}>
      <div class="fields">
        <Failed failure={failure} />
        {answer !== undefined && answer.person !== team.person && (
          <p>
            This session is {visible(team.nameOf(answer.person))}’s, who alone says who sees and
            steers it.
          </p>
        )}
        {answer !== undefined && answer.person === team.person && (
          <>
            <label class="check">
              <input
                type="checkbox"
                checked={answer.sharing === 'team'}
                onChange={({ currentTarget: { checked } }) =>
                  void act(
                    () =>
                      post(sessionPath(id, '/sharing'), { sharing: checked ? 'team' : 'private' }),
                    checked ? 'The team sees it now.' : 'Only you see it now.',
                  )
                }
              />
              The team may watch and search it
            </label>
            <label class="check">
              <input
                type="checkbox"
                checked={answer.isPinned}
                onChange={({ currentTarget: { checked } }) =>
                  void act(() => post(sessionPath(id, '/pin'), { pinned: checked }))
                }
              />
              Keep it whatever its age
            </label>
            {answer.sharing === 'team' && <Grants id={id} team={team} sharing={answer} act={act} />}
            <Guests id={id} say={setSaid} />
          </>
        )}
        <p role="status">{said}</p>
      </div>
    </Dialog>
  )
}

type GrantProps = {
  readonly id: string
  readonly team: Team
  readonly sharing: Sharing
  readonly act: (work: () => Promise<unknown>, said?: string) => Promise<boolean>
}

function Grants({ id, team, sharing, act }: GrantProps) {
  const others = team.people.filter(
    ({ id: person, ended, role }) => person !== team.person && ended === null && role !== 'viewer',
  )
  if (others.length === 0) return null
  const grant = (person: string, may: readonly May[]) =>
    void act(() => post(sessionPath(id, '/grants'), { person, kinds: kindsOf(may) }), 'Saved.')
  return (
    <fieldset class="choices">
      <legend>Who may do more than watch</legend>
      {others.map(({ id: person, name }) => {
        const kinds = sharing.grants.find((each) => each.person === person)?.kinds ?? []
        const may = mayOf(kinds)
        return (
          <div key={person} class="in-line wraps">
            <b class="title">{visible(name)}</b>
            {(Object.keys(mayWords) as May[]).map((each) => (
              <label class="check">
                <input
                  type="checkbox"
                  checked={may.includes(each)}
                  onChange={({ currentTarget: { checked } }) =>
                    grant(person, checked ? [...may, each] : may.filter((one) => one !== each))
                  }
                />
                {mayWords[each].words}
              </label>
            ))}
          </div>
        )
      })}
      <p class="faint">Whatever is sent, the machine of the session decides.</p>
    </fieldset>
  )
}

function Guests({ id, say }: { readonly id: string; readonly say: (text: string) => void }) {
  const [hours, setHours] = useState(24)
  const [link, setLink] = useState<string>()
  const { answer, act } = useList<TokensAnswer>('/api/tokens', say)
  const now = Date.now()
  const guests =
    answer?.tokens.filter((token) => token.session === id && !isEnded(token, now)) ?? []
  const make = () =>
    act(async () => {
      const path = sessionPath(id, '/guest-link')
      setLink((await post<{ readonly link: string }>(path, { hours })).link)
    })
  return (
    <section class="section">
      <h3>Guests</h3>
      <p class="faint">
        A guest watches this session live, read-only, without the secrets that can be recognised.
        Where on the machine it runs is left out; paths in what was said and done are shown.
      </p>
      <ul class="cards">
        {guests.map((token) => (
          <li key={token.id} class="card in-line">
            <span class="title">
              {token.used === null ? 'A link that was not opened yet' : 'A guest'}
            </span>
            <span class="faint">
              {token.ends === null ? '' : `until ${new Date(token.ends).toLocaleString()}`}
            </span>
            <button
              type="button"
              class="danger"
              onClick={() =>
                void act(() => remove(`/api/tokens/${token.id}`), 'This link has ended.')
              }
            >
              End
            </button>
          </li>
        ))}
      </ul>
      <div class="filters">
        <label>
          Works for
          <select value={hours} onChange={(event) => setHours(Number(event.currentTarget.value))}>
            {guestSpans.map(([each, name]) => (
              <option value={each}>{name}</option>
            ))}
          </select>
        </label>
        <button type="button" class="primary" onClick={() => void make()}>
          Make a link
        </button>
      </div>
      {link !== undefined && (
        <OneTime label="Link" text={link}>
          The first browser that opens it is the guest’s.
        </OneTime>
      )}
    </section>
  )
}
