/**
 * Who may ask. Loopback is not authentication: any page in any browser on this machine reaches it. So every request
 * names exactly this host, comes from exactly this origin or from no page at all, and carries the token.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { WebFailure } from './failure.ts'

export type Guard = {
  /** Throws when the request is for another host or comes from another origin. Applies to every path. */
  checkPlace(request: Asked): void
  /** Throws when it carries neither the cookie nor the token. */
  checkToken(request: Asked): void
  /** The code of the link, once. Gives the cookie. */
  login(code: string): string
  /** A link that logs in, once. A new one replaces the last. */
  link(): string
}

/** What of a request is looked at. */
export type Asked = {
  readonly method: string
  /** As it was sent: a path, or with a proxy in mind a whole URL. */
  readonly target: string
  /** Every Host header, in case there are two. */
  readonly hosts: readonly string[]
  readonly origin: string | undefined
  /** Sec-Fetch-Site. */
  readonly site: string | undefined
  readonly cookie: string | undefined
  readonly authorization: string | undefined
}

export function askedOf({ method, url, headers, rawHeaders }: IncomingMessage): Asked {
  const isHost = (at: number) => at % 2 === 1 && /^host$/i.test(rawHeaders[at - 1] ?? '')
  const site = headers['sec-fetch-site']
  return {
    method: method ?? '',
    target: url ?? '',
    hosts: rawHeaders.filter((_, at) => isHost(at)),
    origin: headers.origin,
    site: Array.isArray(site) ? site.join() : site,
    cookie: headers.cookie,
    authorization: headers.authorization,
  }
}

export type GuardOptions = {
  /** 256 bits, as text. */
  readonly token: string
  readonly scheme: 'http' | 'https'
  /** Names that this server goes by, without a port; IPv6 in brackets. */
  readonly names: readonly string[]
  readonly port: number
  readonly newCode: () => string
}

export function createGuard({ token, scheme, names, port, newCode }: GuardOptions): Guard {
  const isUsual = port === (scheme === 'https' ? 443 : 80)
  const hosts = new Set(names.flatMap((name) => [`${name}:${port}`, ...(isUsual ? [name] : [])]))
  const origins = new Set([...hosts].map((host) => `${scheme}://${host}`))
  // Another port of the same name is another server to us, but not to a browser's cookies.
  const cookieName = `reprise_${port}`
  // Survives a restart, as the token does, without being the token.
  const cookieValue = createHmac('sha256', token).update('reprise web cookie').digest('base64url')
  let code: string | undefined

  return {
    checkPlace({ method, target, hosts: given, origin, site }) {
      const [host] = given
      if (!target.startsWith('/') || given.length !== 1 || host === undefined || !hosts.has(host))
        throw new WebFailure('forbidden', 'This server does not go by that name.')
      if (origin !== undefined && !origins.has(origin))
        throw new WebFailure('forbidden', 'Pages of other origins may not ask here.')
      // A URL has its dots worked out on the way: what was checked must be what is found.
      if (ODD_PATH.test(target.split('?')[0] ?? ''))
        throw new WebFailure('invalid', 'This is no path of this server.')
      const isApi = target === '/api' || target.startsWith('/api/')
      const isForeign = site !== undefined && site !== 'same-origin' && site !== 'none'
      if (isForeign && (isApi || method !== 'GET'))
        throw new WebFailure('forbidden', 'Pages of other sites may not ask here.')
    },
    checkToken({ method, cookie, authorization, origin }) {
      const bearer = /^Bearer ([\w.~+/=-]+)$/.exec(authorization ?? '')?.[1]
      if (bearer !== undefined && same(bearer, token)) return
      const own = cookiesOf(cookie).filter(([name]) => name === cookieName)
      const isOurs = own.length === 1 && same(own[0]?.[1] ?? '', cookieValue)
      // Every browser says where a POST comes from.
      if (isOurs && (method === 'GET' || origin !== undefined)) return
      throw new WebFailure(
        'unauthorized',
        'This needs the token of the server. "reprise web" prints a link that logs a browser in.',
      )
    },
    login(given) {
      const isRight = code !== undefined && same(given, code)
      if (!isRight)
        throw new WebFailure('unauthorized', 'This link was used before, or is not of this server.')
      code = undefined
      const secure = scheme === 'https' ? '; Secure' : ''
      return `${cookieName}=${cookieValue}; Path=/; HttpOnly; SameSite=Strict; Max-Age=2592000${secure}`
    },
    link() {
      code = newCode()
      // Behind the #: it is in no log, and no page that is linked to learns it.
      return `${scheme}://${names[0]}:${port}/#code=${code}`
    },
  }
}

const ODD_PATH = /\/(?:\.|%2e){1,2}(?:\/|$)|\\|\/\//i

/** In constant time, whatever the lengths. */
const same = (one: string, other: string): boolean => timingSafeEqual(digest(one), digest(other))

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

const cookiesOf = (header: string | undefined): (readonly [string, string])[] =>
  (header ?? '').split(';').map((pair) => {
    const at = pair.indexOf('=')
    return [pair.slice(0, at).trim(), pair.slice(at + 1).trim()]
  })
