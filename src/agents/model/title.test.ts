import assert from 'node:assert/strict'
import { test } from 'node:test'
import { titleIn } from './title.ts'

test('a title is what a model says, without what models put around it', () => {
  const cases = [
    ['Mend the flaky login test', 'Mend the flaky login test'],
    ['"Mend the login test."', 'Mend the login test'],
    ['**Title: Mend the login test**', 'Mend the login test'],
    ['# Mend the login test\n\nThis is about…', 'Mend the login test'],
    ['<think>What may it be?\nA test.</think>\n\nMend it', 'Mend it'],
    ['„Den Test heilen“', 'Den Test heilen'],
    ['修复登录测试。', '修复登录测试'],
    ['`npm test` fails', 'npm test` fails'],
    ['<think>It was cut in the middle of', undefined],
    ['', undefined],
    ['  \n ', undefined],
    [`I would be glad to help you with that. ${'Tell me more. '.repeat(9)}`, undefined],
  ] as const
  assert.deepEqual(
    cases.map(([answer]) => titleIn(answer)),
    cases.map(([, title]) => title),
  )
})
