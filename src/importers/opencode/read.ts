/**
 * opencode (seen: 1.18). Rows of its database, or the files that it had before 1.2: a session, its messages, their parts;
 * each with its `data` as an object. A sub-agent is a session of its own, handed in as a part. A revert hides the
 * messages from it on, and they are a story of their own.
 */
import { defined } from '../../lib/defined.ts'
import { fieldsOf, listIn, textIn, type Fields } from '../../lib/fields.ts'
import type { Dated, Facts, Reader, Ref, Source } from '../convert/port.ts'
import { countFacts, recordsOf, storiesOf } from '../convert/reading.ts'
import { createTeller, type Teller } from '../convert/draft-builder.ts'
import type { CallMade, Usage } from '../convert/import-drafts.ts'
import type { Tally } from '../convert/fidelity-report.ts'
import { numberIn, pictureOfUrl, shown, textOf, timeOf, tokensIn } from '../convert/values.ts'

type Message = { readonly id: string; readonly ref: Ref; readonly parts: Ref[] }
type Found = { readonly messages: Message[]; session: Fields }

export const readOpencode: Reader = async (source, tally) => {
  const main: Found = { messages: [], session: {} }
  const subAgents = new Map<string, Found>()
  for (const part of source.parts) {
    const [role, id = ''] = part.role.split(' ', 2)
    const found = role === 'main' ? main : { messages: [], session: {} }
    if (role === 'subagent') subAgents.set(id, found)
    for await (const record of recordsOf(part, tally)) {
      lookAt(found, fieldsOf(record.value), record.ref, tally)
    }
  }
  const { session } = main
  const path = fieldsOf(session['path'])
  const facts: Facts = {
    startedAt:
      timeOf(numberIn(session, 'time_created') ?? fieldsOf(session['time'])['created']) ??
      source.hints.startedAt,
    ...defined({
      cwd: textIn(session, 'directory') ?? textIn(path, 'cwd') ?? source.hints.cwd,
      version: textIn(session, 'version'),
      name: textIn(session, 'title'),
      parentNativeId: textIn(session, 'parent_id') ?? textIn(session, 'parentID'),
    }),
  }
  countFacts(facts, tally)
  const revert = textIn(fieldsOf(session['revert']), 'messageID')
  const cut = revert === undefined ? -1 : main.messages.findIndex(({ id }) => id >= revert)
  const branches =
    cut === -1
      ? { main: main.messages, left: [] }
      : {
          main: main.messages.slice(0, cut),
          left: [{ branch: `revert ${revert}`, told: main.messages }],
        }
  return storiesOf(branches, facts, tally, (messages, counted) =>
    tell(
      source,
      { messages: [...messages], session },
      subAgents,
      createTeller(counted, facts.startedAt),
      counted,
    ),
  )
}

function lookAt(found: Found, row: Fields, ref: Ref, tally: Tally): void {
  const table = textIn(row, 'table') ?? ''
  const id = textIn(row, 'id') ?? ''
  if (table === 'session') found.session = row
  else if (table === 'message') found.messages.push({ id, ref, parts: [] })
  else if (table === 'part') {
    const owner = textIn(row, 'message_id') ?? textIn(row, 'messageID')
    const message = found.messages.findLast((each) => each.id === owner)
    if (message === undefined) return tally.unknown('part without its message')
    message.parts.push(ref)
  } else if (table !== 'todo') return tally.unknown(table || 'no table')
  tally.understood()
}

async function* tell(
  source: Source,
  { messages }: Found,
  subAgents: ReadonlyMap<string, Found>,
  teller: Teller,
  tally: Tally,
): AsyncGenerator<Dated, void, void> {
  const read = async (ref: Ref) => fieldsOf(await source.parts[ref.part]?.read(ref))
  for (const { id, ref, parts } of messages) {
    const row = await read(ref)
    const message = 'data' in row ? fieldsOf(row['data']) : row
    const at = timeOf(fieldsOf(message['time'])['created']) ?? timeOf(row['time_created'])
    const own: Fields[] = []
    for (const each of parts) {
      const part = await read(each)
      own.push({ ...('data' in part ? fieldsOf(part['data']) : part), id: part['id'] })
      const type = textIn(own.at(-1) ?? {}, 'type') ?? ''
      if (!PARTS.has(type)) tally.unknown(`part ${type}`)
    }
    if (message['role'] === 'user') yield* promptOf(own, { at, key: id }, teller)
    else
      yield* answerOf(own, message, { at, key: id }, teller, (child, call) =>
        subAgent(source, subAgents, child, call, teller, tally),
      )
  }
}

type Moment = { readonly at: string | undefined; readonly key: string }

function* promptOf(
  parts: readonly Fields[],
  moment: Moment,
  teller: Teller,
): Generator<Dated, void, void> {
  const compaction = parts.find((part) => part['type'] === 'compaction')
  // The summary is the answer to it.
  if (compaction !== undefined) return
  const texts = parts.filter((part) => part['type'] === 'text')
  const said = texts.filter((part) => part['synthetic'] !== true)
  const text = textOf(said)
  const images = parts.flatMap((part) =>
    part['type'] === 'file' ? (pictureOfUrl(part['url']) ?? []) : [],
  )
  const subtask = parts.find((part) => part['type'] === 'subtask')
  if (text === '' && images.length === 0 && subtask === undefined) {
    const synthetic = textOf(texts)
    if (synthetic !== '') yield* teller.remark({ ...moment, kind: 'synthetic', text: synthetic })
    else teller.notUnderstood('prompts')
    return
  }
  const given = textOf(texts)
  yield* teller.prompt({
    ...moment,
    text: text || (textIn(subtask ?? {}, 'prompt') ?? ''),
    images,
    ...(given !== text && { given }),
  })
}

async function* answerOf(
  parts: readonly Fields[],
  message: Fields,
  moment: Moment,
  teller: Teller,
  child: (id: string, call: Fields) => AsyncGenerator<Dated, void, void>,
): AsyncGenerator<Dated, void, void> {
  const of = (type: string) => parts.filter((part) => part['type'] === type)
  const text = textOf(of('text').filter((part) => part['ignored'] !== true))
  if (message['summary'] === true || message['mode'] === 'compaction') {
    yield* teller.compaction({ ...moment, summary: text })
    return
  }
  const tools = of('tool')
  const thinking = textOf(of('reasoning'))
  const calls = tools.map((part): CallMade => ({
    id: textIn(part, 'callID') ?? textIn(part, 'id') ?? '',
    name: textIn(part, 'tool') ?? '',
    args: fieldsOf(part['state'])['input'],
  }))
  yield* teller.answer({
    ...moment,
    id: moment.key,
    text,
    calls,
    usage: usageOf(of('step-finish'), message),
    ...defined({
      model: textIn(message, 'modelID'),
      thinking: thinking === '' ? undefined : thinking,
    }),
  })
  for (const [at, part] of tools.entries()) {
    const state = fieldsOf(part['state'])
    const status = textIn(state, 'status')
    const session = textIn(fieldsOf(state['metadata']), 'sessionId')
    if (session !== undefined) yield* child(session, part)
    if (status !== 'completed' && status !== 'error') continue
    yield* teller.result(resultOf(part, state, calls[at]?.id ?? '', moment.key))
  }
  const error = fieldsOf(message['error'])
  if (textIn(error, 'name') === 'MessageAbortedError') yield* teller.stopped(moment)
  else if ('name' in error)
    yield* teller.remark({
      ...moment,
      kind: 'error',
      text: shown(fieldsOf(error['data'])['message'] ?? error['name']),
    })
}

const PARTS = new Set(
  'text reasoning tool file step-start step-finish patch snapshot agent subtask compaction retry'.split(
    ' ',
  ),
)

function resultOf(part: Fields, state: Fields, id: string, key: string) {
  const metadata = fieldsOf(state['metadata'])
  const isError = state['status'] === 'error'
  const path =
    textIn(fieldsOf(state['input']), 'filePath') ?? textIn(fieldsOf(metadata['filediff']), 'file')
  const diff = textIn(metadata, 'diff') ?? textIn(fieldsOf(metadata['filediff']), 'patch')
  const isEdit =
    !isError &&
    path !== undefined &&
    /^(?:edit|write|patch|multiedit|apply_patch)$/.test(textIn(part, 'tool') ?? '')
  return {
    at: timeOf(fieldsOf(state['time'])['end']),
    key: `${key} ${id}`,
    id,
    isError,
    text: isError ? shown(state['error']) : shown(state['output']),
    images: listIn(state, 'attachments').flatMap((each) => pictureOfUrl(each['url']) ?? []),
    ...(isEdit && {
      edits: [
        { path, kind: metadata['exists'] === false ? ('create' as const) : ('edit' as const) },
      ],
    }),
    ...defined({ diff: diff === '' ? undefined : diff, exitCode: numberIn(metadata, 'exit') }),
  }
}

async function* subAgent(
  source: Source,
  subAgents: ReadonlyMap<string, Found>,
  id: string,
  part: Fields,
  teller: Teller,
  tally: Tally,
): AsyncGenerator<Dated, void, void> {
  const found = subAgents.get(id)
  if (found === undefined) return
  const state = fieldsOf(part['state'])
  const input = fieldsOf(state['input'])
  const about = {
    agentId: id,
    callId: textIn(part, 'callID') ?? id,
    name: textIn(input, 'subagent_type') ?? 'agent',
    description: textIn(input, 'description') ?? '',
    key: id,
  }
  yield* teller.began({ ...about, at: timeOf(fieldsOf(state['time'])['start']) })
  yield* tell(source, found, subAgents, teller.as(id), tally)
  const error = state['status'] === 'error' ? shown(state['error']) : undefined
  yield* teller.ended({
    ...about,
    at: timeOf(fieldsOf(state['time'])['end']),
    ...defined({ error }),
  })
}

/** Steps, or the message: both tell of the same tokens. */
function usageOf(steps: readonly Fields[], message: Fields): Usage {
  const told = steps.length > 0 ? steps : [message]
  const sum = (pick: (tokens: Fields) => number | undefined) =>
    told.reduce((total, each) => total + (pick(fieldsOf(each['tokens'])) ?? 0), 0)
  const cacheRead = sum((tokens) => tokensIn(fieldsOf(tokens['cache']), 'read'))
  const cacheWrite = sum((tokens) => tokensIn(fieldsOf(tokens['cache']), 'write'))
  const dollars = told.reduce((total, each) => total + (numberIn(each, 'cost') ?? 0), 0)
  return {
    input: sum((tokens) => tokensIn(tokens, 'input')) + cacheRead + cacheWrite,
    output:
      sum((tokens) => tokensIn(tokens, 'output')) + sum((tokens) => tokensIn(tokens, 'reasoning')),
    cacheRead,
    cacheWrite,
    reasoning: sum((tokens) => tokensIn(tokens, 'reasoning')),
    ...(dollars > 0 && { dollars }),
  }
}
