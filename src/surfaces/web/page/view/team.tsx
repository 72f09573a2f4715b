/** Mission Control, for the views that it shares with the page of one machine: who is signed in, and whose sessions are asked about. */
import { createContext, type ComponentChildren } from 'preact'
import { useContext, useMemo, useState } from 'preact/hooks'
import type { ServerAnswer } from '../../api.ts'
import type { PeopleAnswer, Person } from '../model/team.ts'
import { useAnswer } from './use-answer.ts'

type SignedIn = NonNullable<ServerAnswer['team']>
export type Team = SignedIn & {
  readonly people: readonly Person[]
  /** By the id that sessions have. */
  readonly nameOf: (person: string) => string
  readonly may: (scope: string) => boolean
}

/** Of a part of the team's place. */
export type PartProps = { readonly team: Team; readonly say: (text: string) => void }

const Context = createContext<Team | undefined>(undefined)
/** Undefined on the page of one machine. */
export const useTeam = (): Team | undefined => useContext(Context)

type ProviderProps = {
  readonly signedIn: SignedIn | undefined
  readonly children: ComponentChildren
}

export function TeamProvider({ signedIn, children }: ProviderProps) {
  const { answer } = useAnswer<PeopleAnswer>(signedIn === undefined ? undefined : '/api/people')
  const team = useMemo((): Team | undefined => {
    if (signedIn === undefined) return undefined
    const people = answer?.people ?? []
    const names = new Map(people.map(({ id, name }) => [id, name]))
    return {
      ...signedIn,
      people,
      nameOf: (person) => names.get(person) ?? person,
      may: (scope) => signedIn.scopes.includes(scope),
    }
  }, [signedIn, answer])
  return <Context.Provider value={team}>{children}</Context.Provider>
}

/** False for who only watches in Mission Control. */
export const useMayAct = (): boolean => useTeam()?.may('steer') ?? true

type Audience = 'mine' | 'team'
const KEY = 'reprise audience'
const kept = (): Audience => (localStorage.getItem(KEY) === 'team' ? 'team' : 'mine')

/** Whose sessions a question is about: what is asked along with it, and how it is chosen. */
export function useAudience() {
  const team = useTeam()
  const [of, setOf] = useState(kept)
  if (team === undefined) return { query: {}, picker: null }
  const choose = (next: Audience) => {
    localStorage.setItem(KEY, next)
    setOf(next)
  }
  const picker = (
    <label>
      Of
      <select
        aria-label="Whose sessions"
        value={of}
        onChange={(event) => choose(event.currentTarget.value === 'team' ? 'team' : 'mine')}
      >
        <option value="mine">my sessions</option>
        <option value="team">what the team shares</option>
      </select>
    </label>
  )
  return { query: { of }, picker }
}
