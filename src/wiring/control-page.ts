/**
 * The page of Mission Control: for each person who has signed in with a browser, the page of `reprise web`, on the
 * sessions that their token lets them see and steer. Programs send a token with every request and never come here; a
 * browser has a cookie that no script reads.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { z } from 'zod'
import type { ControlPage, Inside } from '../control/http/listen.ts'
import { defined } from '../lib/defined.ts'
import { askJson } from '../remote/ask-server.ts'
import { RemoteError } from '../remote/remote-error.ts'
import { openServer } from '../remote/control-client.ts'
import { readPageFile, readPageStyle } from '../surfaces/web/page-folder.ts'
import { servePage } from '../surfaces/web/page-files.ts'
import { openPageSessions } from './page-sessions.ts'
import { passOn, readText, sendJson, sendPage } from './plain-answers.ts'

const COOKIE = 'reprise_control'
/** A person who tries the link of a guest stays who they are. */
const GUEST_COOKIE = 'reprise_control_guest'
const DAYS = 30
/** What the page asks of Mission Control itself: its own routes answer, as they do to a program with this token. */
const OWN =
  /^\/api\/(?:search|sql|chronicle|activity|people|invitations|tokens|tasks|workers|audit|tenant|login\/approve|sessions\/[\w.-]+\/(?:sharing|grants|pin))(?:\/|$)/
/** What people are shown at these addresses of a session is the page, at that session. */
const SHOWN = /^\/(?:sessions|copilot\/tasks|[\w.-]+\/[\w.-]+\/tasks)\/([\w.-]+)$/
const FILE = /^\/(?:[\w-]+\/)*[\w-][\w.-]*\.\w+$/

type PageOptions = { readonly version: string; readonly onFault: (error: unknown) => void }

export function openControlPage(
  { url, fetchFor, signIn }: Inside,
  options: PageOptions,
): ControlPage {
  const nobody = nobodyIs(signIn)
  const sessions = openPageSessions({
    ...options,
    readStyle: readPageStyle,
    readAsset: readPageFile,
  })
  const isSecure = url.startsWith('https:')
  const cookieFor = (name: string, token: string): string =>
    `${name}=${token}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${DAYS * 86_400}${isSecure ? '; Secure' : ''}`

  async function login(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { code } = Code.parse(JSON.parse(await readText(request)))
    const fetch = fetchFor(request.socket.remoteAddress ?? '')
    const { token } = await askJson({ url, fetch }, '/api/login/code', Token, {
      method: 'POST',
      json: { code },
    })
    const { guestOf } = await openServer({ url, fetch, token }).me()
    response.setHeader(
      'set-cookie',
      cookieFor(guestOf === undefined ? COOKIE : GUEST_COOKIE, token),
    )
    sendJson(response, 200, { ok: true, ...defined({ guestOf }) })
  }

  async function ask(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const token = cookieOf(request, COOKIE) ?? cookieOf(request, GUEST_COOKIE)
    if (token === undefined) return refuse(response, 401, nobody)
    // Every browser says where a POST comes from; the server has looked at it.
    if (request.method !== 'GET' && request.headers.origin === undefined)
      return refuse(response, 403, 'Only the page itself may ask this.')
    const fetch = fetchFor(request.socket.remoteAddress ?? '')
    const target = request.url ?? ''
    if (OWN.test(target.split('?', 1)[0] ?? ''))
      return passOn(request, response, (init) =>
        fetch(new URL(target, url), withToken(init, token)),
      )
    const server = openServer({ url, fetch, token })
    await (
      await sessions.of(token, server)
    )(request, response)
  }

  return {
    wants({ method, url: target = '', headers }) {
      if (headers.authorization !== undefined) return false
      const path = target.split('?', 1)[0] ?? ''
      if (path === '/api/login') return method === 'POST'
      if (path.startsWith('/api/'))
        return OWN.test(path) || (!path.startsWith('/api/login/') && path !== '/api/openapi.json')
      if (method !== 'GET') return false
      return path === '/' || FILE.test(path) || (SHOWN.test(path) && hasCookie(headers.cookie))
    },
    async answer(request, response) {
      const path = request.url?.split('?', 1)[0] ?? ''
      try {
        if (path === '/api/login') await login(request, response)
        else if (path.startsWith('/api/')) await ask(request, response)
        else if (SHOWN.test(path))
          response.writeHead(302, { location: `/#/s/${SHOWN.exec(path)?.[1]}` }).end()
        else await sendPage(response, await servePage(path, readPageFile))
      } catch (error) {
        if (error instanceof RemoteError && error.trouble === 'unauthorised')
          return refuse(response, 401, `${error.message} ${nobody}`)
        if (error instanceof z.ZodError || error instanceof SyntaxError)
          return refuse(response, 400, 'The body is not as it should be. Nothing was done.')
        options.onFault(error)
        refuse(response, 503, 'Mission Control cannot answer now. Nothing was done; try again.')
      }
    },
    [Symbol.asyncDispose]: () => sessions[Symbol.asyncDispose](),
  }
}

const Code = z.object({ code: z.string().min(1).max(500) })
const Token = z.object({ token: z.string() })

const nobodyIs = (signIn: string | undefined): string =>
  `Nobody is signed in with this browser. ${signIn === undefined ? '' : `Sign in at ${signIn}. `}${BY_LINK}`

const BY_LINK =
  'On a machine that has joined, "reprise remote link" makes a link that signs it in; who is new here opens the link of their invitation.'

const hasCookie = (header: string | undefined): boolean => header?.includes(`${COOKIE}=`) ?? false

const withToken = (init: RequestInit, token: string): RequestInit => ({
  ...init,
  headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
})

/** Two of one name would leave open which of them was meant. */
function cookieOf({ headers: { cookie = '' } }: IncomingMessage, of: string): string | undefined {
  const values = cookie.split(';').flatMap((pair) => {
    const [name = '', value = ''] = pair.trim().split('=', 2)
    return name === of && /^[\w.~+/=-]+$/.test(value) ? [value] : []
  })
  return values.length === 1 ? values[0] : undefined
}

function refuse(response: ServerResponse, status: number, message: string): void {
  const code =
    status === 401
      ? 'unauthorized'
      : status === 403
        ? 'forbidden'
        : status === 400
          ? 'invalid'
          : 'internal'
  if (response.headersSent) return void response.end()
  sendJson(response, status, { error: { code, message } })
}
