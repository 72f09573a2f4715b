/**
 * Gemini CLI (seen: 0.61). The file is a log of operations: a message with an id that was there replaces it, `$set`
 * replaces the whole list, `$rewindTo` takes the end of it away. Older versions wrote one object with the list.
 */
import { defined } from '../../lib/defined.ts'
import { fieldsOf, isFields, listIn, objectsOf, textIn, type Fields } from '../../lib/fields.ts'
import type { Dated, Facts, Reader, Ref, Source } from '../convert/port.ts'
import { allRecordsOf, countFacts, storiesOf } from '../convert/reading.ts'
import { createTeller, type Teller } from '../convert/draft-builder.ts'
import type { Usage } from '../convert/import-drafts.ts'
import type { Tally } from '../convert/fidelity-report.ts'
import { shown, textOf, tokensIn } from '../convert/values.ts'
import { diffOfDisplay, picturesIn, responseText } from './parts.ts'

/** A message: the record that has its last form, and its place in the list of that record. */
type MessagePlace = { readonly id: string; readonly ref: Ref; readonly at?: number }

type Index = { list: MessagePlace[]; readonly left: MessagePlace[][]; facts: Partial<Facts> }

export const readGemini: Reader = async (source, tally) => {
  const index: Index = { list: [], left: [], facts: {} }
  for await (const record of allRecordsOf(source, tally)) {
    lookAt(index, fieldsOf(record.value), record.ref, tally)
  }
  const facts: Facts = {
    startedAt: source.hints.startedAt,
    ...index.facts,
    ...defined({ cwd: source.hints.cwd }),
  }
  countFacts(facts, tally)
  const left = index.left.map((told, at) => ({ branch: `rewind ${at + 1}`, told }))
  return storiesOf({ main: index.list, left }, facts, tally, (messages, counted) =>
    tell(source, messages, createTeller(counted, facts.startedAt)),
  )
}

function lookAt(index: Index, line: Fields, ref: Ref, tally: Tally): void {
  const set = fieldsOf(line['$set'])
  if ('$set' in line || Array.isArray(line['messages'])) {
    tally.understood()
    const messages = '$set' in line ? set['messages'] : line['messages']
    if (Array.isArray(messages)) replace(index, objectsOf(messages), ref)
    learn(index, { ...line, ...set })
  } else if (typeof line['$rewindTo'] === 'string') {
    tally.understood()
    const to = index.list.findIndex(({ id }) => id === line['$rewindTo'])
    index.left.push([...index.list])
    index.list = index.list.slice(0, Math.max(0, to))
  } else if (typeof line['id'] === 'string' && typeof line['type'] === 'string') {
    tally.understood()
    put(index, { id: line['id'], ref })
    learn(index, line)
  } else if (typeof line['sessionId'] === 'string') {
    tally.understood()
    learn(index, line)
  } else tally.unknown(Object.keys(line)[0] ?? 'no fields')
}

/** A process that goes on writes the list anew, as far as it is alike; what is no more in it was taken back. */
function replace(index: Index, messages: readonly Fields[], ref: Ref): void {
  const before = new Map(index.list.map((place) => [place.id, place]))
  const ids = new Set(messages.map((message) => textIn(message, 'id')))
  // One that begins anew writes its own context alone first, and the rest right after.
  if (messages.every(isContext)) return
  if (index.list.some(({ id }) => !ids.has(id))) index.left.push([...index.list])
  index.list = messages.map((message, at) => {
    const id = textIn(message, 'id') ?? String(at)
    return before.get(id) ?? { id, ref, at }
  })
}

function put(index: Index, place: MessagePlace): void {
  const at = index.list.findIndex(({ id }) => id === place.id)
  if (at === -1) index.list.push(place)
  else index.list[at] = place
}

function learn(index: Index, line: Fields): void {
  index.facts = {
    ...defined({
      startedAt: textIn(line, 'startTime') ?? textIn(line, 'timestamp'),
      model: textIn(line, 'model'),
    }),
    ...index.facts,
    ...defined({ resumeId: textIn(line, 'sessionId') ?? index.facts.resumeId }),
    ...defined({ name: textIn(line, 'summary') }),
  }
}

async function* tell(
  source: Source,
  places: readonly MessagePlace[],
  teller: Teller,
): AsyncGenerator<Dated, void, void> {
  for (const { id, ref, at } of places) {
    const record = fieldsOf(await source.parts[ref.part]?.read(ref))
    const list = fieldsOf(record['$set'])['messages'] ?? record['messages']
    const message = at === undefined ? record : fieldsOf(objectsOf(list)[at])
    yield* messageOf(message, id, teller)
  }
}

const isContext = (message: Fields): boolean =>
  message['type'] === 'user' && /^\s*<session_context>/.test(contentText(message['content']))

const contentText = (content: unknown): string =>
  isFields(content) ? textOf([content]) : textOf(content)

function* messageOf(message: Fields, id: string, teller: Teller): Generator<Dated, void, void> {
  const moment = { at: textIn(message, 'timestamp'), key: id }
  const type = textIn(message, 'type')
  const content = message['content']
  if (type === 'user') {
    // Results stand with the calls of the answer before.
    if (isContext(message) || objectsOf(content).some((part) => 'functionResponse' in part)) return
    const shownText = contentText(message['displayContent'])
    const given = contentText(content)
    const text = shownText || given
    yield* teller.prompt({
      ...moment,
      text,
      images: picturesIn(content),
      ...(given !== text && { given }),
    })
    return
  }
  if (type !== 'gemini') {
    const text = contentText(content)
    if (text !== '') yield* teller.remark({ ...moment, kind: type ?? 'note', text })
    return
  }
  const calls = listIn(message, 'toolCalls')
  const thoughts = listIn(message, 'thoughts').map((thought) =>
    [textIn(thought, 'subject'), textIn(thought, 'description')].filter(Boolean).join(': '),
  )
  yield* teller.answer({
    ...moment,
    id,
    text: contentText(content),
    calls: calls.map((call, at) => ({
      id: callId(call, at, id),
      name: textIn(call, 'name') ?? '',
      args: call['args'],
    })),
    usage: usageOf(fieldsOf(message['tokens'])),
    ...defined({
      model: textIn(message, 'model'),
      thinking: thoughts.length > 0 ? thoughts.join('\n') : undefined,
    }),
  })
  for (const [at, call] of calls.entries()) {
    const status = textIn(call, 'status')
    if (call['result'] === undefined && status === undefined) continue
    const display = fieldsOf(call['resultDisplay'])
    const path = textIn(fieldsOf(call['args']), 'file_path') ?? textIn(display, 'fileName')
    const diff = diffOfDisplay(display)
    yield* teller.result({
      at: textIn(call, 'timestamp') ?? moment.at,
      key: `${id} ${at}`,
      id: callId(call, at, id),
      isError: status === 'error' || status === 'cancelled',
      text: responseText(call['result']) || shown(call['resultDisplay']),
      images: picturesIn(call['result']),
      ...defined({ diff }),
      ...(diff !== undefined &&
        path !== undefined && {
          edits: [{ path, kind: isNewFile(display) ? ('create' as const) : ('edit' as const) }],
        }),
    })
  }
}

const isNewFile = (display: Fields): boolean =>
  display['isNewFile'] === true ||
  display['originalContent'] === '' ||
  display['originalContent'] === null

const callId = (call: Fields, at: number, id: string): string => textIn(call, 'id') ?? `${id}-${at}`

const usageOf = (tokens: Fields): Usage =>
  defined({
    input: tokensIn(tokens, 'input'),
    output: tokensIn(tokens, 'output'),
    cacheRead: tokensIn(tokens, 'cached'),
    reasoning: tokensIn(tokens, 'thoughts'),
  })
