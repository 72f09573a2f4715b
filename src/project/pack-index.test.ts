import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encodeIndex, packPlaces, type PackPlace } from './pack-index.ts'
import { sha256Of } from './sha256.ts'

const hash = (n: number) => sha256Of(new TextEncoder().encode(`content ${n}`))
const place = (start: number): PackPlace => ({ start, length: 1, offset: 2, size: 3 })

test('each content is found where it was last put, as in a table, however many packs there are', () => {
  const places = packPlaces<string>()
  const expected = new Map<string, PackPlace & { pack: string }>()
  for (let pack = 0; pack < 40; pack++) {
    const index = new Map<string, PackPlace>()
    // Every other content is in the pack before as well.
    for (let n = 0; n < 200; n++) index.set(hash(pack * 100 + n), place(pack * 1000 + n))
    places.add(`pack ${pack}`, encodeIndex(index))
    for (const [sha256, each] of index) expected.set(sha256, { ...each, pack: `pack ${pack}` })
    if (pack % 3 !== 0) continue
    for (let n = 0; n < 10; n++) {
      places.delete(hash(pack * 100 + n))
      expected.delete(hash(pack * 100 + n))
    }
  }
  const all = Array.from({ length: 4200 }, (_, n) => hash(n))
  assert.deepEqual(
    all.map((sha256) => places.get(sha256)),
    all.map((sha256) => expected.get(sha256)),
  )
})

test('a record that was cut short, and a name that is no hash, are nothing', () => {
  const places = packPlaces<string>()
  const index = encodeIndex(new Map([1, 2].map((n) => [hash(n), place(n)])))
  places.add('cut', index.subarray(0, index.length - 1))
  assert.deepEqual(
    [hash(1), hash(2), 'no hash', ''].map((sha256) => places.get(sha256)?.start),
    [1, undefined, undefined, undefined],
  )
  places.delete('no hash')
  assert.equal(places.get(hash(1))?.start, 1)
})
