import assert from 'node:assert/strict'
import {
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  mkdirSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createRotatingFile } from './rotating-file.ts'

function place() {
  const base = mkdtempSync(join(tmpdir(), 'reprise-rotating-'))
  const folder = join(base, 'inner/logs')
  let day = '2026-01-01'
  const file = createRotatingFile({
    folder,
    stem: 'reprise',
    maxBytes: 10,
    keep: 3,
    now: () => new Date(`${day}T12:00:00Z`),
  })
  return {
    base,
    folder,
    put(line: string, on = day) {
      day = on
      file.write(line)
      file.flush()
    },
    contents: () =>
      Object.fromEntries(
        readdirSync(folder)
          .sort()
          .map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
      ),
    [Symbol.dispose]: () => rmSync(base, { recursive: true, force: true }),
  }
}

test('lines of a day stand in one file until it is full, for its owner alone', () => {
  using here = place()
  here.put('aaaa')
  here.put('bbbb')
  here.put('cccc')
  here.put('dddd', '2026-01-02')
  assert.deepEqual(here.contents(), {
    'reprise-2026-01-01.1.log': 'aaaa\nbbbb\n',
    'reprise-2026-01-01.log': 'cccc\n',
    'reprise-2026-01-02.log': 'dddd\n',
  })
  const modes = [here.folder, join(here.folder, 'reprise-2026-01-02.log')].map(
    (path) => statSync(path).mode & 0o777,
  )
  assert.deepEqual(modes, [0o700, 0o600])
})

test('the oldest files are removed, and nothing else', () => {
  using here = place()
  here.put('0', '2026-01-01')
  writeFileSync(join(here.folder, 'notes.txt'), 'mine')
  for (let at = 1; at <= 12; at += 1) here.put(`line ${at}`.padEnd(9, '.'), '2026-01-02')
  assert.deepEqual(here.contents(), {
    'notes.txt': 'mine',
    'reprise-2026-01-02.10.log': 'line 10..\n',
    'reprise-2026-01-02.11.log': 'line 11..\n',
    'reprise-2026-01-02.log': 'line 12..\n',
  })
})

test('what cannot be written is dropped: no home, a link in the place of the file', () => {
  using here = place()
  rmSync(here.base, { recursive: true })
  here.put('lost')
  assert.throws(() => statSync(here.base))
  mkdirSync(here.folder, { recursive: true })
  const elsewhere = join(here.base, 'elsewhere')
  writeFileSync(elsewhere, '')
  symlinkSync(elsewhere, join(here.folder, 'reprise-2026-01-01.log'))
  here.put('lost')
  assert.equal(readFileSync(elsewhere, 'utf8'), '')
})
