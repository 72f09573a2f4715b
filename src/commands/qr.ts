/** A link as people take it along: as text, and as a code that a phone reads off the screen. */
import { renderUnicodeCompact } from 'uqr'
import { fenced } from './markdown.ts'

export const linkWithCode = (link: string): string =>
  `${link}\n\n${fenced(renderUnicodeCompact(link, { border: 1 }))}`
