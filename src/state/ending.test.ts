import assert from 'node:assert/strict'
import { test } from 'node:test'
import { logOf } from '../../test/log-of.ts'
import { howItEnded } from './ending.ts'

const ended = (content: string): string =>
  howItEnded(
    logOf([{ type: 'assistant.message', data: { messageId: 'm', content } }]).map(
      ({ event }) => event,
    ),
  ).text

test('of an answer what is said is told on one line, without its code, tables and formulas', () => {
  assert.equal(
    ended('It **works**.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```ts\ngo()\n```\n$$x^2$$\nDone.'),
    'It works. Done.',
  )
})

test('an answer that is nothing else is told by what it has', () => {
  assert.equal(ended('```\nls -l\n```'), 'ls -l')
  assert.equal(ended('| a | b |'), 'a b')
})

test('a formula in a line stays whole or goes', () => {
  const long = 'word '.repeat(44)
  assert.equal(ended('The area is $\\pi r^2$.'), 'The area is $\\pi r^2$.')
  assert.equal(ended(`${long}is $\\frac{a+b}{c+d+e+f}$ wide.`), `${long}is…`)
  assert.equal(ended(`${long}costs $5 and more than that, I think.`), `${long}costs $5 and more t…`)
})

test('a block that is never closed, and a long one, end it in time', () => {
  assert.equal(ended('Look:\n```ts\nconst a = 1'), 'Look:')
  assert.equal(ended(`Look:\n${'\n'.repeat(5_000_000)}`), 'Look:')
})
