import assert from 'node:assert/strict'
import { test } from 'node:test'
import { missedLine } from './missed-variables.ts'

const names = ['GH_TOKEN', 'NPM_TOKEN', 'AWS_SECRET_ACCESS_KEY', 'OTHER_KEY']
const env = Object.fromEntries([...names, 'PATH'].map((name) => [name, 'made-up-9f3c']))
const failed = (output: string) => ({ exitCode: 1, output })

test('a program that could not sign in has the variable that it missed named, with the setting', () => {
  const said: readonly (readonly [command: string, output: string, name: string])[] = [
    ['gh pr list', 'To get started, please run: gh auth login', 'GH_TOKEN'],
    ['cd x && gh api user', 'HTTP 401: Bad credentials', 'GH_TOKEN'],
    ['npm publish --access public', 'npm error code ENEEDAUTH', 'NPM_TOKEN'],
    ['aws s3 ls | head', 'Unable to locate credentials', 'AWS_SECRET_ACCESS_KEY'],
  ]
  for (const [command, output, name] of said) {
    const line = missedLine(command, failed(output), env) ?? ''
    assert.match(
      line,
      new RegExp(`${name}; .*config set environment.pass '\\["${name}"\\]'`),
      command,
    )
  }
})

test('nothing is said where nothing was missed', () => {
  const cases = [
    missedLine('gh pr list', { exitCode: 0, output: 'token' }, env),
    missedLine('npm test', failed('1 test failed'), env),
    missedLine('make', failed('permission denied'), env),
    missedLine('gh pr list', failed('not logged in'), { PATH: '/bin' }),
    missedLine('gh pr list', failed('not logged in'), { ...env, REPRISE_ENV_PASS: '*' }),
  ]
  assert.deepEqual(cases, [undefined, undefined, undefined, undefined, undefined])
})

test('a command that names a variable is told that it is not there, however it ended', () => {
  const ended = { exitCode: 0, output: '' }
  assert.match(missedLine('curl -H "X: $OTHER_KEY" x', ended, env) ?? '', /OTHER_KEY/)
  assert.match(missedLine('echo ${OTHER_KEY:-none}', ended, env) ?? '', /OTHER_KEY/)
  assert.equal(missedLine('echo $OTHER_KEYS', ended, env), undefined)
})

test('what --secret-env-vars withholds is not offered to be passed', () => {
  const named = { ...env, REPRISE_SECRET_ENV_VARS: 'OTHER_KEY' }
  const line = missedLine('echo $OTHER_KEY', { exitCode: 0, output: '' }, named)
  assert.equal(line, '<withheld by --secret-env-vars: OTHER_KEY>')
})
