import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { asEventId, asSessionId } from '../format/ids.ts'
import { changes } from './changes.ts'
import { complete } from './complete.ts'
import { fieldsOf, namesOf, slash, usageOf } from './fields.ts'
import { listed } from './command-list.ts'
import { queue } from './queue.ts'
import { deleteAll } from './remove.ts'
import { table } from './table.ts'
import { redo, undo } from './time.ts'

const now = new Date('2026-01-02T00:00:00Z')
const wording = { now: () => now, call: slash }

describe('the table of commands', () => {
  it('has each name once, and says of each command and argument what it is', () => {
    const names = table.flatMap(namesOf)
    assert.deepEqual(names, [...new Set(names)])
    for (const command of table) {
      assert.match(command.summary, /^[^\n]{3,90}[^.\n]$/, command.name)
      assert.match(command.name, /^[a-z][a-z-]*( [a-z][a-z-]*)?$/)
      for (const { key, about } of fieldsOf(command))
        assert.match(about, /^.{3,}[^.]$/, `${command.name} ${key}`)
    }
  })

  it('has a head for every family, which lists its words', () => {
    for (const { name } of table.filter((command) => command.name.includes(' ')))
      assert.ok(
        listed(table).some((head) => head.name === name.split(' ', 1)[0]),
        name,
      )
    const board = listed(table).find(({ name }) => name === 'board')
    assert.deepEqual(
      board?.words.map(([word]) => word),
      ['list', 'add', 'remove', 'prune', 'accept', 'dismiss', 'propose'],
    )
  })

  it('completes names and the words behind them', () => {
    const values = (text: string) => complete(table, text)?.candidates.map(({ value }) => value)
    assert.deepEqual(values('/un'), ['/undo'])
    assert.deepEqual(values('/mode p'), ['plan'])
    assert.deepEqual(values('/session delete'), undefined)
    assert.equal(values('/nope'), undefined)
  })

  it('writes how a command is used', () => {
    assert.equal(usageOf(undo), '/undo [turns] [--keep-files]')
    assert.equal(usageOf(deleteAll), '/session delete-all [--yes]')
  })
})

describe('a result is said in turns and files', () => {
  const rewound = {
    sessionId: asSessionId('0b8f8a4e-54a5-4a53-9a3b-000000000001'),
    eventId: asEventId('0b8f8a4e-54a5-4a53-9a3b-000000000002'),
    prompt: 'p',
    at: now.toISOString(),
    eventsRemoved: 17,
    eventsKept: 4,
    turnsRemoved: 2,
    checkpointsRemoved: 0,
    bytesRemoved: 999,
    mode: 'conversation-and-files' as const,
    filesUnrecorded: false,
    restoredFiles: ['a_b.txt'],
    skippedFiles: [{ path: 'c.txt', reason: 'user-modified' as const }],
    message: 'p',
  }

  it('by undo and redo', () => {
    assert.equal(
      undo.say(rewound, wording),
      'Took back 2 turns. /redo brings it back.\nFiles restored: a\\_b.txt. Left alone: c.txt (changed since).',
    )
    const redone = { ...rewound, eventsRestored: 17, turnsRestored: 1, skippedFiles: [] }
    assert.equal(redo.say(redone, wording), 'Redone: 1 turn came back.\nFiles restored: a\\_b.txt.')
  })

  it('by the queue and by changes', () => {
    const entries = [{ id: 'm', prompt: 'one' }]
    assert.equal(
      queue.say({ entries, isHeld: true }, wording),
      '1. one\n\n/queue release sends them.',
    )
    assert.equal(
      changes.say({ files: [], told: [] }, wording),
      'No turn of this session changed a file.',
    )
    const file = { of: 'project', change: 'created', verdict: 'restore' } as const
    const files = [
      { ...file, path: 'notes', absolutePath: '/w/notes', linesAdded: 0, linesRemoved: 0 },
      { ...file, path: 'notes/a', absolutePath: '/w/notes/a', linesAdded: 2, linesRemoved: 0 },
    ]
    const told = [{ ...files[1]!, path: 'b' }]
    assert.equal(
      changes.say({ files, told }, wording),
      '- `notes` created\n- `notes/a` created, +2 -0\n- `b` created, +2 -0, as its tools told: its contents were not recorded',
    )
  })
})
