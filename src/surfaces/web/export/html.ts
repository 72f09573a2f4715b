/**
 * A session as one HTML file that needs nothing else and looks as on the page: its style sheet is inside, it has no
 * script and makes no request, and its policy would allow neither.
 */
import { createHash } from 'node:crypto'
import type { TranscriptEntry } from '../../../state/transcript.ts'
import { entryMarkup } from './entry.ts'
import { markup, trusted, words } from './markup.ts'

export type ExportAbout = {
  readonly id: string
  readonly title: string
  readonly createdAt: string
  readonly modifiedAt: string
  readonly repository?: string
  readonly branch?: string
}

export function toHtml(
  about: ExportAbout,
  entries: readonly TranscriptEntry[],
  styleSheet: string,
): string {
  const title = about.title || about.id
  const facts = [
    about.repository,
    about.branch === undefined ? undefined : `⎇ ${about.branch}`,
    `${about.createdAt.slice(0, 16).replace('T', ' ')} UTC`,
    about.id,
  ]
  const style = trusted(styleSheet)
  const policy = `default-src 'none'; style-src '${hashOf(styleSheet)}'; base-uri 'none'; form-action 'none'`
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${words(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>${words(title.slice(0, 200))}</title>
<style>${style}</style>
</head>
<body class="export">
<header class="session-head"><div class="session-title"><h1>${words(title)}</h1><p class="faint facts">${facts.flatMap(
    (fact) => (fact === undefined ? [] : [markup`<span>${words(fact)}</span>`]),
  )}</p></div></header>
<main class="rows">
${entries.length === 0 ? markup`<p class="empty">Nothing was said.</p>` : entries.map(entryMarkup)}</main>
</body>
</html>
`
}

/** Only this very style sheet is applied. */
const hashOf = (text: string): string =>
  `sha256-${createHash('sha256').update(text).digest('base64')}`
