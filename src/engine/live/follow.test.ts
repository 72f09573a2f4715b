import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { converse, eventsOf, openHome, say, type Script } from '../../../test/support/engine.ts'
import type { EventId } from '../../format/ids.ts'
import { createFeed, type FeedItem } from './feed.ts'

type Items = AsyncGenerator<FeedItem, void, undefined>

/** Reads on until it has so many events more, or so many items of another kind. */
async function read(items: Items, kind: FeedItem['kind'], count = 1): Promise<FeedItem[]> {
  const seen: FeedItem[] = []
  for (let left = count; left > 0;) {
    const { value } = await items.next()
    if (value === undefined) break
    seen.push(value)
    if (value.kind === kind) left--
  }
  return seen
}

const idsOf = (items: readonly FeedItem[]): string[] =>
  items.flatMap((item) => (item.kind === 'event' ? [item.event.id] : []))

/** What a follower has that keeps a copy by what is told. */
function copyOf(items: readonly FeedItem[]): string[] {
  const copy: string[] = []
  for (const item of items) {
    if (item.kind === 'event') copy.push(item.event.id)
    if (item.kind !== 'reset') continue
    const at = copy.indexOf(item.upToEventId ?? '')
    assert.notEqual(at, -1, 'it was told to forget what it does not have')
    copy.splice(at)
  }
  return copy
}

test('a follower goes on when its session was closed and is opened again', async () => {
  await using home = await openHome()
  const script: Script = async function* ({ message }) {
    yield say(`${message.content}!`)
  }
  const engine = home.engine({ script })
  const { id } = await engine.create()
  await converse(engine, id, { prompt: 'a word' })
  const session = await engine.open(id)
  const end = new AbortController()
  const told: FeedItem[] = []
  const following = (async () => {
    for await (const item of session.follow({ signal: end.signal })) told.push(item)
  })()
  const until = async (words: string) => {
    while (!JSON.stringify(told).includes(words)) await delay(5)
  }
  await until('a word!')
  await session.close()
  await converse(engine, id, { prompt: 'plain' })
  await until('plain!')
  // It is closed for that.
  await engine.forget({ text: 'a word' }, { dryRun: false })
  await converse(engine, id, { prompt: 'second' })
  await until('second!')
  assert.ok(!told.some(({ kind }) => kind === 'reset'), 'the log is as long as it was')
  await session.close()
  const other = home.engine({ script })
  await converse(other, id, { prompt: 'elsewhere' })
  await other.stop()
  await converse(engine, id, { prompt: 'third' })
  await until('third!')
  assert.ok(told.some(({ kind }) => kind === 'reset'))
  end.abort()
  await following
})

test('a follower that has an event which is not on disk yet is given what comes after it', async () => {
  await using home = await openHome()
  const session = await home.engine({ durability: 'debounced' }).create()
  await session.save()
  await session.setMode('plan')
  let last: EventId | undefined
  for await (const item of session.follow()) {
    if (item.kind !== 'event') continue
    last = item.event.id
    if (item.event.type === 'session.mode_changed') break
  }
  assert.ok(last !== undefined)
  await session.setMode('autopilot')
  await session.setMode('interactive')
  const modes: unknown[] = []
  for await (const item of session.follow({ after: last })) {
    if (item.kind === 'event') modes.push((item.event.data as { newMode: string }).newMode)
    if (modes.length === 2) break
  }
  assert.deepEqual(modes, ['autopilot', 'interactive'])
})

test('for a follower that does not read, the log keeps what happens', async () => {
  const wordy: Script = async function* (turn) {
    const notice = { type: 'assistant.intent', data: { intent: turn.message.content } } as const
    yield { notice }
    if (turn.message.content === 'much')
      for (let count = 0; count < 100; count++) yield say('x'.repeat(100_000))
  }
  await using home = await openHome()
  const engine = home.engine({ script: wordy })
  const { id } = await engine.create()
  const session = await engine.open(id)
  await session.save()
  const published = new Set<FeedItem>()
  const end = new AbortController()
  const fast = (async () => {
    for await (const item of session.follow({ signal: end.signal })) published.add(item)
  })()
  const slow = session.follow()
  const told = await read(slow, 'live')
  await converse(engine, id, { prompt: 'much' })
  const all = (await eventsOf(engine, id)).map((event) => event.id)
  told.push(...(await read(slow, 'event', all.length - idsOf(told).length)))
  assert.deepEqual(idsOf(told), all)
  assert.deepEqual(idsOf([...published]), all)
  assert.ok(!told.some((item) => published.has(item) || item.kind === 'notice'))

  await converse(engine, id, { prompt: 'little' })
  const rest: FeedItem[] = []
  for (let intent = ''; intent !== 'little';) {
    rest.push(...(await read(slow, 'notice')))
    const item = rest.at(-1)
    if (item?.kind === 'notice' && item.notice.type === 'assistant.intent')
      intent = item.notice.data.intent
    assert.notEqual(intent, 'much')
  }
  assert.equal(idsOf(rest).length, 3)
  end.abort()
  await Promise.all([fast, slow.return()])
})

test('of large pieces a follower that does not read is held 8 MiB, and every event comes', async () => {
  const pieces = 40
  const streaming: Script = async function* () {
    for (let count = 0; count < pieces; count++) {
      const intent = `${count} ${'x'.repeat(1024 * 1024)}`
      yield { notice: { type: 'assistant.intent', data: { intent } } }
    }
    yield say('done')
  }
  await using home = await openHome()
  const engine = home.engine({ script: streaming })
  const { id } = await engine.create()
  const session = await engine.open(id)
  await session.save()
  const slow = session.follow()
  const told = await read(slow, 'live')
  await converse(engine, id, { prompt: 'go' })
  const all = (await eventsOf(engine, id)).map((event) => event.id)
  told.push(...(await read(slow, 'event', all.length - idsOf(told).length)))
  assert.deepEqual(idsOf(told), all)
  const notices = told.flatMap((item) => (item.kind === 'notice' ? [item.notice] : []))
  const bytes = JSON.stringify(notices).length
  assert.ok(bytes <= 8 * 1024 * 1024, `${bytes} bytes of notices were held`)
  await slow.return()
})

test('a log that is cut while its history is read is told as it is now, and no cut of what was not told', async () => {
  await using home = await openHome()
  const engine = home.engine()
  const { id } = await engine.create()
  for (const prompt of ['one', 'two', 'three']) await converse(engine, id, { prompt })
  const session = await engine.open(id)
  const [, last] = await session.rewindPoints()
  assert.ok(last !== undefined)
  const before = idsOf(await read(session.follow(), 'live')).indexOf(last.eventId)
  for (const had of [1, before, before + 1, before + 3]) {
    const items = session.follow()
    const told = await read(items, 'event', had)
    await session.undo({ turns: 2 })
    if (had % 2 === 0) await session.redo()
    else for (const prompt of ['two', 'three']) await converse(engine, id, { prompt })
    told.push(...(await read(items, 'live')))
    const all = (await eventsOf(engine, id)).map((event) => event.id)
    assert.deepEqual(copyOf(told), all, `${had} events were told`)
    assert.equal(told.filter(({ kind }) => kind === 'reset').length, had > before ? 1 : 0)
    await items.return()
  }
})

test('a listener that throws costs neither the writer nor the others anything', () => {
  const feed = createFeed()
  const told: string[] = []
  feed.subscribe(() => {
    throw new Error('cannot take it')
  })
  feed.subscribe((item) => void told.push(item.kind))
  feed.reset(0)
  assert.deepEqual(told, ['reset'])
})

test('who comes while an answer is written is told what was said so far, here and elsewhere', async () => {
  const gate = Promise.withResolvers<void>()
  const delta = (deltaContent: string) =>
    ({
      notice: { type: 'assistant.message_delta', data: { messageId: 'm2', deltaContent } },
    }) as const
  const streaming: Script = async function* () {
    yield say('whole', 'm1')
    yield delta('half ')
    yield delta('a ')
    await gate.promise
    yield delta('sentence')
    yield say('half a sentence', 'm2')
  }
  await using home = await openHome()
  const engine = home.engine({ script: streaming })
  const { id } = await engine.create()
  const turn = converse(engine, id, { prompt: 'go' })
  const first = (await engine.open(id)).follow()
  while (textOf(await read(first, 'notice')) !== 'a ');
  const elsewhere = home.engine()
  const joined = await Promise.all(
    [engine, elsewhere].map(async (each) => {
      const items = (await each.open(id)).follow()
      const told = await read(items, 'live')
      do told.push(...(await read(items, 'notice')))
      while (textOf(told).length < 'half a '.length)
      return { items, told }
    }),
  )
  assert.deepEqual(
    joined.map(({ told }) => textOf(told)),
    ['half a ', 'half a '],
  )
  gate.resolve()
  await turn
  for (const { items, told } of joined) {
    while (!told.some((item) => item.kind === 'event' && isSaid(item, 'm2')))
      told.push(...(await read(items, 'event')))
    await items.return()
  }
  // Elsewhere a last piece may be missed: its event is not.
  const [here = '', there = ''] = joined.map(({ told }) => textOf(told))
  assert.equal(here, 'half a sentence')
  assert.ok(here.startsWith(there), there)
  await first.return()
})

const textOf = (items: readonly FeedItem[]): string =>
  items
    .map((item) =>
      item.kind === 'notice' && item.notice.type === 'assistant.message_delta'
        ? item.notice.data.deltaContent
        : '',
    )
    .join('')

const isSaid = ({ event }: Extract<FeedItem, { kind: 'event' }>, messageId: string): boolean =>
  !('stranger' in event) && event.type === 'assistant.message' && event.data.messageId === messageId
