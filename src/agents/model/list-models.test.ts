import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { listModels } from './list-models.ts'

test('models are listed once each; an endpoint that is not there is named in words', async () => {
  const server = createServer((_request, response) => {
    response.end(
      '{"data":[{"id":"b"},{"id":"a"},{"id":"b","max_model_len":32768},{"id":"c","meta":{"n_ctx":8192,"n_ctx_train":131072}},{"id":"d","context_length":0},{},null]}',
    )
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const config = {
    provider: 'openai-compatible',
    model: 'a',
    baseUrl: `http://127.0.0.1:${port}/v1/`,
  } as const
  const signal = AbortSignal.timeout(10_000)
  assert.deepEqual(await listModels(config, signal), [
    { name: 'a' },
    { name: 'b', contextWindow: 32_768 },
    { name: 'c', contextWindow: 8192 },
    { name: 'd' },
  ])
  server.closeAllConnections()
  await new Promise((resolve) => void server.close(resolve))
  await assert.rejects(
    listModels(config, signal),
    new RegExp(`127\\.0\\.0\\.1:${port} does not answer when asked for models`),
  )
})
