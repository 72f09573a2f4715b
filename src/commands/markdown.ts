/** Texts of others in the Markdown of ours: each stays what it is. */

/** A text that stays as it is, with its lines. */
export function fenced(text: string, language = 'text'): string {
  const longest = Math.max(3, ...Array.from(text.matchAll(/^~{3,}/gm), ([mark]) => mark.length))
  const fence = '~'.repeat(longest + 1)
  return `${fence}${language}\n${text.trimEnd()}\n${fence}`
}

export const code = (text: string): string => `\`${text.replaceAll('`', "'")}\``

/** On one line, with nothing in it that Markdown would take for itself. */
export const plain = (text: string): string =>
  text.replace(/\s+/g, ' ').replace(/[\\`*_~|[\]<>]/g, '\\$&')

export const table = (columns: readonly string[], rows: readonly (readonly string[])[]): string => {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(columns), line(columns.map(() => '---')), ...rows.map(line)].join('\n')
}

/** One line of our Markdown without its marks, for where only plain text can be shown. */
export const unmarked = (text: string): string =>
  text
    .replace(/(?<!\\)`([^`]*)`/g, '$1')
    .replace(/\*\*(.+?)\*\*/g, '$1')
    .replace(/\\([\\`*_~|[\]<>])/g, '$1')
