/**
 * What a person finds who opens an address of this server in a browser: what it is, and how to come to it. It tells
 * nothing of what is stored, so that everybody may read it; it runs nothing and asks for nothing.
 */
import { isSessionId } from '../../format/ids.ts'

/** Undefined for what is no address for people. */
export function plainPage(path: string): string | undefined {
  if (path === '/') return page('Mission Control', [ABOUT, COME_IN])
  if (path === '/login')
    return page('A machine wants to join', [
      'It shows a short code. Say yes to it on a machine that has joined already:',
      '<code>reprise remote approve CODE</code>',
    ])
  const id = /^\/(?:sessions|copilot\/tasks|[\w.-]+\/[\w.-]+\/tasks)\/([\w.-]+)$/.exec(path)?.[1]
  if (id === undefined || !isSessionId(id)) return undefined
  return page('A session in Mission Control', [
    // A browser that comes from elsewhere does not send its cookie along; from here it does.
    `Who is signed in with this browser <a href="/#/s/${id}">opens it here</a>; on a machine that has joined:`,
    `<code>reprise --connect ${id}</code>`,
    COME_IN,
  ])
}

const ABOUT = 'Sessions of coding agents are exported here, watched, and steered.'
const COME_IN =
  'A machine joins with <code>reprise remote login</code> and this address; a link with a code is given to it whole, in quotes.'

const page = (title: string, paragraphs: readonly string[]): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<h1>${title}</h1>
${paragraphs.map((text) => `<p>${text}</p>`).join('\n')}
</html>
`
