import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { ForksAnswer, SessionRow } from '../../api.ts'
import { waitBefore } from './backoff.ts'
import { heaped, heatMap, monthsOf, stacked } from './charts.ts'
import { compare, countChanges, diffOf } from './diff.ts'
import { treeOf, type ForkNode } from './fork-tree.ts'
import { press } from './keys.ts'
import { hashOf, hashOfHit, parseRoute, type Route } from './route.ts'
import { afterChange, filterOf, rowsOf, step } from './sessions.ts'
import { piecesOf } from './snippet.ts'
import { money, visible, withoutAnsi } from './words.ts'

type Fork = ForksAnswer['sessions'][number]

const session = (id: string, bucket: string) =>
  ({ id, bucket, status: 'idle' }) as unknown as SessionRow

test('what goes on stands first, then sessions by their day', () => {
  const now = new Date(2026, 2, 12, 15).getTime()
  const at = (days: number, status = 'idle') => ({
    modifiedAt: new Date(2026, 2, 12 - days, 9).toISOString(),
    status,
  })
  const rows = rowsOf(
    [
      { ...session('a', 'x'), ...at(0) },
      { ...session('b', 'x'), ...at(0, 'running') },
      { ...session('c', 'x'), ...at(1) },
      { ...session('d', 'x'), ...at(3, 'waiting') },
      { ...session('e', 'x'), ...at(60) },
    ] as SessionRow[],
    now,
  )
  assert.deepEqual(
    rows.map((row) => (row.kind === 'group' ? `${row.name} ${row.count}` : row.key)),
    [
      'Waits for you 1',
      'd',
      'Works 1',
      'b',
      'Today 1',
      'a',
      'Yesterday 1',
      'c',
      'January 2026 1',
      'e',
    ],
  )
  assert.deepEqual(
    [step(rows, undefined, 1), step(rows, 'd', 1), step(rows, 'b', -1), step(rows, 'e', 1)],
    ['d', 'b', 'd', 'e'],
  )
})

test('a status is known at once, other changes are asked for', () => {
  const held = [session('a', 'x'), session('b', 'x')]
  const change = (kind: 'status' | 'records' | 'deleted') =>
    afterChange(held, { id: 'a' as never, kind, status: 'running' })
  const running = [{ ...held[0]!, status: 'running' }, held[1]!]
  assert.deepEqual(change('status'), { sessions: running, isStale: false })
  assert.deepEqual(change('records'), { sessions: running, isStale: true })
  assert.deepEqual(change('deleted'), { sessions: [held[1]], isStale: false })
})

test('a place and its address are the same', () => {
  const routes: Route[] = [
    { view: 'sessions' },
    { view: 'sessions', cwd: '/a folder/b' },
    { view: 'session', id: 'a/b?c#d' },
    { view: 'session', id: 'x', turn: 3 },
    { view: 'session', id: 'x', turn: 3, call: 'call:1' },
    { view: 'session', id: 'x', at: 'event 1' },
    { view: 'review', id: 'x', scope: 'turn', event: 'e', file: 'a b/c&d.ts', line: 7 },
    { view: 'home' },
    { view: 'inbox' },
    { view: 'search', query: { q: 'a b&c', role: 'user' } },
    { view: 'chronicle', kind: 'cost' },
    { view: 'sql' },
    { view: 'board' },
    { view: 'trash' },
  ]
  assert.deepEqual(
    routes.map((route) => parseRoute(hashOf(route))),
    routes,
  )
  assert.deepEqual(parseRoute('#/s/%E0%A4%A'), { view: 'session', id: '%E0%A4%A' })
  assert.deepEqual(parseRoute('#nonsense'), { view: 'home' })
  const snippet = { text: 'so\nit was said\nand done', ranges: [{ start: 6, end: 9 }] }
  const hit = { sessionId: 'x', turn: 0, snippet }
  assert.deepEqual(parseRoute(hashOfHit({ ...hit, source: 'tool:call:1' })), {
    view: 'session',
    id: 'x',
    turn: 0,
    call: 'call:1',
  })
  assert.deepEqual(parseRoute(hashOfHit({ ...hit, source: 'turn' })), {
    view: 'session',
    id: 'x',
    turn: 0,
    text: 'was said',
  })
  assert.equal(hashOfHit({ sessionId: 'x', source: 'name', snippet }), '#/s/x')
})

test('keys are commands outside of fields; Escape works everywhere', () => {
  const key = (name: string, isInField = false, isAfterG = false) =>
    press({ isAfterG }, { key: name, isInField, hasModifier: false })
  assert.deepEqual(key('/'), { state: { isAfterG: false }, command: 'search' })
  assert.deepEqual(key('/', true), { state: { isAfterG: false } })
  assert.deepEqual(key('Escape', true), { state: { isAfterG: false }, command: 'close' })
  assert.deepEqual(key('g'), { state: { isAfterG: true } })
  assert.deepEqual(key('s', false, true), { state: { isAfterG: false }, command: 'sessions' })
  assert.deepEqual(key('constructor'), { state: { isAfterG: false } })
})

test('pieces of a snippet are its text, whatever the ranges', () => {
  assert.deepEqual(piecesOf('a bug here', [{ start: 2, end: 5 }]), [
    { text: 'a ', isMarked: false },
    { text: 'bug', isMarked: true },
    { text: ' here', isMarked: false },
  ])
  const range = fc.record({ start: fc.integer(), end: fc.integer() })
  fc.assert(
    fc.property(fc.string(), fc.array(range), (text, ranges) => {
      assert.equal(
        piecesOf(text, ranges)
          .map((piece) => piece.text)
          .join(''),
        text,
      )
    }),
  )
})

test('an edit is shown as a diff, from its result or from what was asked for', () => {
  const lines = diffOf(undefined, { old_str: 'a\nb\nc', new_str: 'a\nx\nc' })
  assert.deepEqual(lines, [
    { kind: 'same', text: 'a' },
    { kind: 'remove', text: 'b' },
    { kind: 'add', text: 'x' },
    { kind: 'same', text: 'c' },
  ])
  assert.deepEqual(diffOf('@@ -1 +1 @@\n-a\n+b\n', {}), [
    { kind: 'place', text: '@@ -1 +1 @@' },
    { kind: 'remove', text: 'a', old: 1 },
    { kind: 'add', text: 'b', now: 1 },
  ])
  assert.equal(diffOf('plain output', { command: 'ls' }), undefined)
  assert.deepEqual(countChanges(compare('', 'a\nb')), { added: 2, removed: 0 })
})

test('a heat map ends with its last day and has whole weeks before it', () => {
  const cells = heatMap([{ day: '2026-03-04', value: 4 }], '2026-03-05', 2)
  assert.deepEqual(
    [cells.length, cells[0]?.day, cells.at(-1)],
    [11, '2026-02-23', { day: '2026-03-05', value: 0, week: 1, weekday: 3, level: 0 }],
  )
  assert.equal(cells.at(-2)?.level, 4)
})

test('bars stand on each other, the largest series first, on days that follow each other', () => {
  const share = (day: string, name: string, value: number) => ({ day, name, value })
  const chart = stacked(
    [
      share('2026-03-02', 'small', 1),
      share('2026-03-02', 'large', 3),
      share('2026-02-28', 'large', 2),
      share('2026-01-01', 'before', 9),
    ],
    '2026-03-02',
    3,
  )
  assert.deepEqual(chart, {
    days: ['2026-02-28', '2026-03-01', '2026-03-02'],
    series: [
      { name: 'large', values: [2, 0, 3] },
      { name: 'small', values: [0, 0, 1] },
    ],
    totals: [2, 0, 4],
  })
  assert.deepEqual(heaped(chart), [
    [2, 0, 3],
    [2, 0, 4],
  ])
  const many = Array.from({ length: 9 }, (_, at) => share('2026-03-02', `m${at}`, 9 - at))
  const { series, totals } = stacked(many, '2026-03-02', 1)
  assert.deepEqual(
    series.map(({ name }) => name),
    ['m0', 'm1', 'm2', 'm3', 'm4', '4 others'],
  )
  assert.deepEqual(totals, [45])
})

test('the list is asked for by status, day or repository', () => {
  const now = new Date(2026, 2, 4, 15)
  assert.deepEqual(
    ['', 'waiting', 'today', 'week', 'repository:o/r'].map((filter) => filterOf(filter, now)),
    [
      {},
      { status: 'waiting' },
      { since: new Date(2026, 2, 4).toISOString() },
      { since: new Date(2026, 2, 2).toISOString() },
      { repository: 'o/r' },
    ],
  )
})

test('numbers, times and invisible letters are written for people', () => {
  assert.deepEqual([money(0.001), money(0.224), money(12)], ['< $0.01', '$0.22', '$12.00'])
  assert.equal(visible('a\u202eb\u0000\n'), 'a⟨202e⟩b⟨0000⟩\n')
  assert.equal(withoutAnsi('\u001b[31mred\u001b[0m'), 'red')
  assert.deepEqual([waitBefore(0), waitBefore(3), waitBefore(30)], [300, 2400, 10_000])
})

test('forks stand below what they were forked from, and a chain without end stays drawable', () => {
  const fork = (id: string, depth: number, forkedFrom?: string) =>
    ({ id, depth, ...(forkedFrom !== undefined && { forkedFrom }) }) as unknown as Fork
  const names = (nodes: readonly ForkNode[]): unknown[] =>
    nodes.map(({ session: { id }, forks }) => (forks.length === 0 ? id : [id, names(forks)]))
  assert.deepEqual(
    names(treeOf([fork('a', 0), fork('b', 1, 'a'), fork('c', 2, 'b'), fork('d', 1, 'a')])),
    [['a', [['b', ['c']], 'd']]],
  )
  const chain = Array.from({ length: 5000 }, (_, at) =>
    fork(`${at}`, at, at === 0 ? undefined : `${at - 1}`),
  )
  let [deepest, depth] = [treeOf(chain), 0]
  for (; deepest.length > 0; depth++) deepest = deepest.at(0)?.forks ?? []
  assert.ok(depth < 50)
})

test('months stand where they begin', () => {
  const cells = heatMap([], '2026-03-02', 10)
  assert.deepEqual(
    monthsOf(cells).map(({ name }) => name),
    ['Feb', 'Mar'],
  )
})
