/** People who sign in at an identity provider, with a browser, for a machine that shows a code. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { openControl } from '../../src/control/control.ts'
import { serveControl } from '../../src/control/http/listen.ts'
import { openOidc } from '../../src/control/people/oidc.ts'
import { endPerson } from '../../src/control/people/people.ts'
import { openSqlite } from '../../src/control/sqlite/open.ts'
import { startIdentityProvider, type Claims } from './identity-provider.ts'

const ANN: Claims = { sub: 'u-1', name: 'Ann', groups: ['dev', 'ops'] }
const fail = (error: unknown) => assert.fail(String(error))

async function start(claims: Claims) {
  const folder = await mkdtemp(join(tmpdir(), 'reprise-oidc-'))
  const provider = await startIdentityProvider(claims)
  const db = await openSqlite({ folder, as: 'node' })
  const control = await openControl({
    db,
    version: 'test',
    derived: join(folder, 'derived'),
    onTrouble: fail,
  })
  const oidc = openOidc({
    issuer: provider.issuer,
    clientId: 'reprise',
    clientSecret: 'between us',
    tenant: 'main',
    join: { claim: 'groups', value: 'dev' },
  })
  const server = await serveControl({ controls: [control], port: 0, oidc, onFault: fail })
  const post = async (path: string, body: object) => {
    const answer = await fetch(server.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return { status: answer.status, body: (await answer.json()) as Record<string, string> }
  }
  return {
    provider,
    db,
    url: server.url,
    post,
    /** A machine begins to log in. */
    async machine(name: string) {
      const { body } = await post('/api/login/device', {
        name,
        machine: name,
        scopes: ['export', 'watch', 'admin'],
      })
      const { userCode = '', deviceCode = '' } = body
      return { userCode, token: () => post('/api/login/device/token', { deviceCode }) }
    },
    /** A browser follows the link of the page; `forget` loses its cookie on the way. */
    async browse(userCode: string, { forget = false } = {}) {
      const go = (url: string, cookie = '') =>
        fetch(url, { redirect: 'manual', headers: { cookie } })
      const page = await (await go(`${server.url}/login?code=${userCode}`)).text()
      const href = /href="([^"]+)"/.exec(page)?.[1]
      if (href === undefined) return { status: 404, text: page, callback: '' }
      const begun = await go(server.url + href.replaceAll('&amp;', '&'))
      const cookie = begun.headers.get('set-cookie')?.split(';')[0] ?? ''
      const back = await go(begun.headers.get('location') ?? '')
      const callback = back.headers.get('location') ?? ''
      const end = await go(callback, forget ? '' : cookie)
      const location = end.headers.get('location')
      return { status: end.status, text: await end.text(), callback, cookie, page, location }
    },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]()
      await control[Symbol.asyncDispose]()
      await db[Symbol.asyncDispose]()
      await provider[Symbol.asyncDispose]()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

test('who has the claim joins, and is the same person the next time', async () => {
  await using it = await start(ANN)
  const first = await it.machine('laptop <b>')
  assert.equal((await first.token()).status, 428)
  const came = await it.browse(first.userCode)
  assert.equal(came.status, 200)
  assert.match(came.page ?? '', /laptop &lt;b&gt;/)
  assert.match(came.text, /has joined as Ann/)
  const { body: token } = await first.token()
  assert.deepEqual(token['scopes'], ['export', 'watch'])
  it.provider.claims = { ...ANN, name: 'Ann Other' }
  const second = await it.machine('desktop')
  assert.equal((await it.browse(second.userCode)).status, 200)
  assert.equal((await second.token()).body['person'], token['person'])
  const people = await it.db.query.selectFrom('people').select('name').execute()
  assert.deepEqual(
    people.map(({ name }) => name),
    ['Ann'],
  )
})

test('nobody comes in without the claim, after leaving, or by another person with the same name', async () => {
  await using it = await start({ sub: 'u-2', name: 'Ann', email: 'ann@example.com' })
  const machine = await it.machine('laptop')
  const refused = await it.browse(machine.userCode)
  assert.equal(refused.status, 403)
  assert.match(refused.text, /this team does not/)
  it.provider.claims = ANN
  assert.equal((await it.browse(machine.userCode)).status, 200)
  const { body } = await machine.token()
  await endPerson(it.db.query, { tenant: 'main', id: body['person'] ?? '' }, Date.now())
  const again = await it.machine('laptop')
  assert.match((await it.browse(again.userCode)).text, /has left the team/)
  assert.equal((await again.token()).status, 428)
})

test('a browser without a machine signs in by itself, once', async () => {
  await using it = await start(ANN)
  const came = await it.browse('')
  assert.equal(came.status, 303)
  assert.match(came.page ?? '', /Sign this browser in/)
  const code = /#code=([\w-]+)$/.exec(came.location ?? '')?.[1] ?? ''
  const { status, body } = await it.post('/api/login/code', { code })
  assert.equal(status, 200)
  const me = await fetch(`${it.url}/api/me`, {
    headers: { authorization: `Bearer ${body['token']}` },
  })
  const { name, scopes } = (await me.json()) as { name: string; scopes: string[] }
  assert.deepEqual([name, scopes], ['Ann', ['watch', 'steer', 'start']])
  assert.equal((await it.post('/api/login/code', { code })).status, 401)
  const replayed = await fetch(came.callback, { headers: { cookie: came.cookie ?? '' } })
  assert.match(await replayed.text(), /was used before/)
})

test('an answer counts once, in the browser that asked, and for a machine that waits', async () => {
  await using it = await start(ANN)
  const machine = await it.machine('laptop')
  const stolen = await it.browse(machine.userCode, { forget: true })
  assert.equal(stolen.status, 401)
  assert.match(stolen.text, /another browser/)
  const own = await it.browse(machine.userCode)
  assert.equal(own.status, 200)
  const replayed = await fetch(own.callback, { headers: { cookie: own.cookie ?? '' } })
  assert.match(await replayed.text(), /was used before/)
  const unknown = await it.browse('AAAA-AAAA')
  assert.match(unknown.text, /No machine waits/)
})

test('a provider that is away is told', async () => {
  await using it = await start(ANN)
  const oidc = openOidc({
    issuer: 'http://127.0.0.1:9',
    clientId: 'reprise',
    clientSecret: undefined,
    tenant: 'main',
  })
  const wish = { redirectUri: `${it.url}/login/callback`, userCode: 'X' }
  await assert.rejects(oidc.begin(it.db, wish, Date.now()), { code: 'unavailable' })
})
