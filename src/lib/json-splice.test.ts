import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { spliceJson } from './json-splice.ts'

describe('splicing JSON', () => {
  test('replaces values and leaves every other character alone', () => {
    const text =
      '{ "a" : 1.50e0 ,\t"b":{"c":[ {"d":"\\u00e9"} , 2 ],"é":null}, "b2":9007199254740993}'
    const edits = [
      { path: ['a'], value: '"x"' },
      { path: ['b', 'c', '0', 'd'], value: '{"n":1}' },
      { path: ['b', 'é'], value: 'true' },
    ]
    assert.equal(
      spliceJson(text, edits),
      '{ "a" : "x" ,\t"b":{"c":[ {"d":{"n":1}} , 2 ],"é":true}, "b2":9007199254740993}',
    )
  })

  test('drops members with one comma, wherever they stand', () => {
    const drop = (...keys: string[]) =>
      spliceJson(
        '{"a":1, "b":2, "c":3}',
        keys.map((key) => ({ path: [key], value: undefined })),
      )
    assert.deepEqual(
      [
        drop('a'),
        drop('b'),
        drop('c'),
        drop('a', 'b'),
        drop('b', 'c'),
        drop('a', 'c'),
        drop('a', 'b', 'c'),
      ],
      ['{"b":2, "c":3}', '{"a":1, "c":3}', '{"a":1, "b":2}', '{"c":3}', '{"a":1}', '{"b":2}', '{}'],
    )
  })

  test('leaves a text without the path as it is', () => {
    const text = '{"a":{"b":"} \\" {"},"list":[]}'
    for (const path of [['x'], ['a', 'x'], ['a', 'b', 'c'], ['list', '0']]) {
      assert.equal(spliceJson(text, [{ path, value: '1' }]), text)
    }
  })

  test('is not misled by strings that look like structure, or by escaped keys', () => {
    const text = '{"x":"\\"id\\":1,{[","\\u0069d":"\\\\","tail":"\\\\\\""}'
    assert.equal(
      spliceJson(text, [{ path: ['id'], value: '2' }]),
      '{"x":"\\"id\\":1,{[","\\u0069d":2,"tail":"\\\\\\""}',
    )
  })

  test('refuses what is not JSON', () => {
    for (const text of ['{"a"', '{"a":', '{"a":1', '{a:1}', '{"a":1 "b":2}', '[1,', '{"a":"x}']) {
      assert.throws(() => spliceJson(text, [{ path: ['b', 'c'], value: '1' }]), SyntaxError)
    }
  })

  test('replaces one member of any object as a parser would', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.nat(),
        fc.jsonValue(),
        (object, nth, value) => {
          const keys = Object.keys(object)
          const key = keys[nth % Math.max(1, keys.length)]
          if (key === undefined || key === '__proto__') return
          const replaced = spliceJson(JSON.stringify(object), [
            { path: [key], value: JSON.stringify(value) },
          ])
          assert.equal(replaced, JSON.stringify({ ...object, [key]: value }))
          const { [key]: _, ...rest } = object
          const dropped = spliceJson(JSON.stringify(object), [{ path: [key], value: undefined }])
          assert.equal(dropped, JSON.stringify(rest))
        },
      ),
    )
  })
})
