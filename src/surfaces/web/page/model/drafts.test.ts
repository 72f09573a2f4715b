/** Nothing that was typed is lost, whatever becomes of the tab. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { broughtBack, createDrafts } from './drafts.ts'

function memory() {
  const kept = new Map<string, string>()
  return {
    kept,
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
    removeItem: (name: string) => void kept.delete(name),
  }
}

test('a draft is there again, and leaves nothing behind when it is empty', () => {
  const store = memory()
  createDrafts(store, 'a').write('s', 'half a thought')
  assert.equal(createDrafts(store, 'b').open('s'), 'half a thought')
  createDrafts(store, 'b').write('s', '')
  assert.deepEqual([...store.kept], [])
})

test('what was sent comes back after a reload unless it arrived, before what was typed since', () => {
  const store = memory()
  const drafts = createDrafts(store, 'a')
  drafts.send('s', 'first')
  drafts.send('s', 'second')
  drafts.write('s', 'third')
  drafts.arrived('s', 'first')
  assert.equal(createDrafts(store, 'a').open('s'), 'second\n\nthird')
})

test('what another tab sends is its own until that tab must be gone', () => {
  const store = memory()
  let now = 0
  createDrafts(store, 'a', () => now).send('s', 'on its way')
  const other = createDrafts(store, 'b', () => now)
  assert.equal(other.open('s'), '')
  now = 61_000
  assert.equal(other.open('s'), 'on its way')
})

test('what was refused does not replace what was typed meanwhile', () => {
  assert.equal(broughtBack('sent', ''), 'sent')
  assert.equal(broughtBack('sent', 'new'), 'sent\n\nnew')
})

test('a store that holds something else or nothing at all is no reason to fail', () => {
  const store = memory()
  store.kept.set('reprise.draft.s', 'no JSON')
  assert.equal(createDrafts(store, 'a').open('s'), '')
  const full = { ...store, setItem: () => assert.fail('full') }
  createDrafts(full, 'a').write('s', 'x')
})
