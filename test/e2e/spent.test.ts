/** What models used stays counted when the turns that used it are taken back, brought back, forked or gone for good. */
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { startModelServer } from '../model-server/server.ts'
import { makePlace, type Place } from './cli.ts'

const env = { REPRISE_AGENT: 'model', MOCK_KEY: 'not-a-key' }

type Counted = { readonly total: number; readonly takenBack: number }
type Tokens = { readonly inputTokens: number; readonly outputTokens: number }

test('format §8.24: three answers of 110 tokens stay 330, whatever becomes of their turns', async () => {
  using place = makePlace()
  await using server = await startModelServer(() => ({
    text: 'Yes.',
    usage: { input: 100, output: 10 },
  }))
  const id = await asked(place, server.baseUrl, ['one', 'two', 'kookaburra'])
  const does = async (...args: readonly string[]) => {
    const { code, stderr } = await place.run(args, { env })
    assert.equal(code, 0, stderr)
  }
  const is = async (takenBack: number, total = 330) => {
    const expected = { total, takenBack }
    assert.deepEqual(
      { usage: await usageOf(place, id), cost: await costOf(place) },
      {
        usage: expected,
        cost: expected,
      },
    )
  }
  await is(0)
  await does('sessions', 'undo', id, '2')
  await is(220)
  const { stdout } = await place.run(['sessions', 'usage', id])
  assert.match(stdout, /330 tokens, of these 220 in turns that were taken back/)
  await does('sessions', 'redo', id)
  await is(0)
  await does('sessions', 'undo', id, '2')
  await is(220)
  await does('forget', 'kookaburra', '--yes')
  await is(220)
  await does('chronicle', 'reindex', '--force')
  await is(220)
  await does('sessions', 'discard', id, '--yes')
  await is(220)
  await does('chronicle', 'reindex', '--force')
  await is(220)
  await does('-r', id, '-p', 'four')
  await is(220, 440)
  await does('sessions', 'undo', id, '2')
  await is(440, 440)
  await does('chronicle', 'reindex')
  await is(440, 440)
})

test('a fork counts what it used itself, and what it brings back from an undo is counted once', async () => {
  using place = makePlace()
  await using server = await startModelServer(() => ({
    text: 'Yes.',
    usage: { input: 100, output: 10 },
  }))
  const id = await asked(place, server.baseUrl, ['one', 'two'])
  const fork = async (...args: readonly string[]) =>
    (await place.json<{ sessionId: string }>(['sessions', 'fork', id, ...args])).sessionId
  const copy = await fork()
  assert.deepEqual(await usageOf(place, copy), { total: 0, takenBack: 0 })
  assert.equal((await place.run(['sessions', 'undo', copy])).code, 0)
  assert.deepEqual(await usageOf(place, copy), { total: 0, takenBack: 0 })
  assert.deepEqual(await costOf(place), { total: 220, takenBack: 0 })
  assert.equal((await place.run(['sessions', 'undo', id])).code, 0)
  const branch = await fork('--rewound', '1')
  assert.deepEqual(await usageOf(place, branch), { total: 0, takenBack: 0 })
  assert.deepEqual(await costOf(place), { total: 220, takenBack: 110 })
  assert.equal((await place.run(['-r', branch, '-p', 'three'], { env })).code, 0)
  assert.deepEqual(await usageOf(place, branch), { total: 110, takenBack: 0 })
  assert.deepEqual(await costOf(place), { total: 330, takenBack: 110 })
})

test('an undo of an earlier version, which kept no account, is counted by what it removed', async () => {
  using place = makePlace()
  await using server = await startModelServer(() => ({
    text: 'Yes.',
    usage: { input: 100, output: 10 },
  }))
  const id = await asked(place, server.baseUrl, ['one', 'two'])
  assert.equal((await place.run(['sessions', 'undo', id])).code, 0)
  const about = join(place.home, 'session-state', id, '.reprise/rewound/001.json')
  const { spent, checksum: _, ...earlier } = JSON.parse(readFileSync(about, 'utf8')) as Entry
  assert.equal(spent.length, 1)
  writeFileSync(about, JSON.stringify(earlier))
  assert.deepEqual(await usageOf(place, id), { total: 220, takenBack: 110 })
  assert.equal((await place.run(['chronicle', 'reindex', '--force'])).code, 0)
  assert.deepEqual(await costOf(place), { total: 220, takenBack: 110 })
})

type Entry = { readonly spent: readonly unknown[]; readonly checksum: string }

/** A session with a model that was asked these prompts, one a turn. */
async function asked(place: Place, baseUrl: string, prompts: readonly string[]): Promise<string> {
  const settings = {
    model: { provider: 'openai-compatible', baseUrl, name: 'mock', apiKeyEnv: 'MOCK_KEY' },
  }
  mkdirSync(join(place.home, '.reprise'), { recursive: true })
  writeFileSync(join(place.home, '.reprise/config.json'), JSON.stringify(settings))
  const id = crypto.randomUUID()
  for (const prompt of prompts) {
    const { code, stderr } = await place.run(['-r', id, '-p', prompt], { env })
    assert.equal(code, 0, stderr)
  }
  return id
}

async function usageOf(place: Place, id: string): Promise<Counted> {
  const used = await place.json<Tokens & { readonly takenBack: Tokens }>(['sessions', 'usage', id])
  const sum = ({ inputTokens, outputTokens }: Tokens) => inputTokens + outputTokens
  return { total: sum(used), takenBack: sum(used.takenBack) }
}

async function costOf(place: Place): Promise<Counted> {
  type Sum = { readonly tokens: number } | null
  const { total, takenBack } = await place.json<{ total: Sum; takenBack: Sum }>([
    'chronicle',
    'cost',
  ])
  return { total: total?.tokens ?? 0, takenBack: takenBack?.tokens ?? 0 }
}
