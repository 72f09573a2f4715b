/** What the model was given in a turn, or is given next: item by item. Each can be left out from here on, or brought back. */
import { useEffect, useState } from 'preact/hooks'
import { defined } from '../../../../lib/defined.ts'
import { amount, counted } from '../../../../lib/quantities.ts'
import type { CommandAnswer, ContextItem, GivenContext } from '../../api.ts'
import { post, sentence, sessionPath } from '../client.ts'
import { visible } from '../model/words.ts'
import type { ArtifactProps } from './artifacts.tsx'
import { Failed, type Failure } from './failed.tsx'

/** Of a long context the latest; the rest on demand. */
const MOST_ITEMS = 100

export function ContextPanel({ id, version, attempt }: ArtifactProps) {
  const [turn, setTurn] = useState('now')
  const [edits, setEdits] = useState(0)
  const [given, setGiven] = useState<GivenContext>()
  const [failure, setFailure] = useState<Failure>()
  useEffect(() => {
    let isWanted = true
    command<GivenContext>(id, `/context ${turn}`).then(
      (answer) => isWanted && (setGiven(answer), setFailure(undefined)),
      (error: unknown) =>
        isWanted &&
        setFailure({ text: sentence(error), again: () => setEdits((count) => count + 1) }),
    )
    return () => {
      isWanted = false
    }
  }, [id, turn, version, edits])
  const edit = (what: 'omit' | 'restore', item: ContextItem) =>
    void attempt?.(async () => {
      await command(id, `/context ${what} ${item.eventId}`)
      setEdits((count) => count + 1)
    })
  if (failure !== undefined) return <Failed failure={failure} />
  if (given === undefined) return <p class="faint">Reading…</p>
  return (
    <>
      <label class="context-turn">
        What the model{' '}
        <select value={turn} onChange={(event) => setTurn(event.currentTarget.value)}>
          <option value="now">is given next</option>
          {Array.from({ length: given.turns }, (_, at) => given.turns - at).map((number) => (
            <option value={String(number)}>was given in turn {number}</option>
          ))}
        </select>
      </label>
      <Sums given={given} />
      <Items
        id={id}
        items={given.items}
        {...(turn === 'now' && attempt !== undefined && { onEdit: edit })}
      />
      <p class="faint">{toolsOf(given)}</p>
    </>
  )
}

async function command<T>(id: string, text: string): Promise<T> {
  const { result } = await post<CommandAnswer>(sessionPath(id, '/command'), { text })
  return result as T
}

function Sums({ given }: { readonly given: GivenContext }) {
  const { kinds, total, call, own } = given
  return (
    <>
      <p>
        About {amount(total)} tokens
        {call?.inputTokens !== undefined && `; the model counted ${amount(call.inputTokens)}`}
        {call !== undefined && call.of > 1 && ` (last of ${call.of} calls)`}
      </p>
      {own !== undefined && <p class="faint">{originOf(own)}</p>}
      <ul class="context-kinds">
        {kinds
          .filter(({ tokens }) => tokens > 0)
          .map(({ kind, tokens }) => (
            <li key={kind}>
              <span>{kind}</span>
              <meter aria-label={kind} min={0} max={Math.max(1, total)} value={tokens} />
              <span class="faint">{amount(tokens)}</span>
            </li>
          ))}
      </ul>
    </>
  )
}

function originOf({ agent, notes }: NonNullable<GivenContext['own']>): string {
  if (agent === 'offline') return 'No model was asked: the offline agent answered.'
  const who = visible(agent ?? 'The program that recorded this turn')
  const said = notes.map(visible).join(' ')
  return `${who} keeps a context of its own: what its model was given is not recorded. ${said}`
}

type ItemsProps = {
  readonly id: string
  readonly items: readonly ContextItem[]
  readonly onEdit?: (what: 'omit' | 'restore', item: ContextItem) => void
}

function Items({ id, items, onEdit }: ItemsProps) {
  const [most, setMost] = useState(MOST_ITEMS)
  return (
    <ol class="context-items">
      {items.length > most && (
        <li>
          <button type="button" class="small" onClick={() => setMost(most + MOST_ITEMS)}>
            Show earlier ones
          </button>
        </li>
      )}
      {items.slice(-most).map((item) => (
        <Item key={`${item.eventId} ${item.status}`} id={id} item={item} {...defined({ onEdit })} />
      ))}
    </ol>
  )
}

function Item({ id, item, onEdit }: Omit<ItemsProps, 'items'> & { readonly item: ContextItem }) {
  const [words, setWords] = useState<string>()
  const isGiven = item.status === 'given'
  const show = () =>
    void command<{ readonly message: { readonly content: string } }>(
      id,
      `/context --item ${item.eventId}`,
    ).then(
      ({ message }) => setWords(message.content),
      (error: unknown) => setWords(sentence(error)),
    )
  return (
    <li class={isGiven ? '' : 'is-gone'}>
      <details onToggle={(event) => event.currentTarget.open && words === undefined && show()}>
        <summary>
          <span class="context-what">{visible(item.what) || '…'}</span>
          <span class="faint">
            {item.kind} of turn {item.turn} · {amount(item.tokens)} tokens
            {!isGiven && ` · ${WHY[item.status as keyof typeof WHY]}`}
          </span>
        </summary>
        <pre>{visible(words ?? 'Reading…')}</pre>
      </details>
      {onEdit !== undefined && (
        <button
          type="button"
          class="small"
          aria-label={`${isGiven ? 'Leave out' : 'Bring back'}: ${visible(item.what)}`}
          onClick={() => onEdit(isGiven ? 'omit' : 'restore', item)}
        >
          {isGiven ? 'Leave out' : 'Bring back'}
        </button>
      )}
    </li>
  )
}

const WHY = {
  omitted: 'left out',
  compacted: 'compacted',
  cleared: 'cleared',
  'too long': 'too long ago',
} as const

const toolsOf = ({ tools, turn }: GivenContext): string => {
  if (tools !== undefined) return `${counted(tools.length, 'tool')}: ${tools.join(', ')}`
  return turn === undefined
    ? 'Which tools the model has is not known.'
    : 'Which tools the model was told of is not recorded.'
}
