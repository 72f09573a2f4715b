/**
 * Checkpoints on disk: the name of a summary's file, the index that lists them, and the six sections
 * that a summary has. Reading takes what it finds; a missing section is simply not there.
 */

export const sections = [
  'overview',
  'history',
  'work_done',
  'technical_details',
  'important_files',
  'next_steps',
] as const

export type Section = (typeof sections)[number]
export type Summary = { readonly [name in Section]?: string }
export type CheckpointEntry = {
  readonly number: number
  readonly title: string
  readonly file: string
}

/** `001-fix-the-parser.md`: ASCII, at most 40 characters after the number, safe in any path. */
export function checkpointFileName(number: number, title: string): string {
  const slug = title
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, 40)
    .replace(/-$/, '')
  return `${String(number).padStart(3, '0')}-${slug || 'checkpoint'}.md`
}

export function printIndex(entries: readonly CheckpointEntry[]): string {
  const rows = entries.map(
    ({ number, title, file }) => `| ${number} | ${cell(title)} | ${file} |\n`,
  )
  return `# Checkpoint History

Each row names a summary that took the place of the conversation before it.

| # | Title | File |
|---|-------|------|
${rows.join('')}`
}

/** Rows that name no plain file beside the index are left out: an index may come from anywhere. */
export function parseIndex(text: string): CheckpointEntry[] {
  return text.split('\n').flatMap((line) => {
    const [, number, title, file] = (ROW.exec(line.trim()) ?? []).map((part) => part.trim())
    if (number === undefined || title === undefined || file === undefined) return []
    const name = LINK.exec(file)?.[1] ?? file
    if (!FILE_NAME.test(name)) return []
    return [{ number: Number(number), title: title.replace(/\\([|\\])/g, '$1'), file: name }]
  })
}

const ROW = /^\|\s*(\d{1,15})\s*\|((?:[^\\|]|\\.)*)\|([^|]*)\|$/
const LINK = /^\[([^\]]*)\]\([^)]*\)$/
// oxlint-disable-next-line no-control-regex
const FILE_NAME = /^[^./\\\u0000-\u001f][^/\\\u0000-\u001f]*\.md$/

const cell = (title: string) => title.replace(/[\\|]/g, '\\$&').replace(/\s+/g, ' ').trim()

/** Sections in their order, each between its tags. Tags inside a section are escaped. */
export function printSummary(summary: Summary): string {
  return sections
    .flatMap((name) => {
      const content = summary[name]?.trim()
      return content ? [`<${name}>\n${escaped(content)}\n</${name}>\n`] : []
    })
    .join('\n')
}

/** A section without its end goes to the next section. Text without any section is all overview. */
export function parseSummary(text: string): Summary {
  const found = new Map<Section, string>()
  const opening = new RegExp(`<(${NAMES})>`, 'g')
  for (let tag = opening.exec(text); tag; tag = opening.exec(text)) {
    const name = tag[1] as Section
    const end = endOf(text, name, opening.lastIndex)
    const content = unescaped(text.slice(opening.lastIndex, end).trim())
    if (content !== '' && !found.has(name)) found.set(name, content)
    opening.lastIndex = end
  }
  if (found.size === 0 && text.trim() !== '') return { overview: text.trim() }
  return Object.fromEntries(found)
}

const NAMES = sections.join('|')

function endOf(text: string, name: Section, from: number): number {
  const closing = text.indexOf(`</${name}>`, from)
  if (closing !== -1) return closing
  const next = text.slice(from).search(new RegExp(`^<(?:${NAMES})>`, 'm'))
  return next === -1 ? text.length : from + next
}

const escaped = (content: string) =>
  content.replace(new RegExp(`<(\\\\*/?(?:${NAMES})>)`, 'g'), '<\\$1')

const unescaped = (content: string) =>
  content.replace(new RegExp(`<\\\\(\\\\*/?(?:${NAMES})>)`, 'g'), '<$1')
