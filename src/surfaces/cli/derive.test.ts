/** Every command of the table has its place on the command line, or is sent with -p; what its schema says is what help says. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { namesOf } from '../../commands/fields.ts'
import { table } from '../../commands/table.ts'
import { program } from './command-table.ts'
import type { Placed } from './command.ts'
import { described } from './described.ts'
import { takesSession } from './find-command.ts'
import { helpFor } from './help.ts'
import { parse } from './parse.ts'

const placed = program.commands.filter((row): row is Placed => 'of' in row)

/** They are about what a person looks at or goes on with: `-p "/mode plan"` does them where nobody looks. */
const SENT = [
  'session',
  'session delete-all',
  'resume',
  'new',
  'model',
  'options',
  'agent',
  'login',
  'mode',
  'permissions',
  'retry',
  'queue',
  'queue edit',
  'queue move',
  'queue remove',
  'queue clear',
  'queue release',
  'chronicle',
  'copy',
  'share',
  'share link',
  'remote',
  'theme',
  'keys',
  'exit',
]

test('every command of the table sits on the command line or is sent with -p', async () => {
  const actions = placed.flatMap(({ of, instead = {} }) => [of, ...Object.values(instead)])
  const derived = (await Promise.all(actions.map((of) => of()))).flatMap(namesOf)
  const reached = new Set([...derived, ...program.commands.map(({ name }) => name)])
  assert.deepEqual(
    table.flatMap(({ name }) => (reached.has(name) ? [] : [name])),
    SENT,
  )
})

test('a row names a session where its command is about one', async () => {
  for (const row of placed)
    assert.equal(takesSession(row), (await row.of()).on === 'session', row.name)
})

test('words, options and help come from the schema', async () => {
  const row = placed.find(({ name }) => name === 'sessions undo')
  assert.ok(row)
  const { summary, arguments: words, options } = await described(row)
  assert.equal(summary, 'Take the last turn back, with the files it changed')
  assert.deepEqual(
    words?.map(([notation]) => notation),
    ['<session>', '[turns]'],
  )
  assert.deepEqual(
    options?.map(([notation]) => notation),
    ['--keep-files', '--wait <seconds>', '--files'],
  )
  assert.match(await helpFor(program, row, 100), /\[turns\] +how many turns, 1 or more\n/)
  const line = await parse(program, ['sessions', 'undo', 'x', '2', '--keep-files'])
  assert.ok(line.kind === 'run')
  assert.deepEqual(
    [line.given.word(0), line.given.word(1), line.given.flag('keepFiles')],
    ['x', '2', true],
  )
})
