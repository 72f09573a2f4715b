/**
 * The file of what is known of a project's files: a line for each thing that was learnt, appended and not synced. A killed
 * process loses nothing, and after a power cut stamps tell what to read again.
 */
import type { SessionFs } from '../fs/session-fs.ts'
import { decodeText, encodeText } from '../lib/bytes.ts'
import { checkOf, readCheckedLine, withCheck, type CheckedLine } from '../lib/checked-line.ts'
import { fieldsOf } from '../lib/fields.ts'
import type { BaselineState, OpenCall } from './baseline-state.ts'
import { isProjectPath, type Stamp, type UncoveredReason } from './file-state.ts'
import { isFileState, isObject } from './journal-entry.ts'
import { firstLine, readTree, type NamedTree } from './shared-trees.ts'

/** `begin`: whether what is known can begin with the tree that the file names. */
export async function readBaseline(
  fs: SessionFs,
  path: string,
  state: BaselineState,
  begin: (found: NamedTree | undefined) => boolean,
): Promise<void> {
  const stored = (await fs.read(path)) ?? new Uint8Array()
  state.size = stored.lastIndexOf(0x0a) + 1
  for (const { text, link, checked } of baselineLines(stored)) {
    state.lines++
    state.link = link
    if (checked === 'wrong') state.isWhole = false
    const tree = recall(state, checked === 'wrong' ? namedIn(text) : text)
    if (tree !== undefined) state.hasTree = begin(await readTree(fs, tree))
  }
}

export function* baselineLines(stored: Uint8Array): Generator<CheckedLine> {
  let link = ''
  for (const line of decodeText(stored.subarray(0, stored.lastIndexOf(0x0a) + 1)).split('\n')) {
    if (line === '') continue
    const read = readCheckedLine(line, link)
    link = read.link
    yield read
  }
}

/** Of a line that is not as it was written only the path counts: the file is read from the project again. */
const namedIn = (text: string): string => JSON.stringify({ path: fieldsOf(parsed(text))['path'] })

/** What cannot be read is not known; it will be read from the project again. Answers with the tree that a line names. */
function recall(state: BaselineState, line: string): string | undefined {
  const { known, calls } = state
  const value = parsed(line)
  if (!isObject(value)) return undefined
  const { path, state: is, seen, isYoung, blob, begun, ended, tree } = value
  if (isProjectPath(path)) {
    if (!isFileState(is) || !isObject(seen)) known.delete(path)
    else
      known.set(path, {
        state: is,
        seen: seen as Stamp,
        isYoung: isYoung === true,
        ...(typeof blob === 'string' && { blob }),
      })
  } else if (isObject(begun) && typeof begun['toolCallId'] === 'string') {
    const call = begun as OpenCall
    // Without the tree it is not known what was there when the call began.
    const lost = { reach: 'paths', isCaptured: false } as const
    calls.set(call.toolCallId, state.hasTree ? call : { ...call, ...lost })
  } else if (typeof ended === 'string') {
    calls.delete(ended)
  } else if (Array.isArray(value['uncovered'])) {
    state.uncovered = new Map(value['uncovered'] as [string, UncoveredReason][])
    state.uncoveredText = line
  } else if (typeof tree === 'string') return tree
  return undefined
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    // A line that an append left half: its path is read from the project again.
    return undefined
  }
}

/** Writes what was learnt since. */
export async function writeBaseline(
  fs: SessionFs,
  path: string,
  state: BaselineState,
): Promise<void> {
  const { known, news, learnt, lines } = state
  if (state.isWhole && news.length + learnt.size === 0) return
  const isAdded =
    state.isWhole && lines + news.length + learnt.size <= 2 * known.own.size + WORN_LINES
  const fresh = isAdded
    ? [...[...learnt].map((each) => lineOf(state, each)), ...news]
    : wholeText(state)
  state.news = []
  state.learnt = new Set()
  let link = isAdded ? state.link : ''
  const linked = fresh.map((text) => {
    const isTree = text.startsWith(TREE)
    link = isTree ? checkOf(text, '') : checkOf(text, link)
    return isTree ? text : withCheck(text, link)
  })
  const bytes = encodeText(`${linked.join('\n')}\n`)
  try {
    if (isAdded) await append(fs, path, bytes, state.size)
    else await fs.writeAtomic(path, bytes, { durable: false })
    state.size = isAdded ? state.size + bytes.length : bytes.length
    state.lines = isAdded ? lines + fresh.length : fresh.length
    state.link = link
    state.isWhole = true
  } catch {
    // A full disk must not stop a tool: it is all known here, and written anew when there is room.
    state.isWhole = false
  }
}

/** The first line has no check: others know the tree by the line alone. The next one is linked to it. */
const TREE = '{"tree":'

/** So many lines may be outdated before the file is written anew. */
const WORN_LINES = 2000

async function append(fs: SessionFs, path: string, bytes: Uint8Array, size: number): Promise<void> {
  const file = await fs.openAppend(path)
  try {
    await file.truncate(size)
    await file.write([bytes], size)
  } finally {
    await file.close()
  }
}

function wholeText(state: BaselineState): string[] {
  const { treeName, uncoveredText, known, calls } = state
  return [
    ...(treeName === undefined ? [] : [firstLine(treeName)]),
    ...(uncoveredText === '' ? [] : [uncoveredText]),
    ...[...known.own.keys()].map((each) => lineOf(state, each)),
    ...[...calls.values()].map((call) => JSON.stringify({ begun: call })),
  ]
}

const lineOf = ({ known }: BaselineState, path: string): string =>
  JSON.stringify({ path, ...known.get(path) })
