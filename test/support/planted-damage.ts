/** A session that has one of everything that is kept, and changes planted in it: what a disk or a program may do. */
import { execFileSync } from 'node:child_process'
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Engine } from '../../src/engine/engine.ts'
import { asSessionId, type SessionId } from '../../src/format/ids.ts'
import { callTool, converse, endTool, say, startTool, type Home, type Script } from './engine.ts'

export type Planted = { readonly kind: string; readonly what: string; undo(): void }

/** Between 0 and 1, the same for the same seed. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/** Answers with a fork that was worked in, in which every kind of file is. */
export async function sessionWithAll(home: Home): Promise<{ engine: Engine; id: SessionId }> {
  const project = join(home.path, 'project')
  await mkdir(project)
  for (const name of ['a.txt', 'b.txt', 'c.txt']) await writeFile(join(project, name), name)
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], { cwd: project })
  git('init', '-q')
  git('commit', '-q', '--allow-empty', '-m', 'first')
  const engine = home.engine({ trackFiles: true, script: writer(project) })
  const source = await engine.create({ cwd: project })
  await converse(engine, source.id, { prompt: 'a.txt one' })
  const { sessionId } = await (await engine.open(source.id)).fork()
  const id = asSessionId(sessionId)
  // Contents that no session has seen before: the fork packs them.
  for (const name of ['d.txt', 'e.txt']) await writeFile(join(project, name), name.repeat(20))
  const session = await engine.open(id)
  for (const prompt of ['a.txt two', 'b.txt three', 'long.txt four', 'c.txt five', 'a.txt six'])
    await converse(engine, id, { prompt })
  await session.compact()
  for (const prompt of ['b.txt seven', 'c.txt eight']) await converse(engine, id, { prompt })
  await session.undo()
  await converse(engine, id, { prompt: 'b.txt nine' })
  await session.close()
  return { engine, id }
}

/** "<file> <text>"; a long result for a file that is called so. */
const writer = (project: string): Script =>
  async function* (turn) {
    const [name = '', text = ''] = turn.message.content.split(' ')
    const toolCallId = crypto.randomUUID()
    yield callTool(toolCallId)
    yield startTool(toolCallId, 'bash', { command: `printf ${text} > ${name}` })
    await writeFile(join(project, name), text)
    yield endTool(toolCallId, name === 'long.txt' ? 'long result '.repeat(10_000) : 'ok')
    yield say(`${name} has ${text}`)
  }

type Random = () => number
type Change = (bytes: Buffer, random: Random) => Buffer

const pick = <T>(items: readonly T[], random: Random): T =>
  items[Math.floor(random() * items.length)] as T

const flip: Change = (bytes, random) => {
  const other = Buffer.from(bytes)
  const at = Math.floor(random() * other.length)
  other[at] = (other[at] ?? 0) ^ (1 << Math.floor(random() * 8))
  return other
}
const cut: Change = (bytes, random) => bytes.subarray(0, Math.floor(random() * bytes.length))

/** Another value somewhere in a JSON text. */
function otherValue(value: unknown, random: Random): unknown {
  if (typeof value === 'string') {
    const at = Math.floor(random() * (value.length + 1))
    return `${value.slice(0, at)}${value[at] === 'x' ? 'y' : 'x'}${value.slice(at + 1)}`
  }
  if (typeof value === 'number') return value + 1
  if (typeof value === 'boolean') return !value
  if (value === null) return 'x'
  if (Array.isArray(value)) {
    if (value.length === 0) return ['x']
    const at = Math.floor(random() * value.length)
    return random() < 0.2 ? value.toSpliced(at, 1) : value.with(at, otherValue(value[at], random))
  }
  const entries = Object.entries(value as object)
  if (entries.length === 0) return { x: 1 }
  const [name, member] = pick(entries, random)
  const { [name]: _, ...others } = value as Record<string, unknown>
  if (random() < 0.1) return others
  return { ...(value as object), [name]: otherValue(member, random) }
}

const json: Change = (bytes, random) =>
  Buffer.from(`${JSON.stringify(otherValue(JSON.parse(bytes.toString()), random))}\n`)

/** `isEnd`: whether the end of the file may go too. */
const inLines =
  (isEnd: boolean): Change =>
  (bytes, random) => {
    const lines = bytes.toString().split('\n').slice(0, -1)
    // The first line of a baseline names a tree that others know by its exact text.
    const at = Math.floor(random() * (lines.length - (isEnd ? 0 : 1)))
    const line = lines[at] ?? ''
    const way = random()
    if (way < 0.1) lines.splice(at, 1)
    else if (way < 0.2 && at > 0) lines.splice(at, 0, line)
    else lines[at] = JSON.stringify(otherValue(JSON.parse(line), random))
    return Buffer.from(lines.map((each) => `${each}\n`).join(''))
  }

const inText: Change = (bytes, random) => {
  const text = bytes.toString()
  const at = Math.floor(random() * text.trimEnd().length)
  return Buffer.from(`${text.slice(0, at)}${text[at] === '0' ? '1' : '0'}${text.slice(at + 1)}`)
}

/** Values that the log tells as well, and shapes; a name that a person chose, and times between, are not judged. */
const yaml: Change = (bytes, random) => {
  const lines = bytes.toString().split('\n')
  const judged = lines.filter((line) => /^(?:id|cwd|git_root|branch|summary_count):/.test(line))
  const line = pick(judged, random)
  const [key, value = ''] = line.split(': ')
  const at = Math.floor(random() * value.length)
  const other = /^\d+$/.test(value)
    ? String(Number(value) + 1)
    : `${value.slice(0, at)}${value[at] === 'x' ? 'y' : 'x'}${value.slice(at + 1)}`
  const isTime = random() < 0.2
  return Buffer.from(
    isTime
      ? bytes.toString().replace(/^(created_at|updated_at): .*$/m, '$1: yesterday')
      : lines.map((each) => (each === line ? `${key}: ${other}` : each)).join('\n'),
  )
}

const index: Change = (bytes, random) => {
  const lines = bytes.toString().split('\n')
  const at = lines.findIndex((line) => /^\| \d/.test(line))
  const cells = (lines[at] ?? '').split(' | ')
  const cell = Math.floor(random() * 3)
  if (random() < 0.2) lines.splice(at, 1)
  else {
    const others = [
      `| ${1 + Math.ceil(random() * 90)}`,
      `other ${random()}`,
      `00${random()}-x.md |`,
    ]
    lines[at] = cells.with(cell, others[cell] ?? '').join(' | ')
  }
  return Buffer.from(lines.join('\n'))
}

/** By kind: which files, and what is done to them. */
const kinds: Readonly<Record<string, readonly (readonly [RegExp, Change])[]>> = {
  blobs: [
    [/\/blobs\/(?:..\/)?[0-9a-f]{64}$/, (...given) => (given[1]() < 0.7 ? flip : cut)(...given)],
  ],
  'changes.jsonl': [
    [/\/changes\.jsonl$/, (...given) => (given[1]() < 0.8 ? inLines(true) : cut)(...given)],
  ],
  'baseline.jsonl': [[/\/baseline\.jsonl$/, inLines(false)]],
  keys: [
    [/\/(?:forked-from|repository-key|seal-key)$/, inText],
    [/\/redaction-key$/, flip],
  ],
  'workspace.yaml': [[/\/workspace\.yaml$/, yaml]],
  rewound: [
    [/\/rewound\/\d+\.jsonl$/, (...given) => (given[1]() < 0.5 ? flip : cut)(...given)],
    [/\/rewound\/\d+\.(?:json|files)$/, json],
  ],
  'packs and indexes': [[/\/contents\/.*\.(?:pack|idx)$/, flip]],
  'index.md': [[/\/checkpoints\/index\.md$/, index]],
  'events.jsonl': [[/\/events\.jsonl$/, inLines(true)]],
  'snapshot.json': [[/\/snapshot\.json$/, json]],
}

export const damagedKinds = Object.keys(kinds)

/** Undefined when it would change nothing. */
export function plant(
  home: Home,
  id: SessionId,
  kind: string,
  random: Random,
): Planted | undefined {
  const session = join(home.path, 'session-state', id)
  const shared = join(home.path, '.reprise')
  const all = [...below(session), ...below(shared)].filter(
    (path) => !/\.pack$|\.idx$/.test(path) || path.includes(id),
  )
  const choices = (kinds[kind] ?? []).flatMap(([pattern, change]) =>
    all.filter((path) => pattern.test(path)).map((path) => ({ path, change })),
  )
  const { path, change } = pick(choices, random)
  const before = readFileSync(path)
  const after = change(before, random)
  if (after.equals(before)) return undefined
  writeFileSync(path, after)
  return { kind, what: path.slice(home.path.length), undo: () => writeFileSync(path, before) }
}

const below = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
