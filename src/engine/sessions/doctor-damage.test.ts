/** Doctor names what was changed in what is kept, whatever it is, and nothing that was not. */
import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { openHome } from '../../../test/support/engine.ts'
import {
  damagedKinds,
  plant,
  seeded,
  sessionWithAll,
} from '../../../test/support/planted-damage.ts'

const EACH = Number(process.env['REPRISE_PLANTED'] ?? 30)

test('of changes that are planted in ten kinds of files 98 of 100 are named', async (t) => {
  await using home = await openHome()
  const { engine, id } = await sessionWithAll(home)
  const sound = (await engine.doctor(id)).ailments
  assert.deepEqual(sound, [])
  const figures: Record<string, string> = {}
  for (const [number, kind] of damagedKinds.entries()) {
    const random = seeded(number + 1)
    const missed: string[] = []
    let planted = 0
    for (let tries = 0; tries < EACH; tries++) {
      const damage = plant(home, id, kind, random)
      if (damage === undefined) continue
      planted++
      const { ailments } = await engine.doctor(id)
      damage.undo()
      if (ailments.length === 0) missed.push(damage.what)
    }
    figures[kind] = `${planted - missed.length} of ${planted}`
    if (missed.length > 0) t.diagnostic(`${kind}: ${missed.join(', ')}`)
    assert.ok(missed.length <= planted * 0.02, `${kind}: missed ${missed.join(', ')}`)
  }
  t.diagnostic(JSON.stringify(figures))
  assert.deepEqual((await engine.doctor(id)).ailments, [])
})

test('a blank more, a member that is not known and another order of members are no alarm', async () => {
  await using home = await openHome()
  const { engine, id } = await sessionWithAll(home)
  const dir = join(home.path, 'session-state', id)
  const spaced = async (path: string, from: RegExp, to: string) => {
    const text = await readFile(join(dir, path), 'utf8')
    assert.notEqual(text, text.replace(from, to))
    await writeFile(join(dir, path), text.replace(from, to))
  }
  await spaced('.reprise/files/changes.jsonl', /"kind":"tool"/, '"kind": "tool"')
  await spaced('.reprise/files/baseline.jsonl', /\{"path":/, '{ "path":')
  await spaced('.reprise/rewound/001.json', /\{"version"/, '{"later":1, "version"')
  await spaced('.reprise/rewound/001.files', /\{/, '{ ')
  await spaced('.reprise/snapshot.json', /"state":\{/, '"state": {')
  await spaced('checkpoints/index.md', /\n\n/, '\n\n\n')
  assert.deepEqual((await engine.doctor(id)).ailments, [])
  await spaced('events.jsonl', /"type":"user.message",/g, '"type": "user.message", ')
  // The snapshot knows its place in the log by bytes, and is folded anew.
  assert.deepEqual(
    (await engine.doctor(id)).ailments.map(({ layer, severity }) => [layer, severity]),
    [['snapshot', 'note']],
  )
})
