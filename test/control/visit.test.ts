/** What is done to Mission Control at its own shell: bad words and bad files change nothing, and make nothing. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import type { ControlPlace, ControlVisit } from '../../src/surfaces/cli/control.ts'
import { visitControl } from '../../src/wiring/visit-control.ts'

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reprise-control-'))
})
after(() => rm(folder, { recursive: true, force: true }))

const at = <T>(
  data: string,
  work: (visit: ControlVisit) => Promise<T>,
  more: Partial<ControlPlace> = {},
): Promise<T> =>
  visitControl({ home: { path: folder, source: 'option' }, cwd: folder, data, ...more }, work)

const FOUNDER = { isFounder: true }
const addAnn = (visit: ControlVisit) => visit.addPerson({ name: 'Ann', role: 'owner' })

test('who only looks makes no database where there is none', async () => {
  const looks: readonly ((visit: ControlVisit) => Promise<unknown>)[] = [
    (visit) => visit.people(),
    (visit) => visit.doctor(),
    (visit) => visit.backup('nothing.gz'),
    (visit) => visit.retention({}, { isAnew: false, run: false }),
  ]
  for (const look of looks)
    await assert.rejects(at('typo', look), /There is no Mission Control in .*typo\. Nothing was/)
  assert.equal(existsSync(join(folder, 'typo')), false)
})

test('a tenant that is not there gets no people and no tokens', async () => {
  const data = 'tenants'
  await at(data, addAnn, FOUNDER)
  const wish = { name: 'x', scope: 'watch' }
  const nope = { ...FOUNDER, tenant: 'nope' }
  await assert.rejects(
    at(data, (visit) => visit.createToken(wish), nope),
    /no tenant nope here/,
  )
  await assert.rejects(at(data, addAnn, nope), /no tenant nope here/)
  await assert.rejects(
    at(data, (visit) => visit.sessions(), nope),
    /no tenant nope here/,
  )
  assert.deepEqual(
    (await at(data, (visit) => visit.people())).map(({ tenant, name }) => [tenant, name]),
    [['main', 'Ann']],
  )
  const [ann] = await at(data, (visit) => visit.people())
  const renames = (id: string, name: string) =>
    at(data, (visit) => visit.renamePerson({ id, name }))
  await renames(String(ann?.['id']), 'Ann Ash')
  await assert.rejects(renames('nobody', 'x'), /no such person/)
  await assert.rejects(renames(String(ann?.['id']), 'x'.repeat(201)), /Nothing was changed/)
  assert.equal((await at(data, (visit) => visit.people()))[0]?.['name'], 'Ann Ash')
})

test('nobody without a name and no role that is unknown is added', async () => {
  for (const wish of [
    { name: ' ', role: 'member' },
    { name: 'Bo', role: 'boss' },
    { name: 'x'.repeat(201), role: 'viewer' },
  ])
    await assert.rejects(
      at('names', (visit) => visit.addPerson(wish), FOUNDER),
      /Nobody was added/,
    )
  assert.deepEqual(await at('names', (visit) => visit.people()), [])
})

test('its files are their owner’s alone, also in a folder that others may read', async () => {
  const data = await mkdtemp(join(folder, 'open-'))
  await chmod(data, 0o755)
  await at(data, addAnn, FOUNDER)
  assert.equal((await stat(join(data, 'control.db'))).mode & 0o777, 0o600)
})

test('a backup that is missing, cut or something else changes nothing', async () => {
  const data = 'kept'
  await at(data, addAnn, FOUNDER)
  await at(data, (visit) => visit.backup('whole.gz'))
  assert.equal((await stat(join(folder, 'whole.gz'))).mode & 0o777, 0o600)
  const whole = await readFile(join(folder, 'whole.gz'))
  const lines = gunzipSync(whole).toString().trim().split('\n')
  const files: Readonly<Record<string, readonly [bytes: Buffer, words: RegExp]>> = {
    'cut.gz': [whole.subarray(0, whole.length - 12), /is not whole\. Nothing was changed/],
    'empty.gz': [Buffer.alloc(0), /is not whole|is no backup/],
    'plain.gz': [Buffer.from('plain text'), /is no backup/],
    'other.gz': [gzipSync('{"a":1}\n'), /is no backup/],
    'half-line.gz': [gzipSync(`${lines[0]}\n["people",{"tena`), /is damaged/],
    'no-row.gz': [gzipSync(`${lines[0]}\n{"people":1}\n`), /is damaged/],
    'later.gz': [gzipSync(`${lines[0]}\n["planets",{}]\n`), /of a later version/],
  }
  for (const [name, [bytes, words]] of Object.entries(files)) {
    await writeFile(join(folder, name), bytes)
    await assert.rejects(
      at(data, (visit) => visit.restore(name, { replace: true }), FOUNDER),
      words,
      name,
    )
  }
  await assert.rejects(
    at(data, (visit) => visit.restore('missing.gz', { replace: true }), FOUNDER),
    /missing\.gz cannot be read \((?!E[A-Z]{3}).*\)\. Nothing was changed/,
  )
  const lost = { ...FOUNDER, backup: 'missing.gz' }
  await assert.rejects(
    at('unmade', (visit) => visit.restore('missing.gz', { replace: true }), lost),
    /missing\.gz cannot be read/,
  )
  assert.equal(existsSync(join(folder, 'unmade')), false)
  await assert.rejects(at('whole.gz', addAnn, FOUNDER), /cannot be made \((?!E[A-Z]{3})/)
  await assert.rejects(
    at(data, (visit) => visit.backup('no/such/folder.gz')),
    /cannot be written \(.*\)\. No backup was made/,
  )
  await assert.rejects(
    at(data, (visit) => visit.backup('whole.gz')),
    /is there already/,
  )
  assert.equal((await at(data, (visit) => visit.people())).length, 1)
  assert.deepEqual(
    await at('copy', (visit) => visit.restore('whole.gz', { replace: false }), FOUNDER),
    {
      rows: lines.length - 1,
      forgotten: 0,
    },
  )
})
