/** One node, tenants on two PostgreSQL servers: each is sent to its own, and one that is away takes nobody along. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as later } from 'node:timers/promises'
import { startCluster } from '../support/postgres-cluster.ts'
import { startPostgres } from '../support/postgres.ts'
import { cannotPostgres } from '../support/postgres-programs.ts'
import { clientOf, type Client } from './node.ts'
import { makeToken, runProgram, serveProgram } from './program.ts'

const until = async (client: Client, path: string, status: number) => {
  for (const end = Date.now() + 60_000; Date.now() < end; await later(50))
    if ((await client.ask('GET', path).catch(() => undefined))?.status === status) return
  assert.fail(`${path} did not answer ${status}`)
}

test('tenants of two databases are served by one node', { skip: cannotPostgres }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'reprise-clusters-'))
  const env = { ...process.env, REPRISE_HOME: folder }
  await using one = await startPostgres()
  await using two = await startPostgres()
  const first = ['--database', await one.database()]
  const second = ['--database', await two.database()]
  try {
    const mine = await makeToken(first, env)
    const add = ['control', 'tenants', '--add', 'acme', '--json', ...second]
    const { code } = JSON.parse(await runProgram(add, env)) as { code: string }
    await assert.rejects(runProgram(add, env), /There is a tenant acme already/)
    const tenants = await runProgram(['control', 'tenants', '--json', ...second], env)
    assert.deepEqual(
      (JSON.parse(tenants) as { tenants: { id: string }[] }).tenants.map(({ id }) => id),
      ['acme'],
    )
    const node = await serveProgram([...first, ...second], env, 0)
    try {
      const ann = clientOf(node.url, mine, '')
      const owner = await ann.ask('POST', '/api/login/code', { code, name: 'Olga' })
      const { token, tenant } = owner.body as { token: string; tenant: string }
      assert.equal(tenant, 'acme')
      assert.equal((await ann.ask('POST', '/api/login/code', { code })).status, 401)
      const olga = clientOf(node.url, token, '')

      // The same id, in two tenants that know nothing of each other.
      const session = crypto.randomUUID()
      for (const who of [ann, olga])
        assert.ok((await who.ask('PUT', `/streams/s/${session}/0`)).status < 300)
      await olga.ask('POST', `/api/sessions/${session}/heartbeat`, { name: 'of acme' })
      assert.ok(!(await ann.ask('GET', '/api/sessions')).text.includes('of acme'))
      assert.ok((await olga.ask('GET', '/api/sessions')).text.includes('of acme'))
      assert.equal((await ann.ask('GET', '/api/people')).text.includes('Olga'), false)

      const wish = { name: 'laptop', machine: 'laptop', scopes: ['watch'] }
      const device = (await ann.ask('POST', '/api/login/device', wish)).body as {
        deviceCode: string
        userCode: string
      }
      const waiting = () => ann.ask('POST', '/api/login/device/token', device)
      assert.equal((await waiting()).status, 428)
      const yes = { userCode: device.userCode, approve: true }
      assert.equal((await olga.ask('POST', '/api/login/approve', yes)).status, 200)
      const got = (await waiting()).body as { token: string }
      const laptop = clientOf(node.url, got.token, '')
      assert.equal(((await laptop.ask('GET', '/api/me')).body as { tenant: string }).tenant, 'acme')

      // Nobody who is not known yet fills its memory.
      const huge = ' '.repeat(17 * 1024 * 1024)
      assert.equal((await ann.ask('POST', '/api/login/code', huge)).status, 413)

      await two.kill()
      await until(olga, '/api/sessions', 503)
      assert.equal((await ann.ask('GET', '/api/sessions')).status, 200)
      assert.equal((await ann.ask('GET', '/ready')).status, 503)
      two.start()
      await until(olga, '/api/sessions', 200)
      await until(ann, '/ready', 200)
    } finally {
      await node.kill()
    }
    await runProgram(['control', 'tenants', '--add', 'main', '--json', ...second], env)
    await assert.rejects(serveProgram([...first, ...second], env, 0), /did not start/)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

test(
  'of several hosts the one that writes is used, wherever it stands',
  { skip: cannotPostgres },
  async () => {
    await using cluster = await startCluster({ isQuorum: true })
    const { protocol, username, pathname } = new URL(cluster.url.replace(/,[^/]+/, ''))
    const hosts = cluster.url.slice(`${protocol}//${username}@`.length, -pathname.length).split(',')
    const folder = await mkdtemp(join(tmpdir(), 'reprise-clusters-'))
    const env = { ...process.env, REPRISE_HOME: folder }
    try {
      const standbysFirst = `${protocol}//${username}@${hosts.toReversed().join(',')}${pathname}`
      assert.match(await makeToken(['--database', standbysFirst], env), /^reprise_main\./)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
)
