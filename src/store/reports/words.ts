/** Words of sessions inside Markdown: one line, nothing that a terminal obeys, nothing that Markdown takes as its own. */
import { grouped } from '../../lib/grouped.ts'
import { safeText } from '../../lib/safe-text.ts'

/** Cut on code points. */
export function oneLine(text: string, limit: number): string {
  const line = safeText(text.slice(0, 8 * limit + 64))
    .replace(/\s+/g, ' ')
    .trim()
  if (line.length <= limit) return line
  const signs = Array.from(line.slice(0, 2 * limit))
  return signs.length <= limit && signs.join('') === line
    ? line
    : `${signs
        .slice(0, limit - 1)
        .join('')
        .trimEnd()}…`
}

export const words = (text: string, limit = 120): string =>
  oneLine(text, limit).replace(/[\\`*_[\]<>|&~]/g, '\\$&')

/** Between as many backquotes as the text does not have. */
export function code(text: string, limit = 100): string {
  const line = oneLine(text, limit)
  const longest = Math.max(0, ...Array.from(line.matchAll(/`+/g), ([run]) => run.length))
  if (longest === 0) return `\`${line}\``
  const fence = '`'.repeat(longest + 1)
  return `${fence} ${line} ${fence}`
}

/** As people type it. */
export const shortId = (id: string): string => id.slice(0, 8)

/** The first few, and how many more there are. */
export function some(items: readonly string[], most: number): string {
  const shown = items.slice(0, most).join(', ')
  const more = items.length - most
  return more > 0 ? `${shown} and ${grouped(more)} more` : shown
}

/** Which sessions something was seen in: what makes it checkable. */
export const citation = (ids: Iterable<string>, most = 5): string =>
  some(
    Array.from(new Set(ids), (id) => code(shortId(id))),
    most,
  )

export const joined = (...blocks: readonly (string | false | undefined)[]): string =>
  `${blocks.filter((block) => block !== false && block !== undefined && block !== '').join('\n\n')}\n`
