/**
 * Reads the text of a git configuration file as git does, without its includes: sections, quoted
 * values, escapes, comments and continued lines. A line that makes no sense is left out, so that one
 * bad line does not hide the others.
 */
export type GitConfigEntry = {
  /** Lower case, as git compares it. */
  readonly section: string
  /** As written: git tells `[remote "Fork"]` from `[remote "fork"]`. */
  readonly subsection: string | undefined
  readonly key: string
  readonly value: string
}

export function parseGitConfig(text: string): GitConfigEntry[] {
  const entries: GitConfigEntry[] = []
  let section = ''
  let subsection: string | undefined
  for (const line of logicalLines(text)) {
    const header = HEADER.exec(line)
    if (header !== null) {
      ;[section, subsection] = sectionOf(header)
    }
    const pair = PAIR.exec(header === null ? line : line.slice(header[0].length))
    if (pair === null || section === '') continue
    const [, key = '', raw = ''] = pair
    entries.push({ section, subsection, key: key.toLowerCase(), value: plainValue(raw) })
  }
  return entries
}

/** `[name]`, `[name "sub section"]`, and the old `[name.sub]`. */
const HEADER = /^\s*\[\s*([A-Za-z0-9.-]+)\s*(?:"((?:[^"\\]|\\.)*)")?\s*\]/
const PAIR = /^\s*([A-Za-z][A-Za-z0-9-]*)\s*(?:=\s*(.*))?$/s

function sectionOf(header: RegExpExecArray): [string, string | undefined] {
  const [, name = '', quoted] = header
  if (quoted !== undefined) return [name.toLowerCase(), quoted.replaceAll(/\\(.)/g, '$1')]
  const dot = name.indexOf('.')
  if (dot === -1) return [name.toLowerCase(), undefined]
  return [name.slice(0, dot).toLowerCase(), name.slice(dot + 1).toLowerCase()]
}

/** A backslash at the end of a line continues it on the next. */
function logicalLines(text: string): string[] {
  const lines: string[] = []
  let open = ''
  for (const line of text.split(/\r?\n/)) {
    const whole = open + line
    const backslashes = /\\*$/.exec(whole)?.[0].length ?? 0
    if (backslashes % 2 === 1 && !isComment(whole)) {
      open = whole.slice(0, -1)
      continue
    }
    open = ''
    if (!isComment(whole)) lines.push(whole)
  }
  return lines
}

const isComment = (line: string): boolean => /^\s*[#;]/.test(line)

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', b: '\b' }

/** Quotes may open and close anywhere; outside them '#' and ';' begin a comment and trailing blanks go. */
function plainValue(raw: string): string {
  let value = ''
  let kept = 0
  let quoted = false
  for (let at = 0; at < raw.length; at++) {
    const char = raw.charAt(at)
    if (char === '"') {
      quoted = !quoted
      kept = value.length
      continue
    }
    if (!quoted && (char === '#' || char === ';')) break
    if (char === '\\') {
      const escaped = raw.charAt(++at)
      value += ESCAPES[escaped] ?? escaped
    } else {
      value += char
    }
    if (quoted || !/\s/.test(char)) kept = value.length
  }
  return value.slice(0, kept)
}
