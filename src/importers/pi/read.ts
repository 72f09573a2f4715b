/**
 * pi (seen: 0.74, version 3 of its format; 1 and 2 by its document). A tree of entries; the conversation as it stands ends
 * with the last of them. Version 1 has no ids: its entries follow each other.
 */
import { defined } from '../../lib/defined.ts'
import { fieldsOf, listIn, objectsOf, textIn, type Fields } from '../../lib/fields.ts'
import type { Dated, Facts, Reader, Ref, Source } from '../convert/port.ts'
import { allRecordsOf, gatheredFacts, storiesOf } from '../convert/reading.ts'
import { createTeller, type Teller } from '../convert/draft-builder.ts'
import type { Usage } from '../convert/import-drafts.ts'
import type { Tally } from '../convert/fidelity-report.ts'
import { branchesOf, type Link } from '../convert/tree.ts'
import { numberIn, plainPictures, shown, textOf, timeOf, tokensIn } from '../convert/values.ts'

type Entry = { readonly id: string; readonly ref: Ref }

const TYPES = new Set(
  'session message compaction branch_summary context_edit model_change thinking_level_change usage label session_info custom custom_message'.split(
    ' ',
  ),
)

export const readPi: Reader = async (source, tally) => {
  const entries: Entry[] = []
  const links: Link[] = []
  let found: Partial<Facts> = {}
  for await (const record of allRecordsOf(source, tally)) {
    const entry = fieldsOf(record.value)
    const type = textIn(entry, 'type') ?? ''
    if (!TYPES.has(type)) {
      tally.unknown(type || 'no type')
      continue
    }
    tally.understood()
    found = learn(found, entry, type)
    if (type === 'session') continue
    const id = textIn(entry, 'id') ?? `${record.ref.offset}`
    const parent = 'parentId' in entry ? textIn(entry, 'parentId') : entries.at(-1)?.id
    entries.push({ id, ref: record.ref })
    links.push({ id, parent, speaks: type === 'message' })
  }
  const facts = gatheredFacts(source, found, tally)
  return storiesOf(branchesOf(links, undefined), facts, tally, (ids, counted) =>
    tell(source, entries, ids, createTeller(counted, facts.startedAt), counted),
  )
}

function learn(facts: Partial<Facts>, entry: Fields, type: string): Partial<Facts> {
  const parent = textIn(entry, 'parentSession')
  return {
    ...facts,
    ...(type === 'session' &&
      defined({
        cwd: textIn(entry, 'cwd'),
        startedAt: textIn(entry, 'timestamp'),
        version: shown(entry['version']) || undefined,
        parentNativeId: parent && /_([\w-]+)\.jsonl$/.exec(parent)?.[1],
      })),
    ...(type === 'model_change' && defined({ model: facts.model ?? textIn(entry, 'modelId') })),
    ...(type === 'session_info' && defined({ name: textIn(entry, 'name'), isNamedByUser: true })),
  }
}

async function* tell(
  source: Source,
  entries: readonly Entry[],
  ids: ReadonlySet<string>,
  teller: Teller,
  tally: Tally,
): AsyncGenerator<Dated, void, void> {
  for (const { id, ref } of entries) {
    if (!ids.has(id)) continue
    yield* entryOf(fieldsOf(await source.parts[ref.part]?.read(ref)), id, teller, tally)
  }
}

function* entryOf(
  entry: Fields,
  id: string,
  teller: Teller,
  tally: Tally,
): Generator<Dated, void, void> {
  const moment = { at: textIn(entry, 'timestamp'), key: id }
  const summary = textIn(entry, 'summary') ?? ''
  switch (entry['type']) {
    case 'message':
      yield* messageOf(fieldsOf(entry['message']), moment, teller, tally)
      return
    case 'compaction':
      yield* teller.compaction({
        ...moment,
        summary,
        ...defined({ tokens: tokensIn(entry, 'tokensBefore') }),
      })
      return
    case 'branch_summary':
      yield* teller.remark({ ...moment, kind: 'branch_summary', text: summary })
      return
    case 'custom_message':
      yield* teller.remark({ ...moment, kind: 'note', text: textOf(entry['content']) })
  }
}

function* messageOf(
  message: Fields,
  given: { at: string | undefined; key: string },
  teller: Teller,
  tally: Tally,
): Generator<Dated, void, void> {
  const moment = { ...given, at: given.at ?? timeOf(message['timestamp']) }
  const content = message['content']
  const parts = objectsOf(content)
  const role = textIn(message, 'role')
  if (role === 'user') {
    yield* teller.prompt({ ...moment, text: textOf(content), images: plainPictures(parts) })
  } else if (role === 'assistant') {
    const thoughts = parts.filter((part) => part['type'] === 'thinking')
    const sealed = thoughts.flatMap((part) => textIn(part, 'thinkingSignature') ?? [])
    const thinking = thoughts.map((part) => textIn(part, 'thinking') ?? '').join('\n')
    yield* teller.answer({
      ...moment,
      id: moment.key,
      text: textOf(parts.filter((part) => part['type'] === 'text')),
      calls: parts.flatMap((part) =>
        part['type'] === 'toolCall'
          ? [
              {
                id: textIn(part, 'id') ?? '',
                name: textIn(part, 'name') ?? '',
                args: part['arguments'],
              },
            ]
          : [],
      ),
      usage: usageOf(fieldsOf(message['usage'])),
      ...defined({
        model: textIn(message, 'model'),
        thinking: thinking === '' ? undefined : thinking,
        opaque: sealed.length > 0 ? sealed.join('\n') : undefined,
      }),
    })
    if (message['stopReason'] === 'aborted') yield* teller.stopped(moment)
  } else if (role === 'toolResult') {
    const diff = textIn(fieldsOf(message['details']), 'diff')
    yield* teller.result({
      ...moment,
      id: textIn(message, 'toolCallId') ?? '',
      isError: message['isError'] === true,
      text: textOf(content),
      images: plainPictures(listIn(message, 'content')),
      ...defined({ diff }),
    })
  } else if (role === 'bashExecution') {
    const text = `$ ${textIn(message, 'command') ?? ''}\n${textIn(message, 'output') ?? ''}`
    yield* teller.remark({ ...moment, kind: 'user_command', text })
  } else if (role !== 'system') {
    tally.count('prompts', 'changed')
    tally.note('Messages of extensions are kept as remarks.')
    yield* teller.remark({ ...moment, kind: role ?? 'note', text: textOf(content) })
  }
}

/** Its input does not count what was read from, or written to, a cache; ours does. */
function usageOf(usage: Fields): Usage {
  const cacheRead = tokensIn(usage, 'cacheRead') ?? 0
  const cacheWrite = tokensIn(usage, 'cacheWrite') ?? 0
  const input = tokensIn(usage, 'input')
  return {
    cacheRead,
    cacheWrite,
    ...defined({
      input: input === undefined ? undefined : input + cacheRead + cacheWrite,
      output: tokensIn(usage, 'output'),
      reasoning: tokensIn(usage, 'reasoning'),
      dollars: numberIn(fieldsOf(usage['cost']), 'total'),
    }),
  }
}
