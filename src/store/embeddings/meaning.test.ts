/** Sessions found by what they mean, together with those found by their words. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { answered, said } from '../../../test/log-of.ts'
import { startEmbeddings, type EmbeddingServer } from '../../../test/support/embedding-server.ts'
import { openStoreHome, sessionId, type StoreHome } from '../../../test/support/store.ts'
import type { Store } from '../store.ts'
import { createEmbedder, type EmbeddingConfig } from './embedder.ts'

const PROMPTS = [
  'repair the signin of our buyer',
  'accelerate the localise step',
  'draw an automobile',
  'tidy the kitchen',
]

async function filled(
  home: StoreHome,
  server: EmbeddingServer,
  more: Partial<EmbeddingConfig> = {},
) {
  PROMPTS.forEach((prompt, at) =>
    home.write(sessionId(at), [said(prompt), answered('It is done.')], `name: Work ${at}\n`),
  )
  const config = { url: server.url, model: 'made', ...more }
  const store = home.store({ embedder: async () => createEmbedder(config) })
  await store.reindex()
  return store
}

const found = async (store: Store, query: string, more = {}) =>
  (await store.search({ query, ...more })).hits.map(({ sessionId: id }) => Number(id.slice(0, 8)))

describe('search by meaning', () => {
  it('finds a session of which the question has no word', async () => {
    await using server = await startEmbeddings()
    await using home = openStoreHome()
    const store = await filled(home, server)
    const [first] = await found(store, 'fix the login for a client')
    assert.equal(first, 0)
    assert.equal((await found(store, 'a picture of a vehicle'))[0], 2)
    assert.deepEqual(await found(home.store(), 'fix login client'), [])
  })

  it('puts first what words and meaning agree on, and says why', async () => {
    await using server = await startEmbeddings()
    await using home = openStoreHome()
    const store = await filled(home, server)
    const { hits } = await store.search({ query: 'kitchen', explain: true })
    assert.equal(Number(hits[0]?.sessionId.slice(0, 8)), 3)
    const { words, meaning, fused = 0 } = hits[0]?.explained ?? {}
    assert.equal(words?.rank, 1)
    assert.equal(meaning?.rank, 1)
    assert.ok((meaning?.similarity ?? 0) > 0.2)
    assert.ok(Math.abs(fused - 2 / 61) < 1e-9)
    const plain = await store.search({ query: 'kitchen' })
    assert.ok(plain.hits.every((hit) => hit.explained === undefined))
  })

  it('makes a vector once, and again only when a session has gone on', async () => {
    await using server = await startEmbeddings()
    await using home = openStoreHome()
    const store = await filled(home, server)
    assert.deepEqual(server.asked, [], 'nothing is asked before someone searches')
    await found(store, 'kitchen')
    assert.deepEqual(server.asked, [PROMPTS.length, 1])
    await found(store, 'kitchen')
    assert.deepEqual(server.asked, [PROMPTS.length, 1, 1])
    home.append(sessionId(3), [said('and send the invoice'), answered('Sent.')])
    await store.reindex()
    assert.equal((await found(store, 'a bill'))[0], 3)
    assert.deepEqual(server.asked.slice(3), [1, 1])
  })

  it('keeps to the filters', async () => {
    await using server = await startEmbeddings()
    await using home = openStoreHome()
    const store = await filled(home, server)
    const filters = { session: sessionId(1) }
    assert.ok(!(await found(store, 'fix the login for a client', { filters })).includes(0))
    assert.deepEqual(await found(store, 'quicken translate', { filters }), [1])
  })

  it('asks as Ollama wants it, and with a key where one is given', async () => {
    await using server = await startEmbeddings()
    await using home = openStoreHome()
    const store = await filled(home, server, { kind: 'ollama', apiKey: 'k' })
    assert.equal((await found(store, 'fix the login'))[0], 0)
    const { path, authorization, body } = server.last()
    assert.deepEqual([path, authorization], ['/api/embed', 'Bearer k'])
    assert.deepEqual(body, { model: 'made', input: ['fix the login'] })
  })

  it('answers by words alone, and says so, while the endpoint does not', async () => {
    await using server = await startEmbeddings()
    await using home = openStoreHome()
    const store = await filled(home, server)
    server.mood = 'broken'
    const { hits, meaning } = await store.search({ query: 'kitchen' })
    assert.deepEqual(
      hits.map(({ sessionId: id }) => id),
      [sessionId(3)],
    )
    assert.match(meaning?.failed ?? '', /answered with 500/)
    server.mood = 'well'
    assert.equal((await store.search({ query: 'kitchen' })).meaning?.failed, undefined)
  })

  it('has one text that the endpoint does not take hold back no other', async () => {
    await using server = await startEmbeddings()
    await using home = openStoreHome()
    const store = await filled(home, server)
    server.takes = (text) => !text.includes('automobile')
    assert.equal((await found(store, 'fix the login for a client'))[0], 0)
    assert.ok(!(await found(store, 'a picture of a vehicle')).includes(2))
    const before = server.asked.length
    assert.deepEqual(await store.keepVectors(), { made: 0, missing: 0 })
    assert.equal(server.asked.length, before, 'it is not asked for again')
    const { meaning } = await store.search({ query: 'automobile' })
    assert.match(meaning?.failed ?? '', /does not take this question/)
  })

  it('has of a text that is too long for the endpoint its beginning', async () => {
    await using server = await startEmbeddings()
    await using home = openStoreHome()
    server.takes = (text) => text.length < 300
    home.write(sessionId(9), [said(`draw an automobile ${'x '.repeat(400)}`), answered('Done.')])
    const store = await filled(home, server)
    assert.equal((await found(store, 'a picture of a vehicle'))[0], 2)
    assert.ok((await found(store, 'a picture of a vehicle')).includes(9))
  })

  it('has no vector of what was erased', async () => {
    await using server = await startEmbeddings()
    await using home = openStoreHome()
    const store = await filled(home, server)
    assert.deepEqual(await store.keepVectors(), { made: PROMPTS.length, missing: 0 })
    const { rmSync } = await import('node:fs')
    rmSync(home.log(sessionId(0)).replace('/events.jsonl', ''), { recursive: true })
    await store.erase([sessionId(0)])
    assert.ok(!(await found(store, 'fix the login for a client')).includes(0))
  })

  it('is made anew for another model', async () => {
    await using server = await startEmbeddings()
    await using home = openStoreHome()
    await (await filled(home, server)).keepVectors()
    const other = { url: server.url, model: 'other' }
    const store = home.store({ embedder: async () => createEmbedder(other) })
    assert.deepEqual(await store.keepVectors(), { made: PROMPTS.length, missing: 0 })
  })
})

describe('an endpoint that gives vectors of another length under the same name', () => {
  it('is told of as sessions that are not known yet, and they are made anew', async () => {
    await using server = await startEmbeddings()
    await using home = openStoreHome()
    const store = await filled(home, server)
    assert.equal((await found(store, 'fix the login for a client'))[0], 0)
    server.dimensions = 300
    const question = { query: 'fix the login for a client' }
    assert.equal((await store.search(question)).meaning?.missing, PROMPTS.length)
    const { hits, meaning } = await store.search(question)
    assert.deepEqual([hits[0]?.sessionId, meaning?.missing], [sessionId(0), 0])
  })
})

describe('a question', () => {
  it('of which nothing has every word finds what has most of them', async () => {
    await using home = openStoreHome()
    PROMPTS.forEach((prompt, at) => home.write(sessionId(at), [said(prompt), answered('Done.')]))
    const store = home.store()
    await store.reindex()
    const { hits, isLoose } = await store.search({ query: 'who would repair a broken signin' })
    assert.deepEqual([hits[0]?.sessionId, isLoose], [sessionId(0), true])
    const strict = await store.search({ query: 'repair signin' })
    assert.equal(strict.isLoose, undefined)
  })
})
