/** A report in the words of a model on the loopback: it is given the evidence, and what it says stays cited. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startModelServer } from '../model-server/server.ts'
import { makePlace } from './cli.ts'

type Written = {
  readonly text: string
  readonly sources: readonly string[]
  readonly evidence: string
}

test('a connected model writes the report from quoted evidence; its sources are checked', async () => {
  using place = makePlace()
  const id = await place.session('run echo needle')
  const short = id.slice(0, 8)
  await using server = await startModelServer([
    { text: `Looked for the needle (\`${short}\`), and \`deadbeef\` too.` },
    { text: 'All is well.' },
  ])
  for (const [name, value] of [
    ['model.provider', 'openai-compatible'],
    ['model.baseUrl', server.baseUrl],
    ['model.name', 'mock'],
  ] as const) {
    assert.equal((await place.run(['config', 'set', name, value])).code, 0)
  }
  const env = { REPRISE_AGENT: 'model', OPENAI_API_KEY: 'not-a-key' }
  const cited = await place.json<Written>(['chronicle', 'standup', '--write'], { env })
  assert.match(cited.text, /^Looked for the needle/)
  assert.deepEqual(cited.sources, [short])
  assert.match(server.requests[0]?.raw ?? '', /untrusted_history source=.{1,2}chronicle standup/)
  const bare = await place.run(['chronicle', 'standup', '--write'], { env })
  assert.equal(bare.code, 0, bare.stderr)
  assert.match(bare.stdout, new RegExp(`^All is well\\.\\n\\n# Standup since .*${short}`, 's'))
  assert.match(bare.stderr, /names no session of the evidence/)
})
