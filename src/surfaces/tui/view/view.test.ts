import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { silence } from '../../../state/live.ts'
import { initialModel } from '../model/model.ts'
import { update } from '../model/update.ts'
import type { EventId } from '../../../format/ids.ts'
import type { TranscriptEntry } from '../../../state/transcript.ts'
import type { Item } from '../model/window.ts'
import { entryLines, markdownLines } from './entry.ts'
import { createFlow } from './flow.ts'
import { highlight } from './highlight.ts'
import { createLiveView } from './live.ts'
import { createPictures } from './pictures.ts'
import { statusLine } from './status.ts'
import { folded } from './text.ts'
import { makeTheme } from './theme.ts'

const noPictures = createPictures({
  protocol: null,
  read: async () => undefined,
  onReady() {},
})
const plain = makeTheme({ isPainted: false })
const PAINT = new RegExp(`${String.fromCharCode(27)}\\[\\d+m`, 'g')
const same = (text: string) => text

describe('a growing answer', () => {
  it('ends up as the whole answer looks', () => {
    const text = 'One.\n\n```ts\nconst a = 1\n\nconst b = 2\n```\n\nTwo.'
    const view = createLiveView()
    const options = { width: 60, isOpen: false, theme: plain }
    let lines: string[] = []
    for (let end = 1; end <= text.length; end++)
      lines = view({ ...silence, text: text.slice(0, end) }, options)
    const shown = (all: readonly string[]) => all.map((line) => line.trimEnd()).filter(Boolean)
    assert.deepEqual(shown(lines), shown(markdownLines(text, 60, plain)))
  })
})

describe('a message from elsewhere', () => {
  it('says below it who sent it and from where', () => {
    const entry = { kind: 'user', text: 'go', attachments: [], isSteering: false } as const
    const by = { who: 'p1', name: 'Ben', from: 'desk' }
    const options = { width: 60, isOpen: false, theme: plain, tails: {}, isStalled: false }
    const shown = (each: object) =>
      entryLines({ entry: each } as Item, { ...options, pictures: noPictures })
    assert.deepEqual(shown({ ...entry, by }), ['❯ go', '  — Ben, from desk', ''])
    assert.deepEqual(shown(entry), ['❯ go', ''])
  })
})

describe('a long text', () => {
  const fold = { width: 20, most: 3, isOpen: false, paint: same, faint: same } as const

  it('is folded to its head or its tail and says how much is left out', () => {
    const text = 'a\nb\nc\nd\ne'
    assert.deepEqual(folded(text, { ...fold, keep: 'head' }), [
      'a',
      'b',
      'c',
      '… 2 more lines · ctrl+o shows them',
    ])
    assert.deepEqual(folded(text, { ...fold, keep: 'tail' }), [
      '… 2 more lines · ctrl+o shows them',
      'c',
      'd',
      'e',
    ])
    assert.deepEqual(folded(text, { ...fold, keep: 'head', isOpen: true }), [
      'a',
      'b',
      'c',
      'd',
      'e',
    ])
  })
})

describe('colours of code', () => {
  it('change nothing but colours', () => {
    const painted = makeTheme({ isPainted: true })
    fc.assert(
      fc.property(
        fc.string(),
        fc.constantFrom('ts', 'py', 'sql', 'diff', 'sh'),
        (code, language) => {
          const clean = code.replaceAll('\x1b', '')
          const lines = highlight(clean, language, painted)
          assert.equal(lines.join('\n').replace(PAINT, ''), clean)
        },
      ),
    )
  })
})

describe('the place of the reader', () => {
  const entries = Array.from({ length: 50 }, (_, at): TranscriptEntry => ({
    kind: 'info',
    topic: 't',
    text: `n${at}`,
    eventId: `e${at}` as EventId,
    at: '',
  }))
  const model = update(initialModel({ version: '', home: '', cwd: '' }), {
    kind: 'loaded',
    entries,
    olderThan: undefined,
  })
  const flow = createFlow(plain, noPictures)
  const scrolled = (from: typeof model, up: number) =>
    update(from, { kind: 'scroll', anchor: flow.moved(from, 40, 10, up) })

  it('does not move while more is said below', () => {
    const reading = scrolled(model, 20)
    const before = flow.frame(reading, 40, 10).lines
    const more = update(reading, {
      kind: 'fed',
      item: {
        kind: 'notice',
        notice: { type: 'assistant.message_delta', data: { messageId: 'm', deltaContent: 'x' } },
      },
      entries: [],
    })
    assert.deepEqual(flow.frame(more, 40, 10).lines, before)
  })

  it('moves by lines, not by entries', () => {
    const { lines } = flow.frame(model, 40, 100)
    for (const up of [1, 2, 3, 17]) {
      const shown = flow.frame(scrolled(model, up), 40, 10).lines
      assert.deepEqual(shown, lines.slice(lines.length - up - 10, lines.length - up))
    }
  })

  it('comes back to where it was after as many lines down as up', () => {
    const reading = scrolled(model, 30)
    const back = scrolled(scrolled(reading, 7), -7)
    assert.deepEqual(back.anchor, reading.anchor)
    assert.equal(scrolled(reading, -100).anchor, undefined)
  })

  it('stops when the first line is at the top', () => {
    const { lines, isAtTop } = flow.frame(scrolled(model, 10_000), 40, 10)
    assert.equal(isAtTop, true)
    assert.equal(lines[0], '· t: n0')
    assert.equal(lines.length, 10)
  })
})

describe('the last line', () => {
  const model = initialModel({ version: '1', home: '/h', cwd: '/p' })
  const withRemote = (text: string, isLate: boolean) =>
    update(model, { kind: 'facts', facts: { remote: { text, isLate } } })

  it('says how the session stands to Mission Control, and nothing without one', () => {
    assert.ok(!statusLine(model, 100, plain).includes('⇄'))
    assert.match(statusLine(withRemote('connected', false), 100, plain), /⇄ connected/)
    assert.match(statusLine(withRemote('off', false), 100, plain), /⇄ off/)
  })

  it('says that a copy is late where there is little room, too', () => {
    assert.match(
      statusLine(withRemote('late since 3m ago', true), 30, plain),
      /⇄ late since 3m ago/,
    )
  })
})

describe('the meter of the context', () => {
  const here = initialModel({ version: '1', home: '/h', cwd: '/p' })
  const told = (model: typeof here, tokens: number) =>
    update(model, { kind: 'facts', facts: { context: { tokens } } })
  const by = (answering: Parameters<typeof update>[0]['answering']) =>
    update(here, { kind: 'answering', answering })
  const notice = (model: typeof here) =>
    update(model, {
      kind: 'fed',
      entries: [],
      item: {
        kind: 'notice',
        notice: {
          type: 'session.usage_info',
          data: { tokenLimit: 1000, currentTokens: 400, messagesLength: 1 },
        },
      },
    })

  it('is there from the start, and the same while a turn runs and after it', () => {
    const model = by({ kind: 'model', name: 'm1', says: 'm1' })
    const agent = by({ kind: 'agent', name: 'other', says: 'other' })
    const line = (of: typeof here) => statusLine(of, 100, plain)
    assert.match(line(model), /m1 .* 0 ctx/)
    // A window that nobody knows is not made up; one that an agent told of stays.
    assert.match(line(notice(model)), / 400 ctx/)
    assert.match(line(told(notice(model), 600)), / 600 ctx/)
    assert.match(line(notice(agent)), /▰▰▱▱▱ 40%/)
    assert.match(line(told(notice(agent), 600)), /▰▰▰▱▱ 60%/)
  })
})
