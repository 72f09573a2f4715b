import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { SessionSummary } from '../../../engine/catalogue/catalogue-row.ts'
import type { SessionId } from '../../../format/ids.ts'
import {
  marked,
  openPicker,
  stepPicker,
  withContent,
  withFilter,
  withSessions,
  type Picker,
} from './picker.ts'

const session = (at: number, more: Partial<SessionSummary> = {}): SessionSummary => ({
  id: `s${at}` as SessionId,
  userNamed: false,
  summary: `prompt ${at}`,
  createdAt: '2026-01-01T00:00:00Z',
  checkpoints: 0,
  forkCount: 0,
  modifiedAt: new Date(Date.UTC(2026, 0, 1) + at * 1000).toISOString(),
  bytes: 1,
  ...more,
})

const open = (sessions: readonly SessionSummary[], here = {}): Picker =>
  withSessions(openPicker(undefined), { sessions, here })

const ids = ({ shown }: Picker) => shown.map(({ session: { id } }) => id)

const type = (picker: Picker, keys: string): Picker =>
  [...keys].reduce((now, key) => stepPicker(now, key === ' ' ? 'space' : key).picker, picker)

describe('the list of sessions', () => {
  it('shows the nearest first, in groups, the newest of each first', () => {
    const picker = open([session(1), session(2, { cwd: '/w' }), session(3)], { cwd: '/w' })
    assert.deepEqual(
      picker.shown.map(({ group, session: { id } }) => [group, id]),
      [
        ['This directory', 's2'],
        ['Other sessions', 's3'],
        ['Other sessions', 's1'],
      ],
    )
  })

  it('narrows by every word, over names, prompts, branches and places', () => {
    const picker = open([
      session(1, { name: 'Fix Pump' }),
      session(2, { branch: 'pump' }),
      session(3),
    ])
    assert.deepEqual(ids(type(picker, 'pump')), ['s2', 's1'])
    assert.deepEqual(ids(type(picker, 'fix pump')), ['s1'])
    assert.deepEqual(ids(type(picker, 'nothing')), [])
  })

  it('gives the same however the filter was typed', () => {
    const sessions = Array.from({ length: 40 }, (_, at) => session(at))
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('p', '1', '2', ' ', 'backspace', 'x'), { maxLength: 12 }),
        (keys) => {
          const typed = keys.reduce(
            (now, key) => stepPicker(now, key === ' ' ? 'space' : key).picker,
            open(sessions),
          )
          assert.deepEqual(ids(typed), ids(withFilter(open(sessions), typed.filter)))
        },
      ),
    )
  })

  it('adds what was found by content behind what was found by name', () => {
    const picker = withContent(type(open([session(1), session(2)]), 'prompt 1'), [
      's2' as SessionId,
      's1' as SessionId,
    ])
    assert.deepEqual(
      picker.shown.map(({ group, session: { id } }) => [group, id]),
      [
        ['Other sessions', 's1'],
        ['By what was said', 's2'],
      ],
    )
  })

  it('keeps the mark within the list', () => {
    const picker = open([session(1), session(2)])
    assert.equal(marked(stepPicker(picker, 'end').picker)?.id, 's1')
    assert.equal(marked(stepPicker(stepPicker(picker, 'end').picker, 'down').picker)?.id, 's1')
    assert.equal(marked(type(stepPicker(picker, 'end').picker, '2'))?.id, 's2')
  })
})
