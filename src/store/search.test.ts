/** What is found, how it is shown, and what can be typed. */
import assert from 'node:assert/strict'
import { mkdirSync, rmSync, writeFileSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { answered, gave, ran, said } from '../../test/log-of.ts'
import { openStoreHome, sessionId, type StoreHome } from '../../test/support/store.ts'
import type { Draft } from '../format/event.ts'
import { BadQuery } from './query.ts'
import type { SearchQuery } from './search.ts'

const [ONE, TWO] = [sessionId(1), sessionId(2)]

async function twoSessions(home: StoreHome) {
  home.write(
    ONE,
    [said('Why does the lease expire?'), answered('Because parseSummary reads src/log/lease.ts.')],
    'name: Lease work\nrepository: ada/parser\nbranch: main\nclient_name: reprise\n',
  )
  home.write(
    TWO,
    [
      said('Run the tests of https://github.com/ada/parser/pull/12'),
      ran('c'),
      gave('c', 'ENOSPC: no space left on device'),
      {
        type: 'tool.execution_start',
        data: { toolCallId: 'e', toolName: 'edit', arguments: { path: 'src/log/lease.ts' } },
      },
      gave('e', 'done'),
    ],
    'repository: bob/other\nbranch: fix\n',
  )
  const store = home.store()
  await store.reindex()
  return async (query: string, more: Partial<SearchQuery> = {}) => {
    const { hits } = await store.search({ query, ...more })
    return hits.map(({ sessionId: id, role, turn }) => [id === ONE ? 1 : 2, role, turn])
  }
}

describe('search', () => {
  it('finds what an agent thought, in either form, on the side of the agent', async () => {
    await using home = openStoreHome()
    home.write(ONE, [
      said('Why?'),
      { type: 'assistant.reasoning', data: { reasoningId: 'r', content: 'The heron ponders.' } },
      {
        type: 'assistant.message',
        data: { messageId: 'm', content: 'So.', reasoningText: 'A stork muses.' },
      },
    ])
    const store = home.store()
    await store.reindex()
    for (const query of ['heron', 'stork']) {
      const { hits } = await store.search({ query, filters: { role: 'assistant' } })
      assert.deepEqual(
        hits.map(({ turn, source }) => [turn, source.split(':')[0]]),
        [[0, 'thinking']],
      )
    }
    const { hits } = await store.search({ query: 'heron', filters: { role: 'user' } })
    assert.deepEqual(hits, [])
  })

  it('finds what a killed turn had said, once, until the log holds it', async () => {
    await using home = openStoreHome()
    const answer = (content: string): Draft => ({
      type: 'assistant.message',
      data: { messageId: 'm1', content },
    })
    home.write(ONE, [said('First'), answered('one'), said('Go on'), answer('A heron.')])
    const inbox = join(home.log(ONE), '../.reprise/inbox')
    const file = join(inbox, 'notices.jsonl')
    const delta = (messageId: string, deltaContent: string) =>
      `${JSON.stringify({ type: 'assistant.message_delta', data: { messageId, deltaContent } })}\n`
    mkdirSync(inbox, { recursive: true })
    const begun = `{"turn":"0"}\n${delta('m1', 'A heron.')}${delta('m2', 'A sto')}${delta('m2', 'rk is secret')}`
    writeFileSync(file, `${begun}${delta('m3', 'cut')}`.slice(0, -20))
    const store = home.store({
      redact: (text) => text.replaceAll('secret', 'hidden'),
    })
    const find = async (query: string) =>
      (await store.search({ query })).hits.map(({ turn, snippet }) => [turn, snippet.text])
    await store.reindex()
    assert.deepEqual(await find('stork'), [[1, 'A stork is hidden']])
    assert.equal((await find('heron')).length, 1)
    home.append(ONE, [
      { type: 'assistant.message', data: { messageId: 'm2', content: 'A stork is secret' } },
    ])
    await store.reindex()
    assert.equal((await find('stork')).length, 1)
    rmSync(file)
    await store.reindex()
    assert.deepEqual(
      (await store.search({ query: 'stork' })).hits.map(({ source }) => source),
      ['turn'],
    )
  })

  it('finds what a turn told that had told nothing when its session was indexed', async () => {
    await using home = openStoreHome()
    home.write(ONE, [said('Go on')])
    const inbox = join(home.log(ONE), '../.reprise/inbox')
    mkdirSync(inbox, { recursive: true })
    writeFileSync(join(inbox, 'serving'), '')
    // Long ago, so that what the file system says of it is believed.
    for (const each of [home.log(ONE), join(home.log(ONE), '..')]) utimesSync(each, 1e9, 1e9)
    const store = home.store({})
    await store.reindex()
    const notice = {
      type: 'assistant.message_delta',
      data: { messageId: 'm', deltaContent: 'stork' },
    }
    writeFileSync(join(inbox, 'notices.jsonl'), `{"turn":"0"}\n${JSON.stringify(notice)}\n`)
    await store.reindex()
    assert.equal((await store.search({ query: 'stork' })).hits.length, 1)
  })

  it('finds words, phrases, beginnings, and names by their pieces', async () => {
    await using home = openStoreHome()
    const find = await twoSessions(home)
    assert.deepEqual(await find('expire lease'), [[1, 'user', 0]])
    assert.deepEqual(await find('"expire lease"'), [])
    assert.deepEqual(await find('"lease expire"'), [[1, 'user', 0]])
    assert.deepEqual(await find('expi*'), [[1, 'user', 0]])
    assert.deepEqual(await find('summary'), [[1, 'assistant', 0]])
    assert.deepEqual(await find('parse_summary'), [[1, 'assistant', 0]])
    assert.deepEqual(await find('log/lease.ts'), [
      [1, 'assistant', 0],
      [2, 'tool', 0],
    ])
    assert.deepEqual(await find('ENOSPC'), [[2, 'tool', 0]])
    assert.deepEqual(await find('"Lease work"'), [[1, 'name', undefined]])
  })

  it('narrows to where, when and by whom something was said', async () => {
    await using home = openStoreHome()
    const find = await twoSessions(home)
    const only = (filters: SearchQuery['filters'], now = new Date()) =>
      find('lease', { filters: filters!, now }).then((hits) =>
        [...new Set(hits.map(([id]) => id))].sort(),
      )
    assert.deepEqual(await only({}), [1, 2])
    assert.deepEqual(await only({ repo: 'Ada/Parser' }), [1])
    assert.deepEqual(await only({ repo: 'parser' }), [1])
    assert.deepEqual(await only({ repo: '%' }), [])
    assert.deepEqual(await only({ branch: 'fix' }), [2])
    assert.deepEqual(await only({ agent: 'repri' }), [1, 2])
    assert.deepEqual(await only({ file: 'lease.ts' }), [2])
    assert.deepEqual(await only({ ref: 'ada/parser#12' }), [2])
    assert.deepEqual(await only({ ref: 'pr:99' }), [])
    assert.deepEqual(await only({ session: ONE.slice(0, 8) }), [1])
    assert.deepEqual(await only({ since: '2025-01-01', until: '2025-01-02' }), [1, 2])
    assert.deepEqual(await only({ since: '2026-01-01' }), [])
    assert.deepEqual(await only({ since: '36h' }, new Date('2025-01-02T00:00:00Z')), [1, 2])
    assert.deepEqual(await only({ until: '36h' }, new Date('2025-01-02T00:00:00Z')), [])
    assert.deepEqual(await find('lease', { filters: { role: 'assistant' } }), [[1, 'assistant', 0]])
    assert.deepEqual(await find('lease', { filters: { role: 'name' } }), [[1, 'name', undefined]])
  })

  it('shows where the words stand', async () => {
    await using home = openStoreHome()
    home.write(ONE, [said(`${'before '.repeat(100)}the needle 🙂 here${' after'.repeat(100)}`)])
    const store = home.store()
    await store.reindex()
    const { snippet } = (await store.search({ query: 'needle' })).hits[0]!
    const [range] = snippet.ranges
    assert.equal(snippet.text.slice(range!.start, range!.end), 'needle')
    assert.deepEqual(snippet.isCut, { before: true, after: true })
    assert.ok(snippet.text.length < 260)
  })

  it('shows the words of the session that it names', async () => {
    await using home = openStoreHome()
    for (const number of [1, 2, 3]) home.write(sessionId(number), [said(`needle number ${number}`)])
    const store = home.store()
    await store.reindex()
    const { hits } = await store.search({ query: 'needle' })
    assert.deepEqual(
      hits.map(({ sessionId: id, snippet }) => [id, snippet.text]).sort(),
      [1, 2, 3].map((number) => [sessionId(number), `needle number ${number}`]),
    )
  })

  it('answers a mistyped word with words that are there', async () => {
    await using home = openStoreHome()
    await twoSessions(home)
    const store = home.store()
    const { hits, suggestions } = await store.search({ query: 'laese' })
    assert.deepEqual(hits, [])
    assert.deepEqual(suggestions, [{ word: 'laese', instead: ['lease'] }])
  })

  it('never takes what is typed for syntax', async () => {
    await using home = openStoreHome()
    await twoSessions(home)
    const store = home.store()
    const typed = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 30 }),
      fc.string({
        unit: fc.constantFrom(
          '"',
          '*',
          '(',
          ')',
          ':',
          '^',
          '+',
          '-',
          ' ',
          'a',
          'AND',
          'NEAR',
          '\0',
          '{',
        ),
      }),
    )
    await fc.assert(
      fc.asyncProperty(typed, async (query) => {
        await store
          .search({ query })
          .catch((error: unknown) => assert.ok(error instanceof BadQuery))
      }),
    )
  })

  it('explains an expression that FTS does not understand', async () => {
    await using home = openStoreHome()
    await twoSessions(home)
    const store = home.store()
    assert.equal(
      (await store.search({ query: 'lease NOT expire', raw: true })).hits.length > 0,
      true,
    )
    await assert.rejects(store.search({ query: 'lease AND (', raw: true }), BadQuery)
    await assert.rejects(store.search({ query: '++ --' }), /no word to search for/)
    await assert.rejects(store.search({ query: 'word '.repeat(17) }), /at most 16 words/)
    await assert.rejects(store.search({ query: 'x', filters: { since: 'soon' } }), /--since wants/)
  })
})
