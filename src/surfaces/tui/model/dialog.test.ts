import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { stepDialog, type Dialog, type Stepped } from './dialog.ts'

const choice: Dialog = {
  kind: 'choice',
  title: 'Which?',
  options: [{ label: 'red' }, { label: 'green', detail: 'like grass' }, { label: 'blue' }],
  at: 0,
  filter: '',
}

const labelled = (label: string) => ({ label })

const after = (dialog: Dialog, ...keys: readonly string[]): Stepped =>
  keys.reduce<Stepped>((step, key) => ('dialog' in step ? stepDialog(step.dialog, key) : step), {
    dialog,
  })

describe('a choice', () => {
  it('moves within its bounds and takes what is marked', () => {
    assert.deepEqual(after(choice, 'up', 'down', 'enter'), { reply: 1 })
    assert.deepEqual(after(choice, 'pageDown', 'down', 'enter'), { reply: 2 })
  })

  it('takes a number at once', () => {
    assert.deepEqual(after(choice, '3'), { reply: 2 })
  })

  it('takes a digit that is part of a name for a part of that name', () => {
    const models: Dialog = { ...choice, options: ['o1', 'gpt-3', 'gpt-4o'].map(labelled) }
    assert.deepEqual(after(models, '3', 'enter'), { reply: 1 })
  })

  it('narrows by label and detail and gives the place in the whole list', () => {
    assert.deepEqual(after(choice, 'g', 'r', 'a', 'enter'), { reply: 1 })
  })

  it('takes nothing when nothing is left, and nothing when it is left', () => {
    assert.deepEqual(after(choice, 'z', 'enter'), { reply: undefined })
    assert.deepEqual(after(choice, 'escape'), { reply: undefined })
  })
})

describe('yes or no', () => {
  it('means no unless it is yes', () => {
    const dialog: Dialog = { kind: 'confirm', title: 'Sure?' }
    assert.deepEqual(after(dialog, 'y'), { reply: true })
    assert.deepEqual(after(dialog, 'enter'), { reply: false })
    assert.deepEqual(after(dialog, 'x'), { dialog })
  })
})

describe('a line', () => {
  it('is typed, corrected and given', () => {
    const dialog: Dialog = { kind: 'line', title: 'Name', text: 'a👍' }
    assert.deepEqual(after(dialog, 'backspace', 'b', 'space', 'c', 'enter'), { reply: 'ab c' })
    assert.deepEqual(after(dialog, 'ctrl+u', 'enter'), { reply: '' })
  })
})
