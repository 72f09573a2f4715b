import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { forgetInJson } from './forget-json.ts'
import { createForgetter } from './forget-text.ts'

const forgetter = createForgetter(['say "hi"\n', 'zanzibar'])
const cleaned = (json: string) => forgetInJson(json, forgetter)?.cleaned

test('a value is replaced by letters of the same length, however it is escaped', () => {
  assert.equal(cleaned('{"a":"x zanzibar y"}'), '{"a":"x xxxxxxxx y"}')
  assert.equal(cleaned('{"a":"\\u007aanzibar"}'), '{"a":"forgottenxxxx"}')
  assert.equal(cleaned('{"a":"say \\"hi\\"\\n!"}'), '{"a":"forgottenxxx!"}')
  assert.equal(cleaned('{"a":"{\\"b\\":\\"zanzibar\\"}"}'), '{"a":"{\\"b\\":\\"xxxxxxxx\\"}"}')
  assert.equal(cleaned('{"a":"nothing"}'), undefined)
})

test('an escape before it is not torn', () => {
  const n = createForgetter(['nzanzi'])
  assert.equal(forgetInJson('{"a":"\\nzanzi"}', n), undefined)
})

test('ids, types and keys of the format stay, sentences and keys of people do not', () => {
  assert.equal(cleaned('{"id":"zanzibar","type":"zanzibar.x"}'), undefined)
  assert.equal(cleaned('{"zanzibar":1}'), undefined)
  assert.equal(cleaned('{"my zanzibar":1}'), '{"my xxxxxxxx":1}')
  assert.equal(cleaned('{"type":"see zanzibar there"}'), '{"type":"see xxxxxxxx there"}')
})

test('a line that was cut off is cleaned, too', () => {
  assert.equal(cleaned('{"a":"in zanzibar'), '{"a":"in xxxxxxxx')
})

test('what stands before a cut, or behind it, goes as well', () => {
  assert.equal(cleaned('{"a":"in zanzi… and …ibar"}'), '{"a":"in xxxxx… and …xxxx"}')
})

test('any JSON stays as long and as valid, and holds the value no more', () => {
  const text = fc.string({ unit: 'grapheme' })
  fc.assert(
    fc.property(
      text.filter((value) => value.trim().length >= 6 && !/forgotten|xx/.test(value)),
      text,
      text,
      (value, before, after) => {
        const json = JSON.stringify({
          content: `${before}${value}${after}`,
          list: [before, { deep: value }],
        })
        const found = forgetInJson(json, createForgetter([value]))
        assert.ok(found)
        assert.equal(Buffer.byteLength(found.cleaned), Buffer.byteLength(json))
        const { list } = JSON.parse(found.cleaned) as { list: [string, { deep: string }] }
        assert.ok(!list[1].deep.includes(value))
      },
    ),
  )
})
