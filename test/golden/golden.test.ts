/**
 * Logs of every kind and what they mean. Reading an old log must give the same result for ever: inputs are
 * never edited; `npm run golden:update` rewrites the expectations, and the difference is reviewed.
 */
import assert from 'node:assert/strict'
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { recognise } from '../../src/format/event.ts'
import { projectModelContext } from '../../src/state/context-folder.ts'
import type { Placed } from '../../src/state/positioned-event.ts'
import { createFolder } from '../../src/state/fold.ts'
import { toMarkdown } from '../../src/state/transcript-markdown.ts'
import { projectTranscript } from '../../src/state/transcript-folder.ts'
import { validateModelContext } from '../support/validate-context.ts'

const cases = join(import.meta.dirname, 'v1')
const isUpdate = process.argv.includes('--update')

for (const name of readdirSync(cases).sort()) {
  describe(`golden log ${name}`, () => {
    const log = readLog(name)

    it('is one unbroken chain', () => {
      const parents = log.map(({ event }) => event.parentId)
      assert.deepEqual(parents, [null, ...log.slice(0, -1).map(({ event }) => event.id)])
    })

    it('folds to its state', () => {
      const folder = createFolder()
      for (const record of log) folder.push(record)
      expectFile(name, 'state.json', json(folder.state()))
    })

    it('reads as its transcript', () => {
      expectFile(name, 'transcript.md', toMarkdown(projectTranscript(log)))
    })

    it('gives its model context', () => {
      const context = projectModelContext(log)
      assert.deepEqual(validateModelContext(context), [])
      expectFile(name, 'context.json', json(context))
    })
  })
}

function readLog(name: string): Placed[] {
  let start = 0
  return readFileSync(join(cases, name, 'events.jsonl'), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const told = recognise(JSON.parse(line))
      assert.notEqual(told.kind, 'damage')
      const end = start + Buffer.byteLength(line) + 1
      const record = { event: (told as Exclude<typeof told, { kind: 'damage' }>).event, start, end }
      start = end
      return record
    })
}

function expectFile(name: string, file: string, actual: string): void {
  const path = join(cases, name, file)
  if (isUpdate) writeFileSync(path, actual)
  assert.equal(actual, readFileSync(path, 'utf8'))
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}
