/** Diffs as tools write them, taken apart into files: unified, with a number on each line, and as `apply_patch` has them. */
import { defined } from '../lib/defined.ts'

export type DiffPart = {
  /** As the diff has it; undefined where it names none. */
  readonly path?: string
  /** Where it can be told. */
  readonly kind?: 'create' | 'edit' | 'delete'
  /** Its hunks, without heads. */
  readonly diff: string
}

export function diffParts(text: string): readonly DiffPart[] {
  const lines = text.split(/\r?\n/)
  if (lines.some((line) => line.startsWith('@@'))) return unifiedParts(lines)
  const numbered = numberedHunks(lines)
  return numbered === '' ? [] : [{ diff: numbered }]
}

/** Every line of a text as a new one. */
export function wholeFile(text: string): string {
  const lines = text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/)
  return [`@@ -0,0 +1,${lines.length} @@`, ...lines.map((line) => `+${line}`)].join('\n')
}

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+\d+(?:,(\d+))? @@/

function unifiedParts(lines: readonly string[]): readonly DiffPart[] {
  const parts: { old?: string; now?: string; hunks: string[] }[] = []
  /** Lines of the hunk that are still to come, before and after; unknown in one without numbers. */
  let left = { old: 0, now: 0 }
  for (const [at, line] of lines.entries()) {
    const isInside = left.old > 0 || left.now > 0
    const isHead = line.startsWith('--- ') && lines[at + 1]?.startsWith('+++ ') === true
    const part = parts.at(-1)
    if (isHead && (!isInside || left.old === Infinity)) {
      parts.push({ old: line, now: lines[at + 1] ?? '', hunks: [] })
      left = { old: 0, now: 0 }
    } else if (line.startsWith('@@')) {
      const [, , old = '1', now = '1'] = HUNK.exec(line) ?? [line, '', 'Infinity', 'Infinity']
      left = { old: Number(old), now: Number(now) }
      if (part === undefined) parts.push({ hunks: [line] })
      else part.hunks.push(line)
    } else if (isInside && part !== undefined && /^[-+ \\]|^$/.test(line)) {
      if (line === '' && left.old === Infinity) continue
      part.hunks.push(line === '' ? ' ' : line)
      if (!line.startsWith('+') && !line.startsWith('\\')) left.old -= 1
      if (!line.startsWith('-') && !line.startsWith('\\')) left.now -= 1
    }
  }
  return parts
    .filter(({ hunks }) => hunks.length > 0)
    .map(({ old, now, hunks }): DiffPart => {
      const [from, to] = [old, now].map((head) => head && nameIn(head))
      const isNew = from === NONE || hunks[0]?.startsWith('@@ -0,0 ') === true
      const kind: DiffPart['kind'] = to === NONE ? 'delete' : isNew ? 'create' : undefined
      return { diff: hunks.join('\n'), ...defined({ path: to === NONE ? from : to, kind }) }
    })
}

const NONE = '/dev/null'

/** Without the sign, the time behind a tab and the prefix of git. */
function nameIn(head: string): string {
  const name = (head.slice(4).split('\t')[0] ?? '').trim()
  return /^[ab]\/dev\/null$/.test(name) ? NONE : name.replace(/^[ab]\//, '')
}

/** `+12 text`, with `...` for what is left out: lines of the file before, or, where they are new, after. */
function numberedHunks(lines: readonly string[]): string {
  const hunks: string[] = []
  let isOpen = false
  /** How far the numbers after are ahead of those before. */
  let ahead = 0
  for (const line of lines) {
    const [, sign, number, text] = /^([-+ ])\s*(\d+) (.*)$/.exec(line) ?? []
    if (sign === undefined || number === undefined || text === undefined) {
      isOpen = false
      continue
    }
    const old = sign === '+' ? Number(number) - ahead : Number(number)
    if (!isOpen) hunks.push(`@@ -${old} +${old + ahead} @@`)
    isOpen = true
    hunks.push(`${sign}${text}`)
    ahead += sign === '+' ? 1 : sign === '-' ? -1 : 0
  }
  return hunks.some((line) => /^[-+]/.test(line)) ? hunks.join('\n') : ''
}

const FILE = /^\*\*\* (Add|Update|Delete) File: (.+)$/
const KINDS = { Add: 'create', Update: 'edit', Delete: 'delete' } as const

/** Of what stands between `*** Begin Patch` and `*** End Patch`. */
export function patchParts(patch: string): readonly DiffPart[] {
  const parts: { path: string; kind: DiffPart['kind']; hunks: string[] }[] = []
  for (const line of patch.split(/\r?\n/)) {
    const [, verb, path] = FILE.exec(line.trimEnd()) ?? []
    const part = parts.at(-1)
    if (verb !== undefined && path !== undefined)
      parts.push({ path: path.trim(), kind: KINDS[verb as keyof typeof KINDS], hunks: [] })
    else if (part !== undefined && /^[-+ ]|^@@/.test(line)) {
      if (part.hunks.length === 0 && !line.startsWith('@@')) part.hunks.push('@@')
      part.hunks.push(line)
    }
  }
  return parts.map(({ path, kind, hunks }) => ({
    path,
    kind: kind ?? 'edit',
    diff: kind === 'create' ? wholeFile(addedText(hunks)) : hunks.join('\n'),
  }))
}

const addedText = (hunks: readonly string[]): string =>
  hunks.flatMap((line) => (line.startsWith('+') ? [line.slice(1)] : [])).join('\n')
