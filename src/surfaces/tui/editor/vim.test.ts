import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Editor } from '@earendil-works/pi-tui'
import type { TUI } from '@earendil-works/pi-tui'
import { makeTheme } from '../view/theme.ts'
import { createVim } from './vim.ts'

/** Types into a real editor, as the screen does. */
function typed(...keys: readonly string[]): { text: string; mode: string } {
  const tui = { requestRender() {}, terminal: { rows: 24, columns: 80 } } as unknown as TUI
  const editor = new Editor(tui, makeTheme({ isPainted: false }).editor)
  editor.render(80)
  const vim = createVim()
  for (const key of keys) {
    const place = { lines: editor.getLines(), ...editor.getCursor() }
    const inputs = vim.press(key, place)
    for (const input of inputs ?? [key]) editor.handleInput(input)
  }
  return { text: editor.getText(), mode: vim.mode() }
}

const letters = (text: string) => [...text]

describe('the keys of vim', () => {
  it('type until esc, and then move and change', () => {
    assert.deepEqual(typed(...letters('one two'), 'escape', ...letters('0dw')), {
      text: ' two',
      mode: 'normal',
    })
    assert.equal(typed(...letters('one two'), 'escape', ...letters('0xxx')).text, ' two')
    assert.equal(typed(...letters('one two three'), 'escape', ...letters('2bD')).text, 'one ')
    assert.equal(typed(...letters('one'), 'escape', ...letters('A!')).text, 'one!')
    assert.equal(typed(...letters('one'), 'escape', ...letters('I> ')).text, '> one')
  })

  it('change a word, a letter and a line, and take it back', () => {
    assert.deepEqual(typed(...letters('one two'), 'escape', ...letters('0cwten')), {
      text: 'ten two',
      mode: 'insert',
    })
    assert.equal(typed(...letters('one'), 'escape', ...letters('0rO')).text, 'One')
    assert.equal(typed(...letters('one'), '\n', ...letters('two'), 'escape', 'd', 'd').text, 'one')
    assert.equal(
      typed(...letters('one'), '\n', ...letters('two'), 'escape', ...letters('ggdd')).text,
      'two',
    )
    assert.equal(typed(...letters('one'), 'escape', ...letters('ccx'), 'escape', 'u').text, '')
  })

  it('put what was cut or copied, and open lines', () => {
    assert.equal(typed(...letters('ab'), 'escape', ...letters('yyP')).text, 'abab')
    assert.equal(typed(...letters('one'), 'escape', ...letters('otwo')).text, 'one\ntwo')
    assert.equal(typed(...letters('one'), 'escape', ...letters('Ozero')).text, 'zero\none')
    assert.equal(typed(...letters('a.b.c'), 'escape', ...letters('0f.x')).text, 'ab.c')
  })

  it('type nothing by chance, and begin commands in an empty text', () => {
    assert.equal(typed(...letters('one'), 'escape', ...letters('zqZ')).text, 'one')
    assert.deepEqual(typed('escape', ...letters('/help')), { text: '/help', mode: 'insert' })
  })
})
