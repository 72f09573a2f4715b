import assert from 'node:assert/strict'
import { test } from 'node:test'
import { whichServer } from './which-server.ts'

const of = (line: string) => whichServer(line.split(' '))

test('a server is asked for by its flag, wherever it stands', () => {
  assert.equal(of('--home x --agent offline'), undefined)
  assert.deepEqual(of('--home x --server --port 1'), {
    kind: 'rpc',
    argv: ['--home', 'x', '--server', '--port', '1'],
  })
  assert.equal(of('--headless --stdio --session-idle-timeout 5')?.kind, 'rpc')
  assert.deepEqual(of('--home x --ui-server --no-open'), {
    kind: 'web',
    argv: ['--home', 'x', '--no-open'],
  })
})

test('a message or a name that looks like the flag is none', () => {
  assert.equal(of('-p --server'), undefined)
  assert.equal(of('--name --headless -p hi'), undefined)
})

test('flags for a person are refused in words', () => {
  const refused: readonly (readonly [string, RegExp])[] = [
    ['--server --continue', /--continue do not go together\. Its clients say which session/],
    ['--server -n work', /-n do not go together/],
    ['--headless --name=work', /--name do not go together/],
    ['--server -p hi', /clients send the messages/],
    ['--server --plain', /for a person at a terminal/],
    ['--headless --cloud', /needs a Mission Control/],
    ['--server --connect x', /needs a Mission Control/],
    ['--server --ui-server', /two servers/],
    ['--ui-server --resume', /opens sessions by their links/],
    ['--ui-server --session-idle-timeout 5', /belongs to --server/],
  ]
  for (const [line, message] of refused)
    assert.throws(() => of(line), { code: 'invalid', message }, line)
})
