/** How long sessions are kept and how much the team may write; and the record of who did what. */
import { useEffect, useState } from 'preact/hooks'
import { put } from '../client.ts'
import { limitWords, type LimitName, type LimitsAnswer, type RecordAnswer } from '../model/team.ts'
import { visible } from '../model/words.ts'
import { Failed } from './failed.tsx'
import { Form } from './form.tsx'
import type { PartProps } from './team.tsx'
import { useList } from './use-list.ts'

const names = Object.keys(limitWords) as LimitName[]

export function LimitsPart({ team, say }: PartProps) {
  const { answer, failure, act } = useList<LimitsAnswer>('/api/tenant', say)
  const [fields, setFields] = useState<Partial<Record<LimitName, string>>>({})
  const isAdmin = team.may('admin')
  useEffect(() => {
    if (answer === undefined) return
    const known = names.map((name) => [name, String(answer.settings[name] ?? '')] as const)
    setFields(Object.fromEntries(known))
  }, [answer])
  const save = () => {
    const given = names.flatMap((name) => {
      const text = fields[name] ?? ''
      return text === '' ? [] : [[name, Number(text)] as const]
    })
    return act(() => put('/api/tenant', Object.fromEntries(given)), 'Saved.')
  }
  return (
    <Form class="fields" onSubmit={save}>
      <Failed failure={failure} />
      <p class="faint">
        What is empty is not limited. Beyond a limit nothing is taken, in words; the machine keeps
        what it has. Pinned sessions are kept whatever their age.
      </p>
      {names.map((name) => (
        <label key={name}>
          {limitWords[name]}
          <input
            type="number"
            min={name === 'trashDays' ? 0 : 1}
            readOnly={!isAdmin}
            value={fields[name] ?? ''}
            onInput={({ currentTarget: { value } }) =>
              setFields((before) => ({ ...before, [name]: value }))
            }
          />
        </label>
      ))}
      {isAdmin && (
        <div class="buttons">
          <button class="primary">Save</button>
        </div>
      )}
    </Form>
  )
}

export function RecordPart({ team, say }: PartProps) {
  const { answer, failure } = useList<RecordAnswer>('/api/audit', say)
  return (
    <>
      <Failed failure={failure} />
      <div class="wide result-table" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">When</th>
              <th scope="col">Who</th>
              <th scope="col">What</th>
              <th scope="col">Of what</th>
            </tr>
          </thead>
          <tbody>
            {answer?.audit.map(({ at, person, action, subject }) => (
              <tr key={`${at} ${action} ${subject}`}>
                <td>{new Date(at).toLocaleString()}</td>
                <td>{visible(team.nameOf(person))}</td>
                <td>{action.replace('.', ': ').replaceAll('_', ' ')}</td>
                <td>{visible(subject)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}
