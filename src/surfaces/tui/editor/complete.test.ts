import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { table } from '../../../commands/table.ts'
import { completion } from './complete.ts'

describe('completion', () => {
  const provider = completion(
    () => table,
    async () => ['src/', 'src/mill.ts', 'src/main.ts', 'README.md', 'a note.md'],
  )
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
    assert.deepEqual(await offered('/expo'), ['/export'])
  })

  it('offers files behind an @ wherever a word begins', async () => {
    assert.deepEqual(await offered('look at @mill'), ['@src/mill.ts'])
    assert.equal(await offered('mail me@home'), undefined)
    assert.deepEqual(await offered('@note'), ['@"a note.md"'])
    assert.equal((await offered('@src'))?.[0], '@src/')
    assert.equal(await offered('@README.md'), undefined, 'enter sends it')
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
