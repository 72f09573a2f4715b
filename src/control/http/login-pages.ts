/**
 * The pages by which a person says yes to a machine in a browser. They have no script and hold no secret: who a person
 * is, the identity provider says; the browser that comes back is the one that went there.
 */
import { Hono } from 'hono'
import type { HttpBindings } from '@hono/node-server'
import { getCookie, setCookie } from 'hono/cookie'
import { html } from 'hono/html'
import type { Control } from '../control.ts'
import { ControlError, statuses } from '../control-error.ts'
import { record } from '../people/audit.ts'
import { approveDevice, browserCode, waitingDevice } from '../people/logins.ts'
import type { Oidc } from '../people/oidc.ts'
import { allowed, isRole } from '../people/scopes.ts'
import { plainPage } from './static-pages.ts'
import type { Tried } from './rate-limit.ts'

type Env = { Bindings: HttpBindings }

const COOKIE = 'reprise-sign-in'
const CALLBACK = '/login/callback'
/** In place of a machine's code: who signs in wants the page here. */
const THIS_BROWSER = ''
const STYLE = 'body{font:16px/1.5 system-ui;max-width:34rem;margin:15vh auto;padding:0 1rem}'

export function loginPages(
  control: Control,
  { oidc, url, tried }: { oidc: Oidc | undefined; url: string; tried: Tried },
): Hono<Env> {
  const { db, now } = control
  const pages = new Hono<Env>()
  pages.use(async (c, next) => {
    tried(c.env.incoming.socket.remoteAddress ?? '')
    await next()
    c.res.headers.set(
      'content-security-policy',
      "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    )
  })
  pages.onError((error, c) => {
    if (!(error instanceof ControlError)) throw error
    return c.html(page('Not signed in', html`<p>${error.message}</p>`), statuses[error.code] as 400)
  })

  pages.get('/', async (c) => {
    const code = (c.req.query('code') ?? '').toUpperCase()
    if (code === '' && oidc !== undefined)
      return c.html(
        page(
          'Sign in',
          html`<p>
            <a href="/login/start">Sign this browser in at ${new URL(oidc.issuer).host}</a>
          </p>`,
        ),
      )
    if (code === '') return c.html(plainPage('/login') ?? '')
    const machine = await waitingDevice(db.query, code, now())
    const what = html`<p>
      A machine named <b>${machine.name}</b> shows the code <b>${code}</b> and asks to join this
      Mission Control as yours: ${machine.scopes.replaceAll(',', ', ')}.
    </p>`
    if (oidc === undefined)
      return c.html(
        page(
          'A machine asks to join',
          html`${what}
            <p>
              On a machine that has joined already: <code>reprise remote approve ${code}</code>
            </p>`,
        ),
      )
    const issuer = new URL(oidc.issuer).host
    return c.html(
      page(
        'A machine asks to join',
        html`${what}
          <p>Go on only if you have just started this there yourself.</p>
          <p><a href="/login/start?code=${code}">Allow it: sign in at ${issuer}</a></p>`,
      ),
    )
  })
  pages.get('/start', async (c) => {
    const userCode = (c.req.query('code') ?? '').toUpperCase()
    if (userCode !== THIS_BROWSER) await waitingDevice(db.query, userCode, now())
    if (oidc === undefined) throw new ControlError('not_found', 'No identity provider is set.')
    const { location, state } = await oidc.begin(
      db,
      { redirectUri: `${url}${CALLBACK}`, userCode },
      now(),
    )
    setCookie(c, COOKIE, state, {
      path: CALLBACK,
      httpOnly: true,
      sameSite: 'Lax',
      secure: url.startsWith('https:'),
      maxAge: 600,
    })
    return c.redirect(location, 303)
  })
  pages.get('/callback', async (c) => {
    const state = c.req.query('state') ?? ''
    if (oidc === undefined || state === '' || getCookie(c, COOKIE) !== state)
      throw new ControlError('unauthorized', 'This sign-in was begun in another browser.')
    const came = { url: new URL(`${url}${CALLBACK}${new URL(c.req.url).search}`), state }
    const { person, userCode } = await oidc.finish(db, came, now())
    const role = isRole(person.role) ? person.role : 'viewer'
    const asker = {
      tenant: person.tenant,
      person: person.id,
      role,
      token: 'oidc',
      machine: 'a browser',
      scopes: allowed[role],
    }
    if (userCode === THIS_BROWSER) {
      const { code } = await browserCode(db, asker, now())
      await record(db.query, asker, { action: 'login.approved', subject: 'a browser' }, now())
      // Behind the #, as in every link: the page changes it for a cookie.
      return c.redirect(`${url}/#code=${code}`, 303)
    }
    const { name, machine } = await approveDevice(db, asker, { userCode, approve: true }, now())
    await record(db.query, asker, { action: 'login.approved', subject: machine ?? name }, now())
    return c.html(
      page(
        'Joined',
        html`<p><b>${name}</b> has joined as ${person.name}. You can close this page.</p>`,
      ),
    )
  })
  return pages
}

const page = (title: string, body: unknown) =>
  html`<!doctype html>
    <html lang="en">
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width" />
      <meta name="color-scheme" content="light dark" />
      <title>${title} · Reprise</title>
      <style>
        ${STYLE}
      </style>
      <main>
        <h1>${title}</h1>
        ${body}
      </main>
    </html>`
