/** The page that Mission Control serves, as a browser asks for it: signed in by a link, on sessions of other machines. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { makePlace } from '../e2e/cli.ts'
import { runProgram, serveProgram } from './program.ts'

type Answer = { readonly status: number; readonly body: Readonly<Record<string, unknown>> }

/** A browser: it keeps one cookie, and says where a POST comes from. */
function browserAt(url: string) {
  let cookie = ''
  return {
    cookie: () => cookie,
    async ask(path: string, body?: object, headers: Record<string, string> = {}): Promise<Answer> {
      const response = await fetch(`${url}${path}`, {
        redirect: 'manual',
        ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
        headers: {
          cookie,
          ...(body !== undefined && { 'content-type': 'application/json', origin: url }),
          ...headers,
        },
      })
      cookie = response.headers.get('set-cookie')?.split(';', 1)[0] ?? cookie
      const text = await response.text()
      return {
        status: response.status,
        body: text === '' ? {} : (JSON.parse(text) as Answer['body']),
      }
    },
  }
}

const codeIn = (text: string): string => /#code=([\w-]+)/.exec(text)?.[1] ?? ''

async function until<T>(look: () => Promise<T | undefined>): Promise<T> {
  for (const end = Date.now() + 60_000; Date.now() < end; await sleep(100)) {
    const found = await look()
    if (found !== undefined) return found
  }
  return assert.fail('it did not happen')
}

test('a browser signed in by a link sees and steers the sessions of its person, and no others', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'reprise-control-'))
  const data = ['--data', join(folder, 'data')]
  const env = { ...process.env, REPRISE_HOME: folder }
  using place = makePlace()
  const node = await serveProgram(data, env, 0)
  try {
    const shown = await fetch(node.url)
    assert.match(shown.headers.get('content-security-policy') ?? '', /script-src 'self'/)
    assert.match(await shown.text(), /page\.js/)

    const wish = ['--name', 'ann', '--scope', 'export,watch,steer,admin', '--json']
    const made = await runProgram(['control', 'token', 'create', ...wish, ...data], env)
    const { token: admin } = JSON.parse(made) as { token: string }
    const login = await place.run(['remote', 'login', node.url, '--token', admin])
    assert.equal(login.code, 0, login.stderr)
    await place.run(['config', 'set', 'control.mode', 'steer'])
    const id = await place.session('hello')
    const child = place.start(['--resume', id, '--plain'])
    try {
      const browser = browserAt(node.url)
      const stranger = await browser.ask('/api/sessions')
      assert.equal(stranger.status, 401)
      assert.match(JSON.stringify(stranger.body), /reprise remote link/)

      const code = codeIn((await place.run(['remote', 'link'])).stdout)
      assert.equal((await browser.ask('/api/login', { code })).status, 200)
      assert.match(browser.cookie(), /^reprise_control=/)
      assert.equal((await browserAt(node.url).ask('/api/login', { code })).status, 401)

      await until(async () => {
        const { body } = await browser.ask('/api/sessions')
        return JSON.stringify(body).includes(id) || undefined
      })
      const transcript = await browser.ask(`/api/sessions/${id}/transcript`)
      assert.match(JSON.stringify(transcript.body), /"hello"/)
      assert.equal((await browser.ask(`/sessions/${id}`)).status, 302)

      const sent = { prompt: 'from the page' }
      const path = `/api/sessions/${id}/send`
      assert.equal((await browser.ask(path, sent, { origin: 'http://evil.example' })).status, 403)
      await until(async () => ((await browser.ask(path, sent)).status < 300 ? true : undefined))
      const log = () => readFileSync(join(place.home, 'session-state', id, 'events.jsonl'), 'utf8')
      await until(async () => log().includes('from the page') || undefined)
      assert.match(log(), /mission-control/)

      const other = browserAt(node.url)
      const invited = await fetch(`${node.url}/api/invitations`, {
        method: 'POST',
        headers: { authorization: `Bearer ${admin}`, 'content-type': 'application/json' },
        body: JSON.stringify({ name: 'ben', role: 'member' }),
      })
      const { code: second } = (await invited.json()) as { code: string }
      assert.equal((await other.ask('/api/login', { code: second })).status, 200)
      const people = await fetch(`${node.url}/api/people`, {
        headers: { authorization: `Bearer ${admin}` },
      })
      assert.match(await people.text(), /"ben"/, 'who was invited has the name of the invitation')
      assert.doesNotMatch(JSON.stringify((await other.ask('/api/sessions')).body), new RegExp(id))
      assert.equal((await other.ask(`/api/sessions/${id}/transcript`)).status, 404)
      // What the routes of Mission Control answer themselves is as closed to others.
      assert.equal((await other.ask(`/api/sessions/${id}/grants`)).status, 404)
      const share = { sharing: 'team' }
      assert.equal((await other.ask(`/api/sessions/${id}/sharing`, share)).status, 404)
      assert.equal((await other.ask('/api/audit')).status, 403)
      assert.equal((await other.ask('/api/invitations', { name: 'x', role: 'owner' })).status, 403)
      const found = await other.ask('/api/search?q=hello')
      assert.deepEqual(found.body['hits'], [])
      assert.equal((await browser.ask(`/api/sessions/${id}/sharing`, share)).status, 200)
      assert.equal((await other.ask(`/api/sessions/${id}/grants`)).status, 200)
      const elsewhere = { origin: 'http://evil.example' }
      const asked = await browser.ask(`/api/sessions/${id}/sharing`, share, elsewhere)
      assert.equal(asked.status, 403)
    } finally {
      child.kill()
    }
  } finally {
    await node.kill()
    await rm(folder, { recursive: true, force: true })
  }
})
