/** A patch from elsewhere stays inside the project: no way out of it, nothing of git's own, no links and no submodules. */
import { EngineError } from '../../engine/errors.ts'
import { BadPath, checkPath } from '../../lib/check-path.ts'

/** With a change of the content the mode stands behind the hashes. */
const MODE =
  /^(?:(?:new file mode|old mode|new mode|deleted file mode)|index [\da-f]+\.\.[\da-f]+) (\d+)\s*$/
/** What stands between `GIT binary patch` and the next head. */
const BINARY = /^(?:(?:literal|delta) \d+|[A-Za-z][\w!#$%&()*+;<=>?@^`{|}~-]*|)$/

/** The files that it changes. Throws for what it must not do; nothing is applied then. */
export function checkPatch(patch: string): readonly string[] {
  const files = new Set<string>()
  let isBinary = false
  let left = { old: 0, new: 0 }
  for (const line of patch.split('\n')) {
    if (line.startsWith('diff --git ')) {
      isBinary = false
      left = { old: 0, new: 0 }
    } else if (left.old > 0 || left.new > 0) {
      left = afterLine(left, line)
      continue
    } else if (isBinary && BINARY.test(line)) continue
    else isBinary = false
    const hunk = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(line)
    if (hunk !== null) left = { old: Number(hunk[1] ?? 1), new: Number(hunk[2] ?? 1) }
    if (line === 'GIT binary patch') isBinary = true
    const mode = MODE.exec(line)?.[1]
    if (mode !== undefined && mode !== '100644' && mode !== '100755')
      throw refused('it makes or changes something that is no plain file, as a link or a submodule')
    for (const path of pathsIn(line)) {
      checkInside(path)
      files.add(path)
    }
  }
  if (patch.trim() !== '' && files.size === 0) throw refused('it is no patch of git')
  return [...files]
}

function afterLine(left: { old: number; new: number }, line: string) {
  const [first] = line
  if (first === '-') return { ...left, old: left.old - 1 }
  if (first === '+') return { ...left, new: left.new - 1 }
  if (first === '\\') return left
  return { old: left.old - 1, new: left.new - 1 }
}

const HEADS: readonly (readonly [RegExp, string])[] = [
  [/^(?:---|\+\+\+) (.+)$/, 'marked'],
  [/^(?:rename|copy) (?:from|to) (.+)$/, 'bare'],
]

function pathsIn(line: string): readonly string[] {
  if (line.startsWith('diff --git ')) return pairIn(line.slice('diff --git '.length))
  for (const [head, kind] of HEADS) {
    const found = head.exec(line)?.[1]
    if (found === undefined || found === '/dev/null') continue
    const path = unquoted(found.replace(/\t$/, ''))
    return [kind === 'marked' ? path.replace(/^[ab]\//, '') : path]
  }
  return []
}

/** `a/x b/x`; where the name has spaces both halves are alike. */
function pairIn(text: string): readonly string[] {
  const quoted = [...text.matchAll(/"(?:[^"\\]|\\.)*"/g)].map(([each]) => each)
  if (quoted.length > 0) return quoted.map((each) => unquoted(each).replace(/^[ab]\//, ''))
  const half = (text.length - 1) / 2
  const [a, b] = [text.slice(0, half), text.slice(half + 1)]
  if (a.replace(/^a\//, '') === b.replace(/^b\//, '')) return [b.replace(/^b\//, '')]
  return text.split(/ (?=b\/)/).map((each) => each.replace(/^[ab]\//, ''))
}

/** As C writes texts; bytes that are no ASCII stand as octal. */
function unquoted(text: string): string {
  if (!text.startsWith('"')) return text
  const bytes: number[] = []
  const inner = text.slice(1, -1)
  for (const [, octal, plain, char = ''] of inner.matchAll(/\\([0-7]{3})|\\(.)|([^\\])/gsu)) {
    if (octal !== undefined) bytes.push(Number.parseInt(octal, 8))
    else bytes.push(...Buffer.from(plain ?? char))
  }
  return Buffer.from(bytes).toString('utf8')
}

function checkInside(path: string): void {
  try {
    checkPath(path)
  } catch (cause) {
    if (cause instanceof BadPath) throw refused(`${JSON.stringify(path)} is no path in a project`)
    throw cause
  }
  if (path.split('/').some((part) => /^\.git(?:modules)?$/i.test(part.trim())))
    throw refused(`${path} belongs to git itself`)
}

const refused = (why: string): EngineError =>
  new EngineError('invalid', `The patch is not taken: ${why}. Nothing was changed.`)
