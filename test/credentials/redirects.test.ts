/** Requests with a credential to servers of every kind: one that sends on to another host is not followed there. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { listModels } from '../../src/agents/model/list-models.ts'
import { openOidc } from '../../src/control/people/oidc.ts'
import { createEmbedder } from '../../src/store/embeddings/embedder.ts'
import { makePlace } from '../e2e/cli.ts'
import { word, wordsIn } from './recorder.ts'

const soon = () => AbortSignal.timeout(60_000)
const oidc = (issuer: string) =>
  openOidc({ issuer, clientId: 'c', clientSecret: word('near', 'client'), tenant: 't' })

/** Each shows the near server its word, and ends when it has an answer or none. */
const kinds: Readonly<Record<string, (near: string) => Promise<unknown>>> = {
  async 'Mission Control'(near) {
    using place = makePlace()
    await place.session('say hi')
    await place.run(['config', 'set', 'control.url', near])
    await place.run(['config', 'set', 'control.token', word('near', 'control')])
    const { stdout, stderr, code } = await place.run(['sync'])
    assert.notEqual(code, 0)
    assert.match(stdout + stderr, /sends on to/)
  },
  async 'a telemetry collector'(near) {
    using place = makePlace()
    const env = {
      OTEL_EXPORTER_OTLP_ENDPOINT: near,
      OTEL_EXPORTER_OTLP_HEADERS: `x-key=${word('near', 'telemetry')}`,
    }
    assert.equal((await place.run(['-p', 'say hi', '--allow-all'], { env })).code, 0)
  },
  'a list of models': (near) =>
    assert.rejects(
      listModels(
        { provider: 'anthropic', baseUrl: near, model: '', apiKey: () => word('near', 'list') },
        soon(),
      ),
      /sends on to/,
    ),
  'an endpoint of embeddings': (near) =>
    assert.rejects(
      createEmbedder({ url: near, model: 'm', apiKey: word('near', 'embedding') }).embed(['x']),
      /sends on to/,
    ),
  'an identity provider': (near) =>
    assert.rejects(oidc(near).begin({} as never, { redirectUri: near, userCode: 'c' }, 0), {
      code: 'unavailable',
    }),
}

for (const [kind, ask] of Object.entries(kinds))
  test(`${kind} that sends on to another host is not followed there`, async () => {
    const came = { near: [] as string[], far: [] as string[] }
    const open = async (name: keyof typeof came, target?: string) => {
      const server = createServer((request, response) => {
        came[name].push(JSON.stringify([request.url, request.headers]))
        request.resume()
        if (target === undefined) response.end('{}')
        else response.writeHead(307, { location: `${target}${request.url}` }).end()
      })
      server.listen(0, '127.0.0.1')
      await once(server, 'listening')
      return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
    }
    const far = await open('far')
    const near = await open('near', far.url)
    try {
      await ask(near.url)
      assert.ok(came.near.length > 0)
      if (kind !== 'an identity provider') assert.equal(wordsIn(came.near.join()).length, 1)
      assert.deepEqual(came.far, [])
    } finally {
      for (const { server } of [near, far]) {
        server.closeAllConnections()
        server.close()
      }
    }
  })
