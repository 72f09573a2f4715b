/** Text on its way into the store: no half characters, nothing that marks a highlight, no more than there is room for. */

/** UTF-16 units of what a person or the agent said in one turn; a pasted file is not indexed beyond it. */
export const MAX_SPEECH = 256 * 1024
export const MAX_ARGUMENTS = 4 * 1024
export const MAX_OUTPUT = 4 * 1024
export const MAX_ARTIFACT = 64 * 1024

/** Around a match when SQLite hands a text out. `clean` keeps them out of what goes in. */
export const MARK_START = '\u0001'
export const MARK_END = '\u0002'

/** SQLite's functions end a text at NUL. */
export function clean(text: string): string {
  const whole = text.toWellFormed()
  // Three searches for one character each take less than one for any of them.
  const isMarked = whole.includes('\0') || whole.includes(MARK_START) || whole.includes(MARK_END)
  // oxlint-disable-next-line no-control-regex
  return isMarked ? whole.replace(/[\u0000-\u0002]/g, '\ufffd') : whole
}

/** Cut between code points. */
export function head(text: string, limit: number): string {
  if (text.length <= limit) return text
  return text.slice(0, isInsidePair(text, limit) ? limit - 1 : limit)
}

/** Errors stand at the end of an output as often as at its beginning. */
export function ends(text: string, limit: number): string {
  if (text.length <= limit) return text
  const first = Math.ceil(limit / 2)
  const from = text.length - (limit - first)
  return `${head(text, first)}\n…\n${text.slice(isInsidePair(text, from) ? from + 1 : from)}`
}

const isInsidePair = (text: string, at: number): boolean => (text.codePointAt(at - 1) ?? 0) > 0xffff
