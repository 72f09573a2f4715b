/** Tokens: one for each machine, program or browser; when each was last used; made and revoked here. */
import { useState } from 'preact/hooks'
import { ago } from '../../../../lib/quantities.ts'
import { post, remove } from '../client.ts'
import { isEnded, scopes, type Token, type TokensAnswer } from '../model/team.ts'
import { visible } from '../model/words.ts'
import { Failed } from './failed.tsx'
import { Form, NameField } from './form.tsx'
import { OneTime } from './one-time.tsx'
import type { PartProps } from './team.tsx'
import { useList } from './use-list.ts'

export function TokensPart({ team, say }: PartProps) {
  const { answer, failure, act } = useList<TokensAnswer>('/api/tokens', say)
  const now = Date.now()
  const held = answer?.tokens.filter((token) => !isEnded(token, now)) ?? []
  return (
    <>
      <Failed failure={failure} />
      <ul class="cards">
        {held.map((token) => (
          <li key={token.id} class="card in-line wraps">
            <span class="title">{visible(token.machine ?? token.name)}</span>
            <span class="faint">{aboutOf(token, team.nameOf, now)}</span>
            <button
              type="button"
              class="danger"
              onClick={() =>
                void act(
                  () => remove(`/api/tokens/${token.id}`),
                  'The token is of no use any more.',
                )
              }
            >
              Revoke
            </button>
          </li>
        ))}
      </ul>
      <NewToken most={team.scopes} act={act} />
    </>
  )
}

const timeOf = (at: number): string => new Date(at).toISOString()

const aboutOf = (token: Token, nameOf: (id: string) => string, now: number): string =>
  [
    visible(nameOf(token.person)),
    token.session === null ? token.scopes.replaceAll(',', ', ') : 'guest of one session',
    token.used === null ? 'never used' : `used ${ago(timeOf(token.used), now)}`,
    token.ends === null ? undefined : `ends ${new Date(token.ends).toLocaleDateString()}`,
  ]
    .filter((part) => part !== undefined)
    .join(' · ')

type NewProps = {
  readonly most: readonly string[]
  readonly act: (work: () => Promise<unknown>) => Promise<boolean>
}

function NewToken({ most, act }: NewProps) {
  const [name, setName] = useState('')
  const [chosen, setChosen] = useState<readonly string[]>(['watch'])
  const [days, setDays] = useState('90')
  const [made, setMade] = useState<string>()
  const make = () =>
    act(async () => {
      const wish = { name, scopes: chosen, ...(days !== '' && { days: Number(days) }) }
      const { token } = await post<{ readonly token: string }>('/api/tokens', wish)
      setMade(token)
      setName('')
    })
  const isAdmin = most.includes('admin')
  return (
    <section class="section">
      <h2>Make a token for a machine or a program</h2>
      <Form class="fields" onSubmit={make}>
        <div class="in-two">
          <NameField name={name} onName={setName} />
          <label>
            Days
            <input
              type="number"
              min={1}
              max={3650}
              placeholder="does not end"
              value={days}
              onInput={(event) => setDays(event.currentTarget.value)}
            />
          </label>
        </div>
        <fieldset class="choices">
          <legend>It may</legend>
          {scopes
            .filter((scope) => isAdmin || most.includes(scope))
            .map((scope) => (
              <label key={scope} class="check">
                <input
                  type="checkbox"
                  checked={chosen.includes(scope)}
                  onChange={({ currentTarget: { checked } }) =>
                    setChosen((before) =>
                      checked ? [...before, scope] : before.filter((each) => each !== scope),
                    )
                  }
                />
                {scope}
              </label>
            ))}
        </fieldset>
        <div class="buttons">
          <button class="primary" disabled={chosen.length === 0}>
            Make it
          </button>
        </div>
      </Form>
      {made !== undefined && (
        <OneTime label="The token" text={made}>
          It is shown this once. Keep it where only its machine reads it.
        </OneTime>
      )}
    </section>
  )
}
