/** Keys of the environment, by the real program: which address is sent which, and what a person is told who has none. */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { makePlace } from '../e2e/cli.ts'
import { startModelServer } from '../model-server/server.ts'
import { startRecorder, word } from './recorder.ts'

const KEYS = { OPENAI_API_KEY: word('openai', 'key'), ANTHROPIC_API_KEY: word('anthropic', 'key') }
const env = { ...KEYS, REPRISE_AGENT: 'model', REPRISE_MODEL: 'm', MINE: word('other', 'key') }

for (const provider of ['openai-compatible', 'openai', 'anthropic'])
  test(`an address of the configuration that ${provider} speaks at is sent the key that is named for it alone`, async () => {
    await using other = await startRecorder('other')
    using place = makePlace()
    const set = (name: string, value: string) => place.run(['config', 'set', name, value])
    await set('model.provider', provider)
    await set('model.baseUrl', other.baseUrl)
    assert.match((await place.run(['-p', 'hi'], { env })).stdout, /answer of other/)
    assert.deepEqual(other.heard(), [])
    await set('model.apiKeyEnv', 'MINE')
    assert.match((await place.run(['-p', 'hi'], { env })).stdout, /answer of other/)
    assert.deepEqual(other.heard(), [word('other', 'key')])
  })

test('an address that wants a key and was named none says in one line what to set', async () => {
  await using model = await startModelServer(() => ({ status: 401 }))
  using place = makePlace()
  await place.run(['config', 'set', 'model.baseUrl', model.baseUrl])
  const { stderr, code } = await place.run(['-p', 'hi'], { env })
  assert.notEqual(code, 0)
  assert.match(
    stderr,
    /did not accept the credentials.*Set model\.apiKeyEnv .*"reprise config set model\.apiKeyEnv NAME"; OPENAI_API_KEY and/,
  )
})

test('a model that its endpoint does not have is refused with the names that it has', async () => {
  const server = createServer((request, response) => {
    const isList = request.url === '/v1/models'
    response.writeHead(isList ? 200 : 404, { 'content-type': 'application/json' })
    const data = ['alpha-2', 'beta-1', 'gamma'].map((id) => ({ id }))
    response.end(JSON.stringify(isList ? { data } : { error: { code: 'model_not_found' } }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    using place = makePlace()
    const { port } = server.address() as AddressInfo
    await place.run(['config', 'set', 'model.baseUrl', `http://127.0.0.1:${port}/v1`])
    const { stderr, code } = await place.run(['-p', 'hi', '--model', 'beta-2'], { env })
    assert.notEqual(code, 0)
    assert.match(stderr, /does not know the model beta-2 .*It has beta-1, alpha-2, gamma\./)
    await place.run(['config', 'set', 'model.name', 'delta'])
    const { REPRISE_MODEL: _named, ...rest } = env
    const configured = await place.run(['-p', 'hi'], { env: rest })
    assert.match(
      configured.stderr,
      /does not know the model delta .*It has alpha-2, beta-1, gamma\./,
    )
  } finally {
    server.closeAllConnections()
    server.close()
  }
})
