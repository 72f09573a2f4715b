import assert from 'node:assert/strict'
import { mkdir, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { converse, openHome, promptsOf, type Home } from '../../../test/support/engine.ts'
import type { SessionId } from '../../format/ids.ts'
import type { Engine } from '../engine.ts'
import { EngineError } from '../errors.ts'

test('a deleted session is out of the list and comes back whole', async () => {
  await using home = await openHome()
  const engine = home.engine()
  const id = await talk(engine, 'one')
  const [removal] = await engine.remove([id])
  assert.equal(removal?.outcome, 'trashed')
  assert.ok(removal?.outcome === 'trashed' && removal.bytes > 0)
  assert.deepEqual(await engine.list(), [])
  await assert.rejects(
    (await engine.open(id)).resume(),
    (error) => error instanceof EngineError && /restore/.test(error.message),
  )
  assert.equal(await engine.restore(id.slice(0, 8)), id)
  assert.deepEqual(await promptsOf(engine, id), ['one'])
})

test('what a reader left behind does not keep a session in the trash; what a person left does', async () => {
  await using home = await openHome()
  const engine = home.engine()
  const id = await talk(engine, 'one')
  await engine.remove([id])
  const folder = join(home.path, 'session-state', id)
  await mkdir(folder)
  await writeFile(join(folder, 'workspace.yaml'), `id: ${id}\n`)
  await writeFile(join(folder, 'plan.md'), 'mine')
  await assert.rejects(engine.restore(id), { code: 'conflict' })
  await rm(join(folder, 'plan.md'))
  assert.equal(await engine.restore(id), id)
  assert.deepEqual(await promptsOf(engine, id), ['one'])
})

test('deleting now leaves nothing', async () => {
  await using home = await openHome()
  const engine = home.engine()
  const id = await talk(engine, 'one')
  await engine.remove([id], { now: true })
  assert.deepEqual(await engine.trash(), [])
  assert.deepEqual(await readdir(join(home.path, 'session-state')), [])
})

test('one session that cannot be deleted does not keep the others from it', async () => {
  await using home = await openHome()
  const engine = home.engine()
  const id = await talk(engine, 'one')
  const absent = crypto.randomUUID() as SessionId
  const removals = await engine.remove([absent, id])
  assert.deepEqual(
    removals.map(({ outcome }) => outcome),
    ['kept', 'trashed'],
  )
})

test('a session that another process holds is not deleted', async () => {
  await using home = await openHome()
  const holder = home.engine()
  const id = await talk(holder, 'one')
  const other = home.engine()
  const open = await other.open(id)
  await open.resume()
  const [removal] = await other.remove([id])
  assert.equal(removal?.outcome === 'kept' && removal.error.code, 'in_use')
  assert.notEqual(open.now, undefined, 'it is open here as before')
  assert.deepEqual(await promptsOf(holder, id), ['one'])
})

test('prune takes old sessions, keeps named ones and those in use, and a dry run takes none', async () => {
  await using home = await openHome()
  const engine = home.engine()
  const old = await talk(engine, 'old')
  const named = await talk(engine, 'named')
  await (await engine.open(named)).rename('precious')
  const fresh = await talk(engine, 'fresh')
  const used = await talk(engine, 'used')
  for (const id of [old, named, fresh]) await (await engine.open(id)).close()
  for (const id of [old, named, used]) await age(home, id, 40)
  const dry = await engine.prune({ olderThanDays: 30, keepNamed: true, dryRun: true })
  assert.deepEqual(
    dry.sessions.map(({ id }) => id),
    [old],
  )
  assert.deepEqual(
    dry.kept.toSorted((a, b) => a.reason.localeCompare(b.reason)),
    [
      { id: used, reason: 'in use' },
      { id: named, reason: 'named' },
    ],
  )
  assert.equal((await engine.list()).length, 4)
  const real = await engine.prune({ olderThanDays: 30, keepNamed: true, dryRun: false })
  assert.equal(real.bytes, dry.bytes)
  assert.deepEqual(
    (await engine.list()).map(({ id }) => id).toSorted(),
    [named, fresh, used].toSorted(),
  )
  assert.equal(await engine.restore(old), old)
})

test('the trash is emptied of what is older than the grace period, and of nothing else', async () => {
  await using home = await openHome()
  let now = Date.now()
  const engine = home.engine({ clock: () => new Date(now) })
  const early = await talk(engine, 'early')
  const late = await talk(engine, 'late')
  await engine.remove([early])
  now += 20 * 86_400_000
  await engine.remove([late])
  now += 15 * 86_400_000
  const { trashEmptied } = await engine.prune({
    olderThanDays: 9999,
    keepNamed: true,
    dryRun: false,
  })
  assert.equal(trashEmptied.sessions, 1)
  assert.deepEqual(
    (await engine.trash()).map(({ id }) => id),
    [late],
  )
})

async function talk(engine: Engine, prompt: string): Promise<SessionId> {
  const { id } = await engine.create()
  await converse(engine, id, { prompt })
  return id
}

async function age(home: Home, id: SessionId, days: number): Promise<void> {
  const then = new Date(Date.now() - days * 86_400_000)
  await utimes(join(home.path, 'session-state', id, 'events.jsonl'), then, then)
}
