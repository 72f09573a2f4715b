/**
 * Qwen Code (seen: 0.15 and 0.24). A tree of lines as Claude Code has it, with contents as Gemini has them. Lines of telemetry
 * are parents too: lines are linked before they are chosen.
 */
import { defined } from '../../lib/defined.ts'
import { fieldsOf, listIn, textIn, type Fields } from '../../lib/fields.ts'
import { diffOfDisplay, picturesIn, responseText } from '../gemini/parts.ts'
import type { Dated, Facts, Reader, Ref, Source } from '../convert/port.ts'
import { allRecordsOf, gatheredFacts, storiesOf } from '../convert/reading.ts'
import { createTeller, type Teller } from '../convert/draft-builder.ts'
import type { Usage } from '../convert/import-drafts.ts'
import { branchesOf, type Link } from '../convert/tree.ts'
import { shown, textOf, tokensIn } from '../convert/values.ts'

type Line = { readonly id: string; readonly ref: Ref }

const TYPES = new Set(['user', 'assistant', 'tool_result', 'system'])

export const readQwen: Reader = async (source, tally) => {
  const lines: Line[] = []
  const links: Link[] = []
  let found: Partial<Facts> = {}
  for await (const record of allRecordsOf(source, tally)) {
    const line = fieldsOf(record.value)
    const id = textIn(line, 'uuid')
    const type = textIn(line, 'type') ?? ''
    if (id === undefined || !TYPES.has(type)) {
      tally.unknown(type || 'no type')
      continue
    }
    tally.understood()
    found = learn(found, line)
    lines.push({ id, ref: record.ref })
    links.push({ id, parent: textIn(line, 'parentUuid'), speaks: type !== 'system' })
  }
  const facts = gatheredFacts(source, found, tally)
  return storiesOf(branchesOf(links, undefined), facts, tally, (ids, counted) =>
    tell(source, lines, ids, createTeller(counted, facts.startedAt)),
  )
}

function learn(facts: Partial<Facts>, line: Fields): Partial<Facts> {
  const payload = fieldsOf(line['systemPayload'])
  const title = line['subtype'] === 'custom_title' ? textIn(payload, 'customTitle') : undefined
  const parent =
    line['subtype'] === 'parent_session' ? textIn(payload, 'parentSessionId') : undefined
  return {
    ...defined({
      cwd: textIn(line, 'cwd'),
      branch: textIn(line, 'gitBranch') || undefined,
      version: textIn(line, 'version'),
      startedAt: textIn(line, 'timestamp'),
      model: textIn(line, 'model'),
      parentNativeId: parent,
    }),
    ...facts,
    ...(title !== undefined && { name: title, isNamedByUser: true }),
  }
}

async function* tell(
  source: Source,
  lines: readonly Line[],
  ids: ReadonlySet<string>,
  teller: Teller,
): AsyncGenerator<Dated, void, void> {
  for (const { id, ref } of lines) {
    if (!ids.has(id)) continue
    yield* lineOf(fieldsOf(await source.parts[ref.part]?.read(ref)), id, teller)
  }
}

function* lineOf(line: Fields, id: string, teller: Teller): Generator<Dated, void, void> {
  const moment = { at: textIn(line, 'timestamp'), key: id }
  const parts = listIn(fieldsOf(line['message']), 'parts')
  switch (line['type']) {
    case 'user': {
      const [first = {}, ...rest] = parts
      const text = textIn(first, 'text') ?? ''
      const given = textOf(parts)
      yield* teller.prompt({
        ...moment,
        text:
          rest.length > 0 && textIn(rest[0] ?? {}, 'text')?.startsWith('\n--- ') === true
            ? text
            : given,
        images: picturesIn(parts),
        ...(given !== text && { given }),
      })
      return
    }
    case 'assistant': {
      const thoughts = parts.filter((part) => part['thought'] === true)
      yield* teller.answer({
        ...moment,
        id,
        text: textOf(parts.filter((part) => part['thought'] !== true)),
        calls: parts.flatMap((part, at) => {
          const call = fieldsOf(part['functionCall'])
          const name = textIn(call, 'name')
          return name === undefined
            ? []
            : [{ id: textIn(call, 'id') ?? `${id}-${at}`, name, args: call['args'] }]
        }),
        usage: usageOf(fieldsOf(line['usageMetadata'])),
        ...defined({
          model: textIn(line, 'model'),
          thinking: thoughts.length > 0 ? textOf(thoughts) : undefined,
        }),
      })
      return
    }
    case 'tool_result':
      yield* resultOf(line, parts, moment, teller)
      return
    default:
      if (line['subtype'] !== 'chat_compression') return
      yield* teller.compaction({ ...moment, summary: summaryOf(fieldsOf(line['systemPayload'])) })
  }
}

function* resultOf(
  line: Fields,
  parts: readonly Fields[],
  moment: { at: string | undefined; key: string },
  teller: Teller,
): Generator<Dated, void, void> {
  const about = fieldsOf(line['toolCallResult'])
  const response = fieldsOf(parts[0]?.['functionResponse'])
  const id = textIn(about, 'callId') ?? textIn(response, 'id') ?? ''
  const display = fieldsOf(about['resultDisplay'])
  const error = about['status'] === 'error' || about['status'] === 'cancelled'
  if (display['type'] === 'task_execution') {
    const agent = {
      ...moment,
      agentId: id,
      callId: id,
      name: textIn(display, 'subagentName') ?? 'agent',
      description: textIn(display, 'taskDescription') ?? '',
    }
    yield* teller.began(agent)
    yield* teller.ended({ ...agent, ...(error && { error: responseText(parts) }) })
  }
  const path = textIn(display, 'filePath') ?? textIn(display, 'fileName')
  const diff = diffOfDisplay(display)
  yield* teller.result({
    ...moment,
    id,
    isError: error,
    text: responseText(parts),
    images: picturesIn(parts),
    ...defined({ diff }),
    ...(diff !== undefined &&
      path !== undefined && {
        edits: [
          {
            path,
            kind:
              display['originalContent'] === null || display['originalContent'] === ''
                ? 'create'
                : 'edit',
          },
        ],
      }),
  })
}

/** The messages that stand for what was said before. */
const summaryOf = (payload: Fields): string => {
  const history = listIn(payload, 'compressedHistory')
  const texts = history.map((message) => textOf(message['parts'])).filter((text) => text !== '')
  return texts.length > 0 ? texts.join('\n\n') : shown(payload['info'] ?? '')
}

const usageOf = (usage: Fields): Usage =>
  defined({
    input: tokensIn(usage, 'promptTokenCount'),
    output: tokensIn(usage, 'candidatesTokenCount'),
    cacheRead: tokensIn(usage, 'cachedContentTokenCount'),
    reasoning: tokensIn(usage, 'thoughtsTokenCount'),
  })
