import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Editor, type TUI } from '@earendil-works/pi-tui'
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
    for (const input of inputs ?? [key])
      if (typeof input === 'string') editor.handleInput(input)
      else editor.insertTextAtCursor(input.insert)
  }
  return { text: editor.getText(), mode: vim.mode() }
}

const letters = (text: string) => [...text]

describe('the keys of vim', () => {
  it('type until esc, and then move and change', () => {
    assert.deepEqual(typed(...letters('one two'), 'escape', ...letters('0dw')), {
      text: 'two',
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
    assert.equal(typed(...letters('ab'), 'escape', ...letters('yyP')).text, 'ab\nab')
    assert.equal(
      typed(...letters('ab cd'), 'escape', ...letters('0dwA '), 'escape', 'p').text,
      'cd ab ',
    )
    assert.equal(typed(...letters('one'), 'escape', ...letters('otwo')).text, 'one\ntwo')
    assert.equal(typed(...letters('one'), 'escape', ...letters('Ozero')).text, 'zero\none')
    assert.equal(typed(...letters('a.b.c'), 'escape', ...letters('0f.x')).text, 'ab.c')
  })

  it('lead where vim leads, and take with them what it takes', () => {
    const text = 'one two, three'
    const cases: Readonly<Record<string, string>> = {
      '0wx': 'one wo, three',
      '0ex': 'on two, three',
      '02wx': 'one two three',
      '02Wx': 'one two, hree',
      '0dW': 'two, three',
      '02dw': ', three',
      '0d2w': ', three',
      $x: 'one two, thre',
      $dw: 'one two, thre',
      '0wcwTWO': 'one TWO, three',
      '0wciwTWO': 'one TWO, three',
      '0wdaw': 'one, three',
      '0wdiw': 'one , three',
      '0df,': ' three',
      '0dt,': ', three',
      '0fex;x': 'on two, thre',
      '0w~~': 'one TWo, three',
      '0wyw$p': 'one two, threetwo',
      '0wD': 'one ',
      '0x3u': 'one two, three',
      '0dwu': 'one two, three',
      '0cwX': 'X two, three',
      hhix: 'one two, thxree',
    }
    for (const [keys, result] of Object.entries(cases))
      assert.equal(typed(...letters(text), 'escape', ...letters(keys)).text, result, keys)
  })

  it('work on whole lines', () => {
    const cases: Readonly<Record<string, string>> = {
      ggdG: '',
      ggdd: 'two\n\nfour',
      ggdj: '\nfour',
      dd: 'one\ntwo\n',
      gg2ddu: 'one\ntwo\n\nfour',
      ggyyp: 'one\none\ntwo\n\nfour',
      ggyyP: 'one\none\ntwo\n\nfour',
      ggddp: 'two\none\n\nfour',
      gg2yyGp: 'one\ntwo\n\nfour\none\ntwo',
      ggJ: 'one two\n\nfour',
      '2GccX': 'one\nX\n\nfour',
      dgg: '',
      dk: 'one\ntwo',
      ggwwwx: 'one\ntwo\n\nour',
    }
    const text = ['one', 'two', '', 'four'].flatMap((line, at) => [
      ...(at === 0 ? [] : ['\n']),
      ...letters(line),
    ])
    for (const [keys, result] of Object.entries(cases))
      assert.equal(typed(...text, 'escape', ...letters(keys)).text, result, keys)
  })

  it('do the last change again', () => {
    const cases: Readonly<Record<string, string>> = {
      '0dw.': ', three',
      '0x..': ' two, three',
      '0cwX\x1bw.': 'X X, three',
      'A!\x1b.': 'one two, three!!',
      'I> \x1b.': '> > one two, three',
      '0rXl.': 'XXe two, three',
      '0xu.': 'ne two, three',
    }
    for (const [keys, result] of Object.entries(cases)) {
      const pressed = letters(keys).map((key) => (key === '\x1b' ? 'escape' : key))
      const { text } = typed(...letters('one two, three'), 'escape', ...pressed)
      assert.equal(text, result, keys)
    }
  })

  it('choose a part and do something to it', () => {
    const cases: Readonly<Record<string, string>> = {
      '0vd': 'ne two, three',
      '0ved': ' two, three',
      '0wvec2': 'one 2, three',
      '0vey$p': 'one two, threeone',
      '0wviwd': 'one , three',
      $vbd: 'one two, ',
      '0vf,d': ' three',
      '0veU': 'ONE two, three',
      '0ve~': 'ONE two, three',
      '0veylvep': 'oone two, three',
      '0wveod': 'one , three',
      '0vvx': 'ne two, three',
      Vd: '',
      Vyp: 'one two, three\none two, three',
      '0v2ed': ', three',
    }
    for (const [keys, result] of Object.entries(cases))
      assert.equal(
        typed(...letters('one two, three'), 'escape', ...letters(keys)).text,
        result,
        keys,
      )
    const lines = typed(
      ...letters('one'),
      '\n',
      ...letters('two'),
      '\n',
      ...letters('six'),
      'escape',
      ...letters('ggVjd'),
    )
    assert.equal(lines.text, 'six')
    assert.equal(typed(...letters('one'), 'escape', 'v').mode, 'visual')
    assert.equal(typed(...letters('one'), 'escape', 'v', 'escape').mode, 'normal')
  })

  it('count signs as people see them', () => {
    assert.equal(typed(...letters('a👩‍👩‍👧b'), 'escape', ...letters('0lx')).text, 'ab')
    assert.equal(typed(...letters('日本 語'), 'escape', ...letters('0dw')).text, '語')
  })

  it('type nothing by chance, and begin commands in an empty text', () => {
    assert.equal(typed(...letters('one'), 'escape', ...letters('zqZ')).text, 'one')
    assert.deepEqual(typed('escape', ...letters('/help')), { text: '/help', mode: 'insert' })
  })
})
