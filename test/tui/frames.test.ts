/**
 * What the main views look like, at two sizes, as a terminal emulator shows them. `node test/tui/frames.test.ts
 * --update` rewrites the expectations, and the difference is reviewed.
 */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { views } from './views.ts'

const isUpdate = process.argv.includes('--update')
const frames = join(import.meta.dirname, 'frames')

for (const [columns, rows] of [
  [80, 24],
  [120, 40],
] as const) {
  describe(`the screen at ${columns}×${rows}`, () => {
    for (const [name, show] of Object.entries(views)) {
      it(`shows ${name.replaceAll('-', ' ')}`, async () => {
        const shown = `${await show({ columns, rows })}\n`
        const path = join(frames, `${name}.${columns}x${rows}.txt`)
        if (isUpdate) writeFileSync(path, shown)
        assert.equal(shown, readFileSync(path, 'utf8'))
      })
    }
  })
}
