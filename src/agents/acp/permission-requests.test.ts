import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deedOf, optionFor } from './permission-requests.ts'
import { commandText } from './terminals.ts'

const once = { optionId: 'o', kind: 'allow_once' }
const always = { optionId: 'a', kind: 'allow_always' }
const reject = { optionId: 'r', kind: 'reject_once' }

test('never more is granted than was decided', () => {
  assert.deepEqual(
    [
      optionFor({ kind: 'allow' }, [always, once, reject]),
      optionFor({ kind: 'allow-for-session' }, [always, once, reject]),
      optionFor({ kind: 'allow-for-session' }, [always, reject]),
      optionFor({ kind: 'allow' }, [always, reject]),
      optionFor({ kind: 'deny' }, [always, once, reject]),
      optionFor({ kind: 'deny' }, [always, once]),
      optionFor({ kind: 'allow', option: 'a' }, [once, always, reject]),
      optionFor({ kind: 'deny', option: 'a' }, [once, always, reject]),
      optionFor({ kind: 'allow', option: 'r' }, [once, always, reject]),
      optionFor({ kind: 'allow', option: 'unheard of' }, [once, always, reject]),
    ],
    ['o', 'o', 'a', 'r', 'r', undefined, 'a', 'r', 'o', 'o'],
  )
})

test('whatever holds a command is asked for as a command, however the agent labels it', () => {
  for (const kind of ['read', 'search', 'think', undefined]) {
    const deed = deedOf({ title: 'Look', kind, rawInput: { command: ['rm', '-rf', 'x'] } })
    assert.deepEqual(
      [deed.kind, deed.kind === 'shell' && deed.fullCommandText],
      ['shell', 'rm -rf x'],
    )
  }
})

test('each kind of call is asked for as what it does', () => {
  const diff = { type: 'diff', path: '/p/a.md', oldText: 'a\n', newText: 'b\n' }
  assert.deepEqual(
    [
      deedOf({ kind: 'execute', title: 'ls' }),
      deedOf({ kind: 'other', title: 'Edit', content: [diff] }),
      deedOf({ kind: 'delete', title: 'Delete', locations: [{ path: '/p/b' }] }),
      deedOf({ kind: 'read', title: 'Read', rawInput: { file_path: '/etc/hosts' } }),
      deedOf({ kind: 'read', title: 'Read something' }),
      deedOf({ kind: 'fetch', title: 'Get', rawInput: { url: 'https://example.org' } }),
    ].map(({ kind }) => kind),
    ['shell', 'write', 'write', 'read', 'custom-tool', 'url'],
  )
})

test('a command is shown as it is run: arguments quoted, variables before it', () => {
  assert.equal(commandText({ command: 'a && b' }), 'a && b')
  assert.equal(
    commandText({ command: 'git', args: ['log', '--format=%h', "it's; rm x"] }),
    `git log --format=%h 'it'\\''s; rm x'`,
  )
  assert.equal(
    commandText({ command: 'make', env: [{ name: 'CC', value: 'a b' }] }),
    `export CC='a b'; make`,
  )
  assert.throws(
    () => commandText({ command: 'x', env: [{ name: 'A;B', value: '' }] }),
    /name that no shell takes/,
  )
})
