import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { completion } from '../editor/complete.ts'
import { commandOf, commands } from './table.ts'

describe('the table of commands', () => {
  it('has each name once, with a help that is one line', () => {
    const names = commands.map(({ name }) => name)
    assert.deepEqual(names, [...new Set(names)])
    for (const { name, help } of commands) assert.match(help, /^[^\n]{3,80}$/, name)
  })

  it('tells commands from messages that only begin like one', () => {
    assert.equal(commandOf('hello'), undefined)
    assert.equal(commandOf('/usr/bin is a folder'), undefined)
    assert.deepEqual(commandOf('/nope'), { unknown: 'nope' })
    const fork = commandOf(' /fork  my way ')
    assert.ok(fork !== undefined && 'command' in fork)
    assert.deepEqual([fork.command.name, fork.rest], ['fork', 'my way'])
  })
})

describe('completion', () => {
  const provider = completion(commands, async () => ['src/mill.ts', 'src/main.ts', 'README.md'])
  const offered = async (text: string) => {
    const { signal } = new AbortController()
    const found = await provider.getSuggestions([text], 0, text.length, { signal })
    return found?.items.map(({ value }) => value)
  }

  it('offers commands by their beginning, and their words', async () => {
    assert.deepEqual(await offered('/se'), ['/session', '/search'])
    assert.deepEqual(await offered('/session de'), ['delete', 'delete-all'])
    assert.equal(await offered('/session info'), undefined)
    assert.equal(await offered('/zzz'), undefined)
  })

  it('offers files behind an @ wherever a word begins', async () => {
    assert.deepEqual(await offered('look at @mill'), ['@src/mill.ts'])
    assert.equal(await offered('mail me@home'), undefined)
  })

  it('puts what was chosen in place of what was typed', () => {
    const done = provider.applyCompletion(
      ['see @mil please'],
      0,
      8,
      { value: '@src/mill.ts', label: '' },
      '@mil',
    )
    assert.deepEqual(done, { lines: ['see @src/mill.ts  please'], cursorLine: 0, cursorCol: 17 })
  })
})
