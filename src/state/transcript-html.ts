/**
 * A transcript as one HTML file that needs nothing else: no script, no request. Whatever was said is text in it,
 * never markup.
 */
import { preview } from './preview.ts'
import { wellFormed } from './well-formed.ts'
import type { EntryOf, TranscriptEntry } from './transcript.ts'

export type HtmlAbout = {
  readonly id: string
  readonly title: string
  readonly createdAt: string
  readonly modifiedAt: string
  readonly repository?: string
  readonly branch?: string
}

export function toHtml(about: HtmlAbout, entries: Iterable<TranscriptEntry>): string {
  const where = [about.repository, about.branch].filter((part) => part !== undefined).join(' · ')
  const title = preview(about.title, 120) || about.id
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${escape(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<header>
<h1>${escape(title)}</h1>
<p>${escape([where, about.createdAt, about.id].filter((part) => part !== '').join(' · '))}</p>
</header>
<main>
${Array.from(entries, articleOf).join('\n')}
</main>
</body>
</html>
`
}

type Articles = { readonly [K in TranscriptEntry['kind']]: (entry: EntryOf<K>) => string }

const remark = (entry: EntryOf<'info' | 'warning' | 'error'>) =>
  line(entry.kind, `${entry.topic}: ${entry.text}`)

const articles: Articles = {
  user: (entry) =>
    article('user', entry.isSteering ? 'You (steering)' : 'You', entry, [
      block(entry.text),
      ...entry.attachments.map((name) => line('attached', name)),
    ]),
  assistant: (entry) => article('assistant', entry.model ?? 'Agent', entry, [block(entry.text)]),
  thought: (entry) => fold('thought', 'Thought', [block(entry.text)]),
  tool: (entry) =>
    fold(`tool ${entry.status}`, `${entry.toolName} — ${entry.status}${exitOf(entry)}`, [
      pre(textOf(entry.arguments)),
      ...(entry.output === undefined ? [] : [pre(entry.output)]),
    ]),
  permission: ({ what, decision }) => line('permission', `${what} → ${decision ?? 'open'}`),
  compaction: ({ status, checkpoint, summary, error }) =>
    fold('compaction', `Checkpoint ${checkpoint ?? ''} ${status}`, [pre(error ?? summary ?? '')]),
  info: remark,
  warning: remark,
  error: remark,
  model: ({ model, effort }) =>
    line('model', effort === undefined ? model : `${model} (${effort})`),
  mode: ({ mode }) => line('mode', mode),
  plan: ({ operation }) => line('plan', operation),
  file: ({ operation, path }) => line('file', `${operation} ${path}`),
  resume: ({ at, eventCount }) => line('resumed', `${at}, after ${eventCount} events`),
  shutdown: ({ reason, shutdownType }) => line('shutdown', reason ?? shutdownType),
  abort: ({ reason }) => line('aborted', reason),
  handoff: ({ sourceType, text }) => fold('handoff', `Handoff (${sourceType})`, [pre(text)]),
  subagent: ({ name, status, error }) =>
    line('subagent', `${name} ${status}${error === undefined ? '' : `: ${error}`}`),
  skill: ({ name, path }) => line('skill', `${name} (${path})`),
  hook: ({ hookType, status, error }) =>
    line('hook', `${hookType} ${status}${error === undefined ? '' : `: ${error}`}`),
  stranger: ({ type }) => line('event', type),
}

function articleOf<K extends TranscriptEntry['kind']>(entry: EntryOf<K>): string {
  const make: (entry: EntryOf<K>) => string = articles[entry.kind as K]
  return make(entry)
}

const article = (
  kind: string,
  who: string,
  { at }: { readonly at: string },
  parts: readonly string[],
) =>
  `<article class="${kind}"><h2>${escape(who)} <time>${escape(at)}</time></h2>${parts.join('')}</article>`

const fold = (kind: string, title: string, parts: readonly string[]) =>
  `<details class="${kind}"><summary>${escape(preview(title, 200))}</summary>${parts.join('')}</details>`

const line = (kind: string, text: string) =>
  `<p class="note"><b>${escape(kind)}</b> ${escape(text)}</p>`

const block = (text: string) => `<div class="text">${escape(text)}</div>`
const pre = (text: string) => (text.trim() === '' ? '' : `<pre>${escape(text)}</pre>`)

const exitOf = ({ exitCode }: EntryOf<'tool'>) =>
  exitCode === undefined ? '' : ` (exit ${exitCode})`

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '')

const SIGNS: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

// Controls, and what turns the direction of text around, would show something else than what is there.
// oxlint-disable-next-line no-control-regex
const UNSHOWN = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

const escape = (text: string): string =>
  wellFormed(text)
    .replace(UNSHOWN, '\ufffd')
    .replace(/[&<>"']/g, (sign) => SIGNS[sign] ?? '')

const STYLE = `
:root{color-scheme:light dark;font:16px/1.55 system-ui,sans-serif}
body{max-width:56rem;margin:0 auto;padding:1rem}
header{border-bottom:1px solid #8886;margin-bottom:1rem}
h1{font-size:1.4rem;margin:.5rem 0}header p,time,.note{color:#767676;font-size:.85rem}
h2{font-size:.95rem;margin:0 0 .4rem}
article,details{border:1px solid #8884;border-radius:.5rem;padding:.6rem .9rem;margin:.7rem 0}
.user{background:#4a90d91a}.failed{border-color:#c0392b}
.text{white-space:pre-wrap;overflow-wrap:anywhere}
pre{white-space:pre-wrap;overflow-wrap:anywhere;font:.85rem/1.45 ui-monospace,monospace;background:#8881;padding:.6rem;border-radius:.3rem;max-height:30rem;overflow:auto}
summary{cursor:pointer;font-size:.9rem}
`
