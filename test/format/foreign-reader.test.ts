/** A reader written from the document alone finds what ours finds, in sound logs and in damaged ones. */
import assert from 'node:assert/strict'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { inHome } from './on-disk.ts'
import { readForeign } from './foreign-reader.ts'
import { readLog } from '../../src/log/read.ts'

const golden = join(import.meta.dirname, '../golden/v1')
const cases = readdirSync(golden).sort()

/** Each takes the lines of a log, without their ends, and gives bytes. */
const damages: Record<string, (lines: readonly string[]) => Buffer> = {
  'as it is': (lines) => Buffer.from(lines.map((line) => `${line}\n`).join('')),
  'with CRLF and blank lines': (lines) => Buffer.from(`\r\n${lines.join('\r\n\r\n')}\r\n`),
  'with a byte order mark': (lines) => Buffer.from(`\ufeff${lines.join('\n')}\n`),
  'without the last newline': (lines) => Buffer.from(lines.join('\n')),
  'as one line without an end, behind a mark': ([first = '']) => Buffer.from(`\ufeff${first}`),
  'with a torn tail': (lines) => Buffer.from(lines.join('\n')).subarray(0, -9),
  'with a tail of NULs': (lines) => Buffer.from(`${lines.join('\n')}\n\0\0\0\0`),
  'with NULs inside lines': (lines) => Buffer.from(lines.map((line) => `\0\0${line}\0\n`).join('')),
  'glued into one line': (lines) => Buffer.from(`${lines.join('')}\n`),
  'with half of each line before it': (lines) =>
    Buffer.from(lines.map((line) => `${line.slice(0, line.length / 2)}${line}\n`).join('')),
  'with keys in another order, behind an object that is no event': (lines) =>
    Buffer.from(lines.map((line) => `{"x":{}}${withIdFirst(line)}\n`).join('')),
  'with noise between the lines': (lines) =>
    Buffer.from(lines.map((line) => `${line}\nnoise } { "type"\n[]\n{"type":"x"}\n`).join('')),
  'with every line twice': (lines) =>
    Buffer.from(lines.map((line) => `${line}\n${line}\r\n`).join('')),
  'with the first lines again at the end': (lines) =>
    Buffer.from([...lines, ...lines.slice(0, 3)].map((line) => `${line}\n`).join('')),
  'with bytes that are not UTF-8': (lines) =>
    Buffer.concat(lines.map((line) => withBadByte(Buffer.from(`${line}\n`)))),
}

for (const name of cases) {
  describe(`golden log ${name}`, () => {
    const lines = readFileSync(join(golden, name, 'events.jsonl'), 'utf8')
      .trimEnd()
      .split('\n')
    for (const [damage, make] of Object.entries(damages)) {
      it(`gives both readers the same events ${damage}`, () =>
        inHome(async ({ fs, file, write }) => {
          write('log', make(lines))
          const ours: unknown[] = []
          for await (const { records } of readLog(fs, 'log')) {
            ours.push(...records.map(({ event }) => [event.type, event.id]))
          }
          assert.deepEqual(
            readForeign(file('log')).map(({ type, id }) => [type, id]),
            ours,
          )
          const isTorn = /torn|end/.test(damage)
          if (!isTorn) assert.equal(ours.length, lines.length)
        }))
    }
  })
}

/** In the place of the letter that ends the first object, where there is one. */
function withBadByte(line: Buffer): Buffer {
  const at = line.indexOf('"}') - 1
  if (/[^\\][a-z]/.test(line.toString('latin1', at - 1, at + 1))) line[at] = 0xff
  return line
}

function withIdFirst(line: string): string {
  const { id, ...rest } = JSON.parse(line) as Record<string, unknown>
  return JSON.stringify({ id, ...rest })
}
