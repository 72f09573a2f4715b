/** SECURITY.md names a test for each line: the file is there, and the test has that name. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

const root = new URL('../', import.meta.url)
const lines = readFileSync(new URL('SECURITY.md', root), 'utf8').split('\n')

test('every line of the threat model names a test that is there', () => {
  const rows = lines.filter((line) => /^\| (?!it tries|---)/.test(line))
  assert.ok(rows.length > 25)
  const named = lines.flatMap((line) => [
    ...line.matchAll(/`((?:src|test)\/[\w./-]+\.ts)`(?:: ([^`|]+?))?(?= \||, `|\.|$)/g),
  ])
  const missing = named.flatMap(([, file = '', name]) => {
    const url = new URL(file, root)
    if (!existsSync(url)) return [file]
    return name === undefined || readFileSync(url, 'utf8').includes(name.trim())
      ? []
      : [`${file}: ${name}`]
  })
  assert.deepEqual(missing, [])
  for (const row of rows) assert.match(row, /`(?:src|test)\//, row)
})
