/**
 * Where a request comes from. Any page in any browser reaches a server on loopback, so every request names exactly
 * this host, and comes from exactly this origin or from no page at all.
 */
import type { IncomingMessage } from 'node:http'
import { ControlError } from '../control-error.ts'

type OwnNames = {
  /** Names with their port, as a Host header has them. */
  readonly hosts: readonly string[]
  readonly origins: readonly string[]
}

export function placeOf(origins: readonly string[]): OwnNames {
  const urls = origins.map((origin) => new URL(origin))
  return { hosts: urls.map(({ host }) => host), origins: urls.map(({ origin }) => origin) }
}

const ODD_PATH = /\/(?:\.|%2e){1,2}(?:\/|$)|\\|\/\//i

/** A person follows a link, or comes back from where they signed in: their cookie is not sent along then. */
const isOpened = ({ method, headers }: IncomingMessage): boolean =>
  method === 'GET' &&
  headers['sec-fetch-mode'] === 'navigate' &&
  headers['sec-fetch-dest'] === 'document'

export function checkPlace({ hosts, origins }: OwnNames, request: IncomingMessage): void {
  const { url = '', headers, rawHeaders, method } = request
  const named = rawHeaders.filter(
    (_, at) => at % 2 === 1 && /^host$/i.test(rawHeaders[at - 1] ?? ''),
  )
  if (!url.startsWith('/') || named.length !== 1 || !hosts.includes(named[0] ?? ''))
    throw new ControlError('forbidden', 'This server does not go by that name.')
  // A URL has its dots worked out on the way: what was checked must be what is found. No name has a NUL.
  if (ODD_PATH.test(url.split('?')[0] ?? '') || url.includes('%00'))
    throw new ControlError('invalid', 'This is no path of this server.')
  // A browser asks first what it may ask; the answer allows other origins nothing.
  if (method === 'OPTIONS') return
  if (headers.origin !== undefined && !origins.includes(headers.origin))
    throw new ControlError('forbidden', 'Pages of other origins may not ask here.')
  const site = headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin' && site !== 'none' && !isOpened(request))
    throw new ControlError('forbidden', 'Pages of other sites may not ask here.')
}
