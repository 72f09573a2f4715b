/** A command that waits for a server changes its own settings only: what was set meanwhile stays. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { deferred } from '../../src/lib/deferred.ts'
import { makePlace } from './cli.ts'

const me = { tenant: 't', person: 'p', name: 'Ann', machine: null, scopes: ['export'] }

test('what is set while a login waits is kept, and the login too', async () => {
  using place = makePlace()
  const [asked, answered] = [deferred<void>(), deferred<void>()]
  const server = createServer(async (_, response) => {
    asked.resolve()
    await answered.promise
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(me))
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  try {
    const login = place.run(['remote', 'login', url, '--token', 'not-a-token'])
    await asked.promise
    assert.equal((await place.run(['config', 'set', 'model.name', 'm1'])).code, 0)
    answered.resolve()
    const { code, stderr } = await login
    assert.equal(code, 0, stderr)
    const config = JSON.parse(
      readFileSync(join(place.home, '.reprise/config.json'), 'utf8'),
    ) as object
    assert.deepEqual(config, { model: { name: 'm1' }, control: { url, token: 'not-a-token' } })
  } finally {
    server.close()
  }
})
