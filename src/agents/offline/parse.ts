/**
 * What a prompt spells out, one command a line. Pure, and all or nothing: when one line is not understood nothing of
 * the prompt is done, so that no half of a thought is carried out.
 */
export type Command = { readonly source: string } & (
  | { readonly verb: 'run'; readonly command: string }
  | { readonly verb: 'read'; readonly file: string; readonly range?: readonly [number, number] }
  | { readonly verb: 'write' | 'append'; readonly file: string; readonly text: string }
  | { readonly verb: 'edit'; readonly file: string; readonly edits: readonly Edit[] }
  | { readonly verb: 'find'; readonly pattern: string }
  | { readonly verb: 'search'; readonly text: string }
  | { readonly verb: 'set-plan'; readonly text: string }
  | { readonly verb: 'plan' }
  | { readonly verb: 'tell'; readonly about: Question }
)

type Edit = { readonly old: string; readonly new: string }
export type Question = 'history' | 'last answer' | 'files' | 'status' | 'help'

export type Parsed =
  | { readonly kind: 'commands'; readonly commands: readonly Command[] }
  /** It starts like a command and is none: what is missing. */
  | { readonly kind: 'unclear'; readonly line: string; readonly expected: string }
  /** Words for a model. */
  | { readonly kind: 'talk' }

export const usages = {
  run: 'run <command>, or run and a fenced block',
  read: 'read <file> [from-to]',
  write: 'write <file>: <one line>, or write <file> and a fenced block or the rest of the message',
  append:
    'append <file>: <one line>, or append <file> and a fenced block or the rest of the message',
  edit: 'edit <file>: <old> >>> <new>, or edit <file> and such lines, or two fenced blocks: old, new',
  find: 'find <pattern>, as in find *.ts',
  search: 'search <text>',
  plan: 'plan shows the plan; plan: <text> sets it, in one line, a fenced block or the rest of the message',
} as const

export function parse(prompt: string): Parsed {
  const lines: Lines = { all: prompt.split(/\r?\n/), at: 0 }
  const commands: Command[] = []
  for (skipBlank(lines); lines.at < lines.all.length; skipBlank(lines)) {
    const line = next(lines).trim()
    const read = readCommand(line, lines)
    if (read === undefined) {
      return commands.length === 0
        ? { kind: 'talk' }
        : { kind: 'unclear', line, expected: 'a command; help lists them' }
    }
    if (typeof read === 'string') return { kind: 'unclear', line, expected: read }
    commands.push(read)
  }
  return commands.length === 0 ? { kind: 'talk' } : { kind: 'commands', commands }
}

type Lines = { readonly all: readonly string[]; at: number }

/** The command, what is missing from it, or undefined when the line does not begin like one. */
function readCommand(line: string, lines: Lines): Command | string | undefined {
  const about = questions.get(line.toLowerCase().replace(/[\s?.!]+$/, ''))
  if (about !== undefined) return { verb: 'tell', about, source: line }
  const [, word = '', colon = '', rest = ''] = /^([a-z]+)(:?)\s*(.*)$/is.exec(line) ?? []
  const verb = word.toLowerCase()
  if (verb === 'plan') return readPlan(line, colon, rest, lines)
  if (colon !== '' || !Object.hasOwn(readers, verb)) return undefined
  const known = verb as keyof typeof readers
  return readers[known](line, rest, lines) ?? usages[known]
}

const questions: ReadonlyMap<string, Question> = new Map([
  ['history', 'history'],
  ['what did i ask', 'history'],
  ['last answer', 'last answer'],
  ['which files', 'files'],
  ['usage', 'status'],
  ['status', 'status'],
  ['help', 'help'],
])

type Reader = (source: string, rest: string, lines: Lines) => Command | undefined

const readers = {
  run: (source, rest, lines) => {
    const command = rest === '' ? fenced(lines) : rest
    return command === undefined || command.trim() === ''
      ? undefined
      : { verb: 'run', command, source }
  },
  read: (source, rest) => {
    const [file, after] = fileIn(rest)
    const [isRange, from, to = from] = /^(?:(\d{1,9})(?:-(\d{1,9}))?)?$/.exec(after) ?? []
    if (file === undefined || isRange === undefined) return undefined
    if (from === undefined) return { verb: 'read', file, source }
    return { verb: 'read', file, range: [Number(from), Number(to)], source }
  },
  write: (source, rest, lines) => writing('write', source, rest, lines),
  append: (source, rest, lines) => writing('append', source, rest, lines),
  edit: (source, rest, lines) => {
    const [file, after] = fileIn(rest)
    if (file === undefined || (after !== '' && !after.startsWith(':'))) return undefined
    const edits = readEdits(after.slice(1).trim(), lines)
    return edits.length === 0 ? undefined : { verb: 'edit', file, edits, source }
  },
  find: (source, pattern) => (pattern === '' ? undefined : { verb: 'find', pattern, source }),
  search: (source, text) => (text === '' ? undefined : { verb: 'search', text, source }),
} as const satisfies Record<string, Reader>

function writing(
  verb: 'write' | 'append',
  source: string,
  rest: string,
  lines: Lines,
): Command | undefined {
  const [file, after] = fileIn(rest)
  if (file === undefined || (after !== '' && !after.startsWith(':'))) return undefined
  const text = content(after.slice(1).trim(), lines)
  return text === undefined ? undefined : { verb, file, text, source }
}

function readPlan(
  source: string,
  colon: string,
  rest: string,
  lines: Lines,
): Command | string | undefined {
  if (colon === '') return rest === '' ? { verb: 'plan', source } : undefined
  const text = content(rest, lines)
  return text === undefined ? usages.plan : { verb: 'set-plan', text, source }
}

/** A name with blanks is quoted. The colon that ends it, if any, is left to what follows. */
function fileIn(rest: string): readonly [file: string | undefined, after: string] {
  const found = /^(?:"([^"]+)"|'([^']+)'|([^\s"'].*?))(?=:?(?:\s|$))/.exec(rest)
  return [found?.[1] ?? found?.[2] ?? found?.[3], rest.slice(found?.[0].length ?? 0).trim()]
}

/** One line here, or a fenced block below, or all that is left. It ends with a newline. */
function content(inline: string, lines: Lines): string | undefined {
  if (inline !== '') return `${inline}\n`
  const block = fenced(lines)
  if (block !== undefined) return block
  const left = lines.all.slice(lines.at).join('\n').trimEnd()
  lines.at = lines.all.length
  return left.trim() === '' ? undefined : `${left}\n`
}

function readEdits(inline: string, lines: Lines): Edit[] {
  if (inline !== '') return asEdits(inline)
  const old = fenced(lines)
  if (old !== undefined) {
    const now = fenced(lines)
    return now === undefined || old === '' ? [] : [{ old, new: now }]
  }
  const edits: Edit[] = []
  while (lines.all[lines.at]?.includes('>>>')) edits.push(...asEdits(next(lines)))
  return edits
}

function asEdits(line: string): Edit[] {
  const at = line.indexOf('>>>')
  const old = line.slice(0, Math.max(0, at)).trim()
  return old === '' ? [] : [{ old, new: line.slice(at + 3).trim() }]
}

/** What is between two fences, from where we are; undefined, and nothing is taken, when no fence comes next. */
function fenced(lines: Lines): string | undefined {
  const start = lines.at
  skipBlank(lines)
  const fence = /^\s*(`{3,}|~{3,})/.exec(lines.all[lines.at] ?? '')?.[1]
  if (fence === undefined) {
    lines.at = start
    return undefined
  }
  lines.at++
  const from = lines.at
  while (lines.at < lines.all.length && lines.all[lines.at]?.trim() !== fence) lines.at++
  const inner = lines.all.slice(from, lines.at)
  lines.at++
  return inner.map((line) => `${line}\n`).join('')
}

function next(lines: Lines): string {
  return lines.all[lines.at++] ?? ''
}

function skipBlank(lines: Lines): void {
  while (lines.all[lines.at]?.trim() === '') lines.at++
}
