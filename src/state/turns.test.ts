import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { answered, eventId, logOf, said, started } from '../../test/log-of.ts'
import { evolve } from '../../test/support/evolve.ts'
import { initialState } from './session-state.ts'
import { rewindPoints } from './turns.ts'

const log = logOf([
  started(),
  said('one'),
  answered('1'),
  { type: 'user.message', data: { content: 'steer', delivery: 'steering' } },
  { ...said('for the sub-agent'), agentId: 'sub' },
  said('two'),
  answered('2'),
])
const state = log.reduce(evolve, initialState)
const offset = (index: number) => log[index]?.start ?? NaN

const one = {
  index: 0,
  eventId: eventId(2),
  start: offset(1),
  at: '2025-01-01T00:00:01.000Z',
  preview: 'one',
  end: offset(5),
  events: 4,
}
const two = {
  index: 1,
  eventId: eventId(6),
  start: offset(5),
  at: '2025-01-01T00:00:05.000Z',
  preview: 'two',
  end: state.size,
  events: 2,
}

describe('turns', () => {
  it('start with a message of the user alone; to rewind to, newest first, each with what it would remove', () => {
    assert.deepEqual(rewindPoints(state), [
      { ...two, eventsRemoved: 2, bytesRemoved: state.size - offset(5) },
      { ...one, eventsRemoved: 6, bytesRemoved: state.size - offset(1) },
    ])
  })
})
