/** What a tool call did to the project: transitions of paths, told as creations, edits, deletions and renames. */
import { defined } from '../lib/defined.ts'
import { countChanges } from '../lib/line-diff.ts'
import type { Absent, FileState, Stamp } from './file-state.ts'
import type { FileChange } from './journal-entry.ts'

export type Transition = {
  readonly path: string
  readonly before: FileState | Absent
  readonly after: FileState | Absent
  readonly seenBefore?: Stamp | undefined
  readonly seenAfter?: Stamp | undefined
}

export type GetContent = (sha256: string) => Promise<Uint8Array | undefined>

/** In the order of their paths. */
export async function describeChanges(
  transitions: readonly Transition[],
  getContent: GetContent,
): Promise<FileChange[]> {
  const origins = findRenames(transitions)
  const targets = new Map([...origins].map(([to, from]) => [from.path, to]))
  const changes: FileChange[] = []
  for (const { path, before, after } of transitions) {
    const origin = origins.get(path)
    const renamedTo = targets.get(path)
    const counts =
      renamedTo === undefined
        ? await countLines(origin?.before ?? before, after, getContent)
        : UNCOUNTED
    changes.push({
      path,
      kind: kindOf(before, after, origin !== undefined),
      before,
      after,
      ...defined({ from: origin?.path, renamedTo }),
      ...counts,
    })
  }
  return changes.sort((one, other) => (one.path < other.path ? -1 : 1))
}

const UNCOUNTED = { linesAdded: 0, linesRemoved: 0 }

export function kindOf(
  before: FileState | Absent,
  after: FileState | Absent,
  isRename = false,
): FileChange['kind'] {
  if (after === null) return 'deleted'
  if (before !== null) return 'modified'
  return isRename ? 'renamed' : 'created'
}

/** New path -> what went away there. The very same file, or one with the same content, once each. */
function findRenames(transitions: readonly Transition[]): Map<string, Transition> {
  const gone = new Map<string, Transition[]>()
  for (const each of transitions) {
    if (each.after !== null || (each.before?.type !== 'file' && each.before?.type !== 'link'))
      continue
    for (const key of keysOf(each.before, each.seenBefore)) {
      gone.set(key, [...(gone.get(key) ?? []), each])
    }
  }
  const origins = new Map<string, Transition>()
  const used = new Set<Transition>()
  for (const each of transitions) {
    if (each.before !== null || each.after === null) continue
    const origin = keysOf(each.after, each.seenAfter)
      .flatMap((key) => gone.get(key) ?? [])
      .find((candidate) => !used.has(candidate))
    if (origin === undefined) continue
    used.add(origin)
    origins.set(each.path, origin)
  }
  return origins
}

/** An inode alone proves nothing: it is given to the next file as soon as the last one is gone. */
function keysOf(state: FileState, seen: Stamp | undefined): string[] {
  if (state.type === 'link') return [`link ${state.target}`]
  if (state.type !== 'file') return []
  const keys: string[] = []
  if (seen !== undefined && seen.birthMs > 0) keys.push(`inode ${seen.ino} ${seen.birthMs}`)
  if (state.size > 0) keys.push(`content ${state.sha256}`)
  return keys
}

async function countLines(
  before: FileState | Absent,
  after: FileState | Absent,
  getContent: GetContent,
): Promise<Pick<FileChange, 'linesAdded' | 'linesRemoved' | 'binary'>> {
  if (before?.type !== 'file' && after?.type !== 'file') return UNCOUNTED
  if (before?.type === 'file' && after?.type === 'file' && before.sha256 === after.sha256) {
    return UNCOUNTED
  }
  const old = await linesOfState(before, getContent)
  const now = await linesOfState(after, getContent)
  if (old === 'binary' || now === 'binary') return { ...UNCOUNTED, binary: true }
  if (old === undefined || now === undefined) return UNCOUNTED
  const { added, removed } = countChanges(old, now)
  return { linesAdded: added, linesRemoved: removed }
}

/** Undefined when the content is not had. What is no file has no lines. */
export async function linesOfState(
  state: FileState | Absent,
  getContent: GetContent,
): Promise<string[] | 'binary' | undefined> {
  if (state?.type === 'unknown') return undefined
  if (state?.type !== 'file') return []
  const bytes = await getContent(state.sha256)
  return bytes && linesOf(bytes)
}

const LOOKED_AT = 8000

/** Bytes are compared, not characters, so any encoding will do. A last line without its newline is another line. */
export function linesOf(bytes: Uint8Array): string[] | 'binary' {
  if (bytes.subarray(0, LOOKED_AT).includes(0)) return 'binary'
  if (bytes.length === 0) return []
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
  const lines = text.split('\n')
  const last = lines.pop() ?? ''
  const ended = lines.map((line) => `${line}\n`)
  return last === '' ? ended : [...ended, last]
}
