/** How much is found, and how much is found that is none. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { cleanEvents } from '../../../test/support/clean-events.ts'
import { leftIn, seededSecrets, shapes } from '../../../test/support/seeded-secrets.ts'
import { harmlessLines } from '../../../test/support/harmless-lines.ts'
import {
  isLeft,
  secretCorpus,
  secretKinds,
  type CorpusEntry,
} from '../../../test/support/secret-kinds.ts'
import { createRedactor } from './redact.ts'

const key = new Uint8Array(32).fill(7)
const redactor = createRedactor({ key })

test('at least 99 % of secrets of all kinds are hidden, in every place and of every kind', () => {
  const secrets = seededSecrets(20260501, shapes.length * 10)
  const missed = secrets.filter(
    (each) => leftIn(redactor.redactText(each.text).text, [each]).length > 0,
  )
  assert.ok(
    missed.length <= secrets.length / 100,
    `${missed.length} of ${secrets.length}: ${missed.map(({ kind, place }) => `${kind} in ${place}`).join(', ')}`,
  )
  for (const { kind } of shapes) {
    const ofKind = secrets.filter((secret) => secret.kind === kind)
    const missedOfKind = missed.filter((secret) => secret.kind === kind)
    assert.ok(missedOfKind.length <= ofKind.length / 10, `${kind}: ${missedOfKind.length} missed`)
  }
})

/** Of the values of each place, how many are hidden, in percent. */
const hiddenOf = (entries: readonly CorpusEntry[]) => {
  const hidden = entries.filter((each) => !isLeft(redactor.redactText(each.text).text, each))
  return (100 * hidden.length) / entries.length
}

test('kinds with a shape are hidden bare, and all kinds by a name, in JSON, a URL and a command', () => {
  const corpus = secretCorpus(20261119)
  assert.ok(secretKinds.length >= 92)
  for (const column of new Set(corpus.map((each) => each.column))) {
    const of = (isShaped: boolean) =>
      hiddenOf(corpus.filter((each) => each.column === column && each.isShaped === isShaped))
    assert.ok(of(true) >= (column === 'bare' ? 95 : 98), `${column}: ${of(true)} %`)
    // Without a shape and without a name it could be anything.
    assert.ok(column === 'bare' || of(false) >= 98, `${column}, without a shape: ${of(false)} %`)
  }
})

test('no line of lists, logs, locks, hashes, pictures and code is changed', () => {
  const changed = harmlessLines(20261119, 4000)
    .map((line) => redactor.redactText(line).text)
    .filter((text) => text.includes('[REDACTED:'))
  assert.deepEqual(changed, [])
})

test('less than 0.1 % of 10,000 clean events are changed', () => {
  const changed = cleanEvents(20260502, 10_000).filter(
    (event) => redactor.redactText(event).text !== event,
  )
  assert.ok(changed.length < 10, `${changed.length} changed, such as ${changed[0]}`)
})

test('the sources of this project hold nothing that is taken for a secret', () => {
  const root = join(import.meta.dirname, '../../..')
  const files = globSync(['src/**/*.ts', 'docs/**/*.md', '*.md', 'package-lock.json'], {
    cwd: root,
  })
  const changed = files
    // Tests of this room and of git's configuration write made-up secrets down.
    .filter((file) => !file.endsWith('.test.ts'))
    .flatMap((file) =>
      redactor
        .redactText(readFileSync(join(root, file), 'utf8'))
        .found.map((found) => ({ file, ...found })),
    )
  assert.deepEqual(changed, [])
})
