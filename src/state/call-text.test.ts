import assert from 'node:assert/strict'
import { test } from 'node:test'
import { argumentText } from './call-text.ts'

test('a call is told by what it does, asks or looks for, and by its data when nothing else tells', () => {
  const said = [
    'ls',
    { command: 'npm test', description: 'run them' },
    { question: 'Which one?', choices: ['a', 'b'] },
    { pattern: 'parse', path: 'src' },
    { pattern: '**/*.ts' },
    { path: 'src/a.ts', old_str: '1', new_str: '2' },
    { file_path: '/a/b' },
    { other: 1 },
    {},
    undefined,
  ].map(argumentText)
  assert.deepEqual(said, [
    'ls',
    'npm test',
    'Which one?',
    'parse in src',
    '**/*.ts',
    'src/a.ts',
    '/a/b',
    '{"other":1}',
    '',
    '',
  ])
})
