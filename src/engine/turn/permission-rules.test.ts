import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { PermissionRequest } from '../agent.ts'
import { EngineError } from '../errors.ts'
import { parseRule } from '../permission/rule.ts'
import { rulesPolicy } from './permission-rules.ts'

const shell = (fullCommandText: string) =>
  ({ kind: 'shell', toolCallId: 't', fullCommandText }) as unknown as PermissionRequest
const write = (fileName: string) =>
  ({ kind: 'write', toolCallId: 't', fileName }) as unknown as PermissionRequest
const here = { mode: 'interactive', cwd: '/work/app', workspacePath: '/home/s' }

describe('rules of the configuration', () => {
  const decide = rulesPolicy(
    {
      allow: ['shell(git status*)', 'shell(npm test)', 'write(src/**)'],
      deny: ['shell(git status --evil*)', 'write(**/.env)'],
    },
    () => 'ask',
  )
  const kindOf = async (request: PermissionRequest) => {
    const decision = await decide(request, here)
    return decision === 'ask' ? 'ask' : decision.kind
  }

  for (const [request, expected] of [
    [shell('git status'), 'allow'],
    [shell('git statusx'), 'ask'],
    [shell('git status --short src/a'), 'allow'],
    [shell('npm test'), 'allow'],
    [shell('npm test -- --watch'), 'ask'],
    [shell('git push'), 'ask'],
    [shell('git status --evil x'), 'deny'],
    [shell('git status; rm -rf /'), 'ask'],
    [shell('git status && rm x'), 'ask'],
    [shell('git status | sh'), 'deny'],
    [shell('git status > /etc/passwd'), 'ask'],
    [shell('git status $(rm x)'), 'deny'],
    [shell('git status `rm x`'), 'deny'],
    [shell('git status\nrm x'), 'ask'],
    [write('/work/app/src/deep/a.ts'), 'allow'],
    [write('src/a.ts'), 'allow'],
    [write('/work/app/other/a.ts'), 'ask'],
    [write('/work/app/src/.env'), 'deny'],
    [write('/elsewhere/src/a.ts'), 'ask'],
  ] as const) {
    test(`${JSON.stringify({ ...request, toolCallId: undefined })} is ${expected}`, async () => {
      assert.equal(await kindOf(request), expected)
    })
  }

  test('plan mode changes nothing, whatever the rules allow', async () => {
    assert.deepEqual(await decide(write('src/a.ts'), { ...here, mode: 'plan' }), {
      kind: 'deny',
      by: 'policy',
      because: { mode: 'plan' },
      feedback: 'The session is in plan mode: nothing is changed in it.',
    })
  })
})

test('a rule that cannot be read is named', () => {
  for (const rule of ['', 'shell(', 'Rm -rf', 'shell)x(']) {
    assert.throws(
      () => parseRule(rule),
      (error) => error instanceof EngineError && error.code === 'invalid',
    )
  }
})
