import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { FeedItem } from '../../../engine/live/feed.ts'
import type { Event } from '../../../format/event.ts'
import type { EventId } from '../../../format/ids.ts'
import type { TranscriptEntry } from '../../../state/transcript.ts'
import { initialModel, type Model } from './model.ts'
import { update } from './update.ts'
import { MOST_FOLLOWED, MOST_HELD } from './window.ts'

const start = initialModel({ version: '1', home: '/h', cwd: '/w' })

const entry = (at: number): TranscriptEntry => ({
  kind: 'assistant',
  text: `text ${at}`,
  eventId: `e${at}` as EventId,
  at: '2026-01-01T00:00:00Z',
})

const event = (type: string, data: object = {}): FeedItem => ({
  kind: 'event',
  event: { type, data, id: 'x', timestamp: '', parentId: null } as unknown as Event,
  start: 0,
  end: 0,
})

const notice = (type: string, data: object = {}): FeedItem =>
  ({ kind: 'notice', notice: { type, data } }) as unknown as FeedItem

const feed = (model: Model, item: FeedItem, entries: readonly TranscriptEntry[] = []): Model =>
  update(model, { kind: 'fed', item, entries })

const keys = ({ window }: Model) => window.items.map(({ key }) => key)

describe('what is being said', () => {
  const delta = (text: string) =>
    notice('assistant.message_delta', { messageId: 'm', deltaContent: text })

  it('grows with each delta and is gone when its event comes', () => {
    const growing = feed(feed(start, delta('Hel')), delta('lo'))
    assert.equal(growing.live.text, 'Hello')
    const said = feed(growing, event('assistant.message', { content: 'Hello' }), [entry(1)])
    assert.equal(said.live.text, '')
    assert.deepEqual(keys(said), ['assistant:e1'])
  })

  it('keeps only the end of what a tool prints', () => {
    const output = notice('tool.execution_partial_result', {
      toolCallId: 't',
      partialOutput: 'x'.repeat(10_000),
    })
    assert.equal(feed(start, output).live.tails['t']?.length, 8000)
    const done = feed(
      feed(start, output),
      event('tool.execution_complete', { toolCallId: 't', success: true }),
    )
    assert.deepEqual(done.live.tails, {})
  })
})

describe('what waits for an answer', () => {
  const request = event('permission.requested', {
    requestId: 'r',
    permissionRequest: { kind: 'shell', fullCommandText: 'rm -rf build' },
  })

  it('is asked wherever the turn runs', () => {
    const mine = feed(update(start, { kind: 'sending' }), request)
    assert.deepEqual(mine.asks, [
      { kind: 'permission', requestId: 'r', what: 'run rm -rf build', body: '', answerable: true },
    ])
    const theirs = feed(feed(start, event('user.message')), request)
    assert.deepEqual(theirs.asks, mine.asks)
    assert.deepEqual(feed(theirs, event('permission.completed', { requestId: 'r' })).asks, [])
  })

  it('is shown to a terminal that comes later, unless this terminal has a turn of its own', () => {
    const asks = [
      { kind: 'question', requestId: 'q', what: 'Which?', choices: ['red', 'blue'] },
    ] as const
    assert.deepEqual(update(start, { kind: 'asked', asks }).asks, asks)
    const mine = update(start, { kind: 'sending' })
    assert.deepEqual(update(mine, { kind: 'asked', asks }).asks, [])
  })

  it('stands there again when its answer is not taken, unless the turn is over', () => {
    const mine = feed(update(start, { kind: 'sending' }), request)
    const [ask] = mine.asks
    assert.ok(ask)
    const answered = update(mine, { kind: 'answered', requestId: 'r' })
    assert.deepEqual(answered.asks, [])
    assert.deepEqual(update(answered, { kind: 'not-answered', ask }).asks, [ask])
    assert.deepEqual(update(mine, { kind: 'not-answered', ask }).asks, [ask])
    const over = update(answered, { kind: 'settled' })
    assert.deepEqual(update(over, { kind: 'not-answered', ask }).asks, [])
  })

  it('is settled by its answer, by the end of the turn and by a cancel', () => {
    const mine = feed(update(start, { kind: 'sending' }), request)
    assert.deepEqual(feed(mine, event('permission.completed', { requestId: 'r' })).asks, [])
    assert.deepEqual(update(mine, { kind: 'settled' }).asks, [])
    assert.deepEqual(feed(mine, event('abort', { reason: 'user_initiated' })).asks, [])
  })
})

describe('whose turn it is', () => {
  it('is the others’ while they write and nobody’s after', () => {
    const theirs = feed(start, event('user.message'))
    assert.equal(theirs.turn.theirs, true)
    assert.equal(feed(theirs, event('assistant.turn_end')).turn.theirs, false)
  })

  it('stays ours whatever the events say', () => {
    const mine = feed(update(start, { kind: 'sending' }), event('user.message'))
    assert.deepEqual(mine.turn, { mine: true, theirs: false, isCancelling: false, isFirst: true })
  })

  it('is not over with what a sub-agent ends', () => {
    const theirs = feed(start, event('user.message'))
    const ended = { ...event('assistant.turn_end') } as Extract<FeedItem, { kind: 'event' }>
    const within = { ...ended, event: { ...ended.event, agentId: 'a' } }
    assert.equal(feed(theirs, within).turn.theirs, true)
  })

  it('is the others’ while a command of theirs runs', () => {
    const theirs = feed(start, event('tool.user_requested'))
    assert.equal(theirs.turn.theirs, true)
    const command: TranscriptEntry = {
      kind: 'tool',
      toolCallId: 't',
      toolName: 'bash',
      arguments: {},
      status: 'succeeded',
      isUserRequested: true,
      eventId: 'e1' as EventId,
      at: '2026-01-01T00:00:00Z',
    }
    const result = event('tool.execution_complete')
    assert.equal(feed(theirs, result, [command]).turn.theirs, true)
    const over = { ...command, endedAt: '2026-01-01T00:00:01Z' }
    assert.equal(feed(theirs, result, [over]).turn.theirs, false)
  })

  it('is nobody’s once the other process is gone, and what it asked is asked no more', () => {
    const asks = [{ kind: 'question', requestId: 'q', what: 'Which?', choices: [] }] as const
    const theirs = update(feed(start, event('user.message')), { kind: 'asked', asks })
    const gone = update(theirs, { kind: 'facts', facts: { isElsewhere: false } })
    assert.deepEqual([gone.turn.theirs, gone.asks], [false, []])
  })

  it('is known to be elsewhere when a session is opened in the middle of a turn', () => {
    assert.equal(update(start, { kind: 'facts', facts: { isElsewhere: true } }).turn.theirs, true)
  })
})

describe('the window', () => {
  const many = (count: number, from = 0) =>
    Array.from({ length: count }, (_, at) => entry(from + at))

  it('lets the oldest go while the end is followed', () => {
    const model = feed(start, event('x'), many(MOST_FOLLOWED + 101))
    assert.equal(model.window.items.length, MOST_FOLLOWED)
    assert.equal(model.window.olderThan, 'e101')
  })

  it('lets nothing go while the person reads above', () => {
    const reading = update(start, { kind: 'scroll', anchor: { key: 'assistant:e1', line: 0 } })
    assert.equal(
      feed(reading, event('x'), many(MOST_FOLLOWED + 101)).window.items.length,
      MOST_FOLLOWED + 101,
    )
  })

  it('lets the newest go when too many older ones come, and then adds nothing new', () => {
    const loaded = update(start, {
      kind: 'loaded',
      entries: many(1000, 5000),
      olderThan: 'e5000' as EventId,
    })
    const older = update(loaded, { kind: 'older', entries: many(1000, 4000), olderThan: undefined })
    assert.equal(older.window.items.length, MOST_HELD)
    assert.equal(older.window.isDetached, true)
    assert.equal(older.window.olderThan, undefined)
    assert.equal(feed(older, event('x'), [entry(9999)]).window.items.length, MOST_HELD)
  })

  it('replaces an entry that changed where it is', () => {
    const model = feed(start, event('x'), [entry(1), entry(2)])
    const changed = feed(model, event('x'), [{ ...entry(1), kind: 'assistant', text: 'new' }])
    assert.deepEqual(keys(changed), ['assistant:e1', 'assistant:e2'])
    assert.deepEqual(
      changed.window.items.map(({ entry: each }) => 'text' in each && each.text),
      ['new', 'text 2'],
    )
  })

  it('keeps what this terminal said last when the end is read anew', () => {
    const said = update(feed(start, event('x'), [entry(1)]), {
      kind: 'say',
      text: 'Took back',
      tone: 'good',
    })
    const again = update(said, { kind: 'loaded', entries: [entry(0)], olderThan: undefined })
    assert.deepEqual(keys(again), ['assistant:e0', 'note:0'])
  })
})
