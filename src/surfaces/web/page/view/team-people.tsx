/** Who is in the team, who is invited, and machines that ask to join. */
import { useState } from 'preact/hooks'
import { post, put, remove } from '../client.ts'
import { roles, type PeopleAnswer } from '../model/team.ts'
import { visible } from '../model/words.ts'
import { Failed } from './failed.tsx'
import { Form, NameField } from './form.tsx'
import { OneTime } from './one-time.tsx'
import type { PartProps } from './team.tsx'
import { useList } from './use-list.ts'

export function PeoplePart({ team, say }: PartProps) {
  const { answer, failure, act } = useList<PeopleAnswer>('/api/people', say)
  const people = answer?.people.filter(({ ended }) => ended === null) ?? []
  const end = (id: string, name: string) =>
    void act(() => remove(`/api/people/${id}`), `${name} has no access any more.`)
  const [renaming, setRenaming] = useState<{ readonly id: string; readonly name: string }>()
  const rename = async () => {
    if (renaming === undefined) return
    const { id, name } = renaming
    if (await act(() => put(`/api/people/${id}`, { name }), 'The name was changed.'))
      setRenaming(undefined)
  }
  return (
    <>
      <Failed failure={failure} />
      <ul class="cards">
        {people.map(({ id, name, role }) => (
          <li key={id} class="card in-line wraps">
            <span class="title">{visible(name)}</span>
            <span class="chip">{role}</span>
            {id === team.person && <span class="faint">you</span>}
            {(team.may('admin') || id === team.person) && (
              <button type="button" onClick={() => setRenaming({ id, name })}>
                Rename
              </button>
            )}
            {team.may('admin') && id !== team.person && (
              <button type="button" class="danger" onClick={() => end(id, name)}>
                End access
              </button>
            )}
            {renaming?.id === id && (
              <Form class="filters" onSubmit={rename}>
                <NameField
                  name={renaming.name}
                  onName={(given) => setRenaming({ id, name: given })}
                />
                <button class="primary">Keep the name</button>
                <button type="button" onClick={() => setRenaming(undefined)}>
                  Cancel
                </button>
              </Form>
            )}
          </li>
        ))}
      </ul>
      {team.may('admin') && <Invite act={act} />}
      <Approve act={act} />
    </>
  )
}

type Act = { readonly act: (work: () => Promise<unknown>, said?: string) => Promise<boolean> }

function Invite({ act }: Act) {
  const [name, setName] = useState('')
  const [role, setRole] = useState<string>('member')
  const [link, setLink] = useState<string>()
  const invite = () =>
    act(async () => {
      const { fragment } = await post<{ readonly fragment: string }>('/api/invitations', {
        name,
        role,
      })
      setLink(`${location.origin}/${fragment}`)
      setName('')
    })
  return (
    <section class="section">
      <h2>Invite a person</h2>
      <Form class="filters" onSubmit={invite}>
        <NameField name={name} onName={setName} />
        <label>
          Role
          <select value={role} onChange={(event) => setRole(event.currentTarget.value)}>
            {roles.map((each) => (
              <option value={each}>{each}</option>
            ))}
          </select>
        </label>
        <button class="primary">Invite</button>
      </Form>
      {link !== undefined && (
        <OneTime label="Link of the invitation" text={link}>
          It works once, within a week: in a browser, or with “reprise remote login”.
        </OneTime>
      )}
    </section>
  )
}

/** A machine without a browser shows a short code. */
function Approve({ act }: Act) {
  const [code, setCode] = useState('')
  const answer = (approve: boolean) =>
    act(
      async () => {
        await post('/api/login/approve', { userCode: code.trim().toUpperCase(), approve })
        setCode('')
      },
      approve ? 'The machine has joined, with at most what you may do here.' : 'It was refused.',
    )
  return (
    <section class="section">
      <h2>A machine asks to join</h2>
      <Form class="filters" onSubmit={() => answer(true)}>
        <label>
          The code that it shows
          <input
            required
            maxLength={20}
            placeholder="ABCD-EFGH"
            value={code}
            onInput={(event) => setCode(event.currentTarget.value)}
          />
        </label>
        <button class="primary">Allow</button>
        <button type="button" disabled={code.trim() === ''} onClick={() => void answer(false)}>
          Refuse
        </button>
      </Form>
    </section>
  )
}
