/**
 * Claude Code (seen: 2.1.44 to 2.1.326). A tree of lines by `parentUuid`; an answer is written as a line for each of its
 * blocks, a sub-agent has a file of its own, and going back leaves the old branch in the file.
 */
import { fieldsOf, objectsOf, textIn, type Fields } from '../../lib/fields.ts'
import { defined } from '../../lib/defined.ts'
import type { Dated, Facts, Reader, Ref, Source } from '../convert/port.ts'
import { gatheredFacts, recordsOf, storiesOf } from '../convert/reading.ts'
import { createTeller, type Teller } from '../convert/draft-builder.ts'
import type { Tally } from '../convert/fidelity-report.ts'
import { branchesOf, type Link } from '../convert/tree.ts'
import { anthropicPictures, textOf } from '../convert/values.ts'
import { diffOf, editsOf, usageOf } from './results.ts'

type Line = { readonly id: string; readonly ref: Ref; readonly messageId?: string }

type Found = {
  readonly lines: Line[]
  readonly links: Link[]
  /** The lines of one answer. */
  readonly answers: Map<string, Ref[]>
}

type Index = {
  readonly main: Found
  readonly subAgents: Map<string, Found>
  /** Which sub-agent a call set to work. */
  readonly calls: Map<string, string>
  readonly kinds: Map<string, Fields>
  facts: Partial<Facts>
  leaf: string | undefined
}

/** Marks of the session as a whole, and what the program keeps for itself. */
const MARKS = new Set(
  'last-prompt cost-state mode tools-used queue-operation atis-latch summary custom-title ai-title tag agent-name agent-color agent-setting pr-link worktree-state relocated content-replacement file-history-snapshot file-history-delta api-request-shape api-request-blob api-request attribution-snapshot permission-mode progress started result marble-origami-commit marble-origami-snapshot'.split(
    ' ',
  ),
)

export const readClaude: Reader = async (source, tally) => {
  const index = await look(source, tally)
  const facts = gatheredFacts(source, index.facts, tally)
  return storiesOf(branchesOf(index.main.links, index.leaf), facts, tally, (ids, counted) =>
    tell(source, index, ids, createTeller(counted, facts.startedAt), counted),
  )
}

const empty = (): Found => ({ lines: [], links: [], answers: new Map() })

async function look(source: Source, tally: Tally): Promise<Index> {
  const index: Index = {
    main: empty(),
    subAgents: new Map(),
    calls: new Map(),
    kinds: new Map(),
    facts: {},
    leaf: undefined,
  }
  for (const part of source.parts) {
    const [role, agentId = ''] = part.role.split(' ', 2)
    const found = role === 'main' ? index.main : empty()
    for await (const record of recordsOf(part, tally)) {
      if (role === 'meta' || isMeta(record.value)) learnMeta(index, agentId, fieldsOf(record.value))
      else lookAt(index, found, fieldsOf(record.value), record.ref, tally)
    }
    if (role === 'subagent') index.subAgents.set(agentId, found)
  }
  return index
}

/** A file of its own beside the agent's; an entry among the agent's own where the Agent SDK keeps them. */
const isMeta = (value: unknown): boolean => fieldsOf(value)['type'] === 'agent_metadata'

function learnMeta(index: Index, agentId: string, meta: Fields): void {
  index.kinds.set(agentId, meta)
  const call = textIn(meta, 'toolUseId')
  if (call !== undefined) index.calls.set(call, agentId)
}

function lookAt(index: Index, found: Found, line: Fields, ref: Ref, tally: Tally): void {
  const type = textIn(line, 'type') ?? ''
  learnFacts(index, found, line, type)
  const id = textIn(line, 'uuid')
  if (!['user', 'assistant', 'attachment', 'system'].includes(type) || id === undefined) {
    if (MARKS.has(type)) tally.understood()
    else tally.unknown(type || 'no type')
    return
  }
  tally.understood()
  const message = fieldsOf(line['message'])
  // An answer without an id, as converters write it, is one of a single line.
  const messageId = type === 'assistant' ? (textIn(message, 'id') ?? id) : undefined
  const results = objectsOf(message['content']).filter((part) => part['type'] === 'tool_result')
  const agentId = textIn(fieldsOf(line['toolUseResult']), 'agentId')
  const call = textIn(results[0] ?? {}, 'tool_use_id')
  if (agentId !== undefined && call !== undefined) index.calls.set(call, agentId)
  if (type === 'user' || type === 'assistant')
    for (const part of objectsOf(message['content']))
      if (!isKnownPart(part)) tally.unknown(`${type} part ${textIn(part, 'type') ?? ''}`.trim())
  found.lines.push({ id, ref, ...defined({ messageId }) })
  if (messageId !== undefined) {
    const refs = found.answers.get(messageId) ?? []
    found.answers.set(messageId, [...refs, ref])
  }
  // In older versions sub-agents stand among the lines of the session.
  if (line['isSidechain'] === true && found === index.main) return
  const isCompaction = line['subtype'] === 'compact_boundary' || line['isCompactSummary'] === true
  found.links.push({
    id,
    parent: textIn(line, 'parentUuid') ?? textIn(line, 'logicalParentUuid'),
    isAside: (type === 'user' && results.length > 0) || isCompaction,
    speaks: messageId !== undefined || (type === 'user' && line['isMeta'] !== true),
  })
}

/** By its type, what it must hold. */
const PARTS: Readonly<Record<string, string>> = {
  text: 'text',
  image: 'source',
  tool_use: 'input',
  tool_result: 'tool_use_id',
  thinking: 'thinking',
  redacted_thinking: 'data',
}

const isKnownPart = (part: Fields): boolean => (PARTS[textIn(part, 'type') ?? ''] ?? '') in part

/** The last one of each wins. */
function learnFacts(index: Index, found: Found, line: Fields, type: string): void {
  if (found !== index.main) return
  const { facts } = index
  const name = textIn(line, 'customTitle') ?? textIn(line, 'aiTitle')
  if (type === 'last-prompt') index.leaf = textIn(line, 'leafUuid') ?? index.leaf
  const first = <T>(known: T | undefined, next: T | undefined): T | undefined => known ?? next
  const summary = type === 'summary' ? textIn(line, 'summary') : undefined
  index.facts = {
    ...facts,
    ...defined({
      cwd: first(facts.cwd, textIn(line, 'cwd')),
      branch: first(facts.branch, textIn(line, 'gitBranch') || undefined),
      version: textIn(line, 'version') ?? facts.version,
      startedAt: first(facts.startedAt, textIn(line, 'timestamp')),
      model: first(facts.model, realModel(fieldsOf(line['message']))),
      name: name ?? summary ?? facts.name,
      isNamedByUser: type === 'custom-title' ? true : facts.isNamedByUser,
      parentNativeId: first(
        facts.parentNativeId,
        textIn(fieldsOf(line['forkedFrom']), 'sessionId'),
      ),
    }),
  }
}

const isSynthetic = (message: Fields): boolean => textIn(message, 'model') === '<synthetic>'

const realModel = (message: Fields): string | undefined =>
  isSynthetic(message) ? undefined : textIn(message, 'model')

async function* tell(
  source: Source,
  index: Index,
  ids: ReadonlySet<string>,
  teller: Teller,
  tally: Tally,
): AsyncGenerator<Dated, void, void> {
  const told = new Set<string>()
  for (const { id, ref, messageId } of index.main.lines) {
    if (!ids.has(id) || (messageId !== undefined && told.has(messageId))) continue
    const line = await lineAt(source, ref)
    if (messageId !== undefined) {
      told.add(messageId)
      yield* await answerOf(source, index.main, messageId, line, teller)
      continue
    }
    for (const result of objectsOf(fieldsOf(line['message'])['content'])) {
      const agentId = index.calls.get(textIn(result, 'tool_use_id') ?? '')
      if (agentId === undefined || told.has(agentId)) continue
      told.add(agentId)
      yield* subAgent(source, index, agentId, result, line, teller)
    }
    yield* lineOf(line, id, teller, tally)
  }
}

async function* subAgent(
  source: Source,
  index: Index,
  agentId: string,
  result: Fields,
  line: Fields,
  teller: Teller,
): AsyncGenerator<Dated, void, void> {
  const found = index.subAgents.get(agentId)
  if (found === undefined) return
  const meta = index.kinds.get(agentId) ?? {}
  const first = found.lines[0] && (await lineAt(source, found.lines[0].ref))
  const about = {
    agentId,
    callId: textIn(result, 'tool_use_id') ?? agentId,
    name: textIn(meta, 'agentType') ?? 'agent',
    description: textIn(meta, 'description') ?? '',
    key: agentId,
  }
  yield* teller.began({ ...about, at: textIn(first ?? {}, 'timestamp') })
  const own = teller.as(agentId)
  const told = new Set<string>()
  for (const { id, ref, messageId } of found.lines) {
    const each = await lineAt(source, ref)
    if (messageId === undefined) yield* lineOf(each, id, own)
    else if (!told.has(messageId)) {
      told.add(messageId)
      yield* await answerOf(source, found, messageId, each, own)
    }
  }
  const error = result['is_error'] === true ? textOf(result['content']) : undefined
  yield* teller.ended({ ...about, at: textIn(line, 'timestamp'), ...defined({ error }) })
}

const lineAt = async (source: Source, ref: Ref): Promise<Fields> =>
  fieldsOf(await source.parts[ref.part]?.read(ref))

/** All blocks of one answer, which may stand between other lines. */
async function answerOf(
  source: Source,
  found: Found,
  messageId: string,
  first: Fields,
  teller: Teller,
): Promise<Dated[]> {
  const blocks: Fields[] = []
  let usage: Fields = {}
  for (const ref of found.answers.get(messageId) ?? []) {
    const message = fieldsOf((await lineAt(source, ref))['message'])
    blocks.push(...blocksOf(message['content']))
    usage = { ...usage, ...fieldsOf(message['usage']) }
  }
  const moment = { at: textIn(first, 'timestamp'), key: textIn(first, 'uuid') ?? messageId }
  const text = textOf(blocks.filter(({ type }) => type === 'text'))
  const firstMessage = fieldsOf(first['message'])
  const model = realModel(firstMessage)
  if (isSynthetic(firstMessage)) {
    // Written by the program itself, to keep the order of turns or to tell of a failure.
    return first['isApiErrorMessage'] === true
      ? teller.remark({ ...moment, kind: 'error', text })
      : []
  }
  const thoughts = blocks.flatMap((block) => textIn(block, 'thinking') ?? [])
  const sealed = blocks.flatMap(
    (block) =>
      textIn(block, 'signature') ??
      (block['type'] === 'redacted_thinking' ? (textIn(block, 'data') ?? []) : []),
  )
  const calls = blocks.flatMap((block) =>
    block['type'] === 'tool_use'
      ? [{ id: textIn(block, 'id') ?? '', name: textIn(block, 'name') ?? '', args: block['input'] }]
      : [],
  )
  return teller.answer({
    ...moment,
    id: messageId,
    text,
    calls,
    usage: usageOf(usage),
    ...defined({
      model,
      thinking: thoughts.length > 0 ? thoughts.join('\n') : undefined,
      opaque: sealed.length > 0 ? sealed.join('\n') : undefined,
    }),
  })
}

/** Nothing was said, as in a list without parts; what is of another form was not understood. */
const isEmpty = (content: unknown): boolean =>
  content === '' || (Array.isArray(content) && content.length === 0)

const blocksOf = (content: unknown): readonly Fields[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : objectsOf(content)

const INTERRUPTION = /^\[Request interrupted by user/
const OWN_WORDS =
  /^\s*<(?:command-name|command-message|local-command-|bash-(?:stdout|stderr)|user-memory-input)/

function* lineOf(
  line: Fields,
  id: string,
  teller: Teller,
  tally?: Tally,
): Generator<Dated, void, void> {
  const moment = { at: textIn(line, 'timestamp'), key: id }
  const { content } = fieldsOf(line['message'])
  if (line['isCompactSummary'] === true) {
    yield* teller.compaction({ ...moment, summary: textOf(content) })
    return
  }
  if (line['type'] !== 'user' || line['isMeta'] === true) return
  const results = objectsOf(content).filter((part) => part['type'] === 'tool_result')
  for (const result of results) {
    const callId = textIn(result, 'tool_use_id') ?? ''
    const detail = results.length === 1 ? line['toolUseResult'] : undefined
    yield* teller.result({
      ...moment,
      key: `${id} ${callId}`,
      id: callId,
      isError: result['is_error'] === true,
      text: textOf(result['content']),
      images: anthropicPictures(result['content']),
      edits: editsOf(detail),
      ...defined({ diff: diffOf(detail) }),
    })
  }
  if (results.length > 0) return
  const text = textOf(content)
  const images = anthropicPictures(content)
  if (INTERRUPTION.test(text)) yield* teller.stopped(moment)
  else if (OWN_WORDS.test(text)) tally?.understood()
  else if (text !== '' || images.length > 0 || !isEmpty(content))
    yield* teller.prompt({ ...moment, text, images })
}
