import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EntryOf, TranscriptEntry } from '../../../../state/transcript.ts'
import { assistantName, speakerName } from './entry-words.ts'

test('who is heard right now is called as in the answer before, or as the model that answers', () => {
  const answer = (model?: string) => ({ kind: 'assistant', text: 'So.', model })
  const name = (entries: object[], model?: string) =>
    speakerName(entries as unknown as TranscriptEntry[], model)
  assert.deepEqual(
    [
      name([]),
      name([], 'm1'),
      name([answer('m2'), { kind: 'user', text: 'And?' }], 'm1'),
      name([answer('m2'), answer()], 'm1'),
    ],
    ['Agent', 'm1', 'm2', 'Agent'],
  )
})

test('an answer that was cut off is called as the one who answers', () => {
  const cut = { kind: 'assistant', text: 'So', unfinished: 'stopped' }
  const entry = cut as unknown as EntryOf<'assistant'>
  assert.equal(assistantName(entry, speakerName([entry], 'm1')), 'm1')
  assert.equal(assistantName({ ...entry, model: 'm2' }, 'm1'), 'm2')
})
