import assert from 'node:assert/strict'
import path from 'node:path'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { BadPath, checkPath } from './check-path.ts'

const climbs = [
  '..',
  '../',
  '../x',
  'a/..',
  'a/../b',
  'a/b/../../..',
  '../../etc/passwd',
  'a/../../b',
]
const dots = [
  '.',
  './',
  './a',
  'a/.',
  'a/./b',
  '...',
  'a/...',
  '.. ',
  ' ..',
  '. .',
  '.. /x',
  'a/.. ./b',
  ' ',
  'a/ /b',
]
const empties = ['', '/', '//', 'a/', 'a//b', '//a', 'a/b/', '///etc/passwd', 'a///']
const absolutes = [
  '/a',
  '/etc/passwd',
  '/..',
  '/proc/self/environ',
  '//server/share',
  '/./a',
  '/dev/null',
]
const backslashes = [
  '\\',
  '..\\',
  '..\\..\\windows',
  'a\\..\\b',
  '\\\\server\\share',
  '\\\\?\\C:\\x',
  'a\\b',
  'a/..\\b',
  '\\etc',
  '\\\\.\\pipe\\x',
  '..\\/x',
  'C:\\x',
  '\\??\\C:\\x',
]
const nuls = ['\0', 'a\0', 'a\0.jsonl', '../\0', 'a/\0/b', '..\0/x', 'events.jsonl\0/../../x']
const drives = ['C:', 'c:', 'C:x', 'C:/x', 'z:/y', 'a/C:x', 'a/b/c:', 'D:../x', 'q:events.jsonl']
const devices = [
  'con',
  'CON',
  'Con',
  'prn',
  'aux',
  'nul',
  'NUL',
  'conin$',
  'CONOUT$',
  'com0',
  'com1',
  'COM9',
  'lpt1',
  'LPT9',
  'com¹',
  'lpt³',
  'con.txt',
  'aux.c',
  'nul.tar.gz',
  'a/nul',
  'a/com1.log/b',
  'con ',
  'aux .txt',
  'nul.',
  'con. .',
  'prn:',
  'lpt1:stream',
  'files/AUX/x',
  'COM2.',
  'Nul .x',
]
const long = [
  'a'.repeat(256),
  `x/${'b'.repeat(300)}`,
  'é'.repeat(128),
  '😀'.repeat(64),
  `${'c'.repeat(256)}/x`,
]
const broken = ['\ud800', 'a\udfff', 'a/\ud83d/b', '\udc00\ud800']

const refused = [
  ...climbs,
  ...dots,
  ...empties,
  ...absolutes,
  ...backslashes,
  ...nuls,
  ...drives,
  ...devices,
  ...long,
  ...broken,
]

test('every string that could lead elsewhere is refused', () => {
  assert.ok(new Set(refused).size >= 100)
  const accepted = refused.filter((candidate) => {
    try {
      checkPath(candidate)
      return true
    } catch (error) {
      return !(error instanceof BadPath && error.path === candidate)
    }
  })
  assert.deepEqual(accepted, [])
})

test('ordinary names pass, also those that only look encoded or odd', () => {
  const fine = [
    'a',
    'events.jsonl',
    'session-state/0a/events.jsonl',
    '.reprise/lease/0000000001.json',
    'files/a b.md',
    'files/übung/日本語.txt',
    'files/😀',
    '..a',
    'a..',
    '.a.',
    'console',
    'com',
    'com10',
    'nullable.ts',
    'auxiliary/x',
    '%2e%2e/x',
    '..%2fx',
    '%00',
    'files/10:30 notes.md',
    'line\nbreak',
    '~',
    '~/x',
    '$HOME',
    'a'.repeat(255),
    'é'.repeat(127),
    '-rf',
    '*',
  ]
  for (const path of fine) assert.doesNotThrow(() => checkPath(path), path)
})

test('whatever passes stays below the root on both systems', () => {
  const piece = fc.oneof(
    fc.constantFrom('..', '.', '', '\\', 'C:', 'a', ' ', '...', 'nul', '\0', '/'),
    fc.string({ unit: 'grapheme', maxLength: 8 }),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
      const candidate = pieces.join('/')
      try {
        checkPath(candidate)
      } catch {
        return true
      }
      return (
        path.posix.join('/root', candidate) === `/root/${candidate}` &&
        path.win32.resolve('D:\\root', candidate).startsWith('D:\\root\\')
      )
    }),
    { numRuns: 3000 },
  )
})
