/** The tables of an open session, walked by every sequence of inputs that can come. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  leaseTable,
  queueTable,
  step,
  workTable,
  type LeaseInput,
  type LeaseState,
  type Table,
  type WorkInput,
  type WorkState,
} from './machine.ts'

/** What the rim keeps beside the state: it decides which inputs can come. */
type Lease = { state: LeaseState; users: number }

const possible: Readonly<Record<LeaseInput, (now: Lease) => boolean>> = {
  begin: () => true,
  granted: ({ state }) => state.startsWith('acquiring'),
  refused: ({ state }) => state.startsWith('acquiring'),
  end: ({ state, users }) => users === 1 && !state.startsWith('acquiring'),
  asked: () => true,
  overtaken: () => true,
  'let-go': ({ state, users }) => users === 0 && !state.startsWith('acquiring'),
  yielded: ({ state }) => state === 'yielding',
}

const INPUTS = Object.keys(possible) as LeaseInput[]

test('whatever comes, the lease is given back only when no action relies on it', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...INPUTS), { maxLength: 60 }), (inputs) => {
      const now: Lease = { state: 'none', users: 0 }
      for (const input of inputs) {
        if (!possible[input](now)) continue
        if (input === 'begin') now.users++
        const { to, effect } = step(leaseTable, now.state, input)
        if (input === 'end') now.users = 0
        if (input === 'refused') now.users = 0
        if (effect === 'yield') assert.equal(now.users, 0, `${now.state} × ${input}`)
        now.state = to
        const isUsed = now.users > 0
        assert.ok(
          !(isUsed && now.state === 'free'),
          'an action relies on a lease that counts as free',
        )
        assert.ok(!(!isUsed && now.state === 'in-use'), 'a lease in use that nothing relies on')
      }
    }),
  )
})

test('a process that asked gets the lease once the last action has ended', () => {
  for (const state of ['in-use', 'acquiring'] as const) {
    const asked = step(leaseTable, state, 'asked').to
    const held = state === 'acquiring' ? step(leaseTable, asked, 'granted').to : asked
    assert.deepEqual(step(leaseTable, held, 'end'), { to: 'yielding', effect: 'yield' })
  }
})

test('nothing but a session that is idle begins something', () => {
  for (const input of ['begin-turn', 'begin-tool'] as const)
    assert.deepEqual(
      states(workTable).filter((state) => workTable[state][input] !== 'never'),
      ['idle'],
    )
})

test('a session that closes never opens again', () => {
  for (const input of Object.keys(workTable.closing) as WorkInput[]) {
    const cell = workTable.closing[input]
    if (cell !== 'never') assert.equal(cell.to, 'closing' satisfies WorkState)
  }
})

test('a stop holds what waits, and only a release or an empty queue lets it flow', () => {
  assert.equal(step(queueTable, 'flowing', 'turn-cancelled').to, 'held')
  const opens = Object.entries(queueTable.held).filter(
    ([, cell]) => cell !== 'never' && cell.to === 'flowing',
  )
  assert.deepEqual(
    opens.map(([input]) => input),
    ['release', 'emptied'],
  )
})

test('an input that cannot come is a fault, not a silent change', () => {
  assert.throws(() => step(workTable, 'idle', 'end'), /idle cannot be given "end"/)
})

const states = <S extends string>(table: Table<S, string, unknown>): S[] =>
  Object.keys(table) as S[]
