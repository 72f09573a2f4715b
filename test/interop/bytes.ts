/** The same things written by both: key order, times, workspace.yaml, modes. */
import assert from 'node:assert/strict'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { serialise } from '../../src/format/event.ts'
import type { Checks } from './checks.ts'
import { NAME, PLAN, writeGenuine, writeRarities } from './genuine-session.ts'
import type { Place } from './place.ts'
import { converse } from '../support/engine.ts'

const FILES = [
  'events.jsonl',
  'workspace.yaml',
  'plan.md',
  'files/notes.md',
  'checkpoints/index.md',
  'checkpoints',
  'files',
  'research',
  '.',
]

export async function checkBytes({ check, note }: Checks, place: Place): Promise<void> {
  const copilot = await place.copilot()
  const theirs = await writeGenuine(copilot, place.project)
  const { sessionId: rarities } = await writeRarities(copilot, place.project)
  await copilot[Symbol.asyncDispose]()
  const engine = place.reprise()
  const session = await engine.create({ cwd: place.project })
  const { id: ours } = session
  await converse(engine, ours, { prompt: 'run echo hello' })
  await session.writePlan(PLAN)
  await session.writeFile('files/notes.md', new TextEncoder().encode('a note\n'))
  await session.compact()
  await session.rename(NAME)
  await engine.stop()
  const both = [await place.logOf(theirs), await place.logOf(ours)] as const

  await check('both write the same keys in the same order around an event', () => {
    const [their, our] = both.map((log) => [...new Set(rawLines(log).map(keysOf))])
    assert.deepEqual(our, ['type,data,id,timestamp,parentId'])
    assert.deepEqual(their, our)
  })
  await check('both put the id of a sub-agent in the same place', async () => {
    const line = rawLines(await place.logOf(rarities)).find((each) => 'agentId' in parsed(each))
    assert.ok(line !== undefined, 'no sub-agent ran')
    assert.equal(keysOf(serialise(parsed(line) as never)), keysOf(line))
  })
  await check('both write times with milliseconds in UTC', () => {
    for (const log of both) {
      const times = rawLines(log).map((line) => String(parsed(line).timestamp))
      assert.deepEqual(
        times.filter((time) => !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(time)),
        [],
      )
    }
  })
  await check('a line of the CLI that Reprise writes again is the same bytes', () => {
    // The CLI writes a whole number as 0.0 where its type is a fraction; JSON.stringify cannot.
    const lines = rawLines(both[0]).filter((line) => !FRACTION.test(line))
    assert.ok(lines.length > 10, `only ${lines.length} lines can be compared`)
    for (const line of lines) assert.equal(serialise(parsed(line) as never), line)
  })
  await check('both lay out workspace.yaml alike', async () => {
    const [their, our] = await Promise.all(
      [theirs, ours].map((id) => readFile(join(place.sessionDir(id), 'workspace.yaml'), 'utf8')),
    )
    const wanted = layout(their ?? '')
    const written = layout(our ?? '')
    assert.deepEqual(
      written,
      wanted.filter((line) => written.includes(line)),
    )
    const missing = wanted.filter((line) => !written.includes(line))
    if (missing.length > 0) note(`workspace.yaml: only the CLI writes "${missing.join('", "')}"`)
  })
  await check('both lay out checkpoints/index.md alike', async () => {
    const [their, our] = await Promise.all(
      [theirs, ours].map((id) =>
        readFile(join(place.sessionDir(id), 'checkpoints/index.md'), 'utf8'),
      ),
    )
    // The sentence between the heading and the table is for people.
    const table = (text = '') =>
      text
        .split('\n')
        .filter((line) => /^[#|]/.test(line))
        .slice(0, 3)
    assert.deepEqual(table(our), table(their))
  })
  await check('nothing that Reprise writes is more open than what the CLI writes', async () => {
    for (const file of FILES) {
      const [their, our] = await Promise.all(
        [theirs, ours].map((id) => modeOf(join(place.sessionDir(id), file))),
      )
      if (their !== our) note(`${file}: the CLI ${octal(their)}, Reprise ${octal(our)}`)
      if (our !== undefined) assert.equal(our & ~(their ?? our), 0, `${file} is more open`)
    }
  })
}

const FRACTION = /:-?\d+\.0[,}\]]|:-?[\d.]+e[-+]?\d/

const rawLines = (log: string): string[] => log.slice(0, -1).split('\n')
const parsed = (line: string) => JSON.parse(line) as Record<string, unknown>
const keysOf = (line: string) => Object.keys(parsed(line)).join()

/** Ids and times aside: the keys, and how their values are quoted. */
const layout = (yaml: string) =>
  yaml
    .replaceAll(/[\da-f]{8}-[\da-f-]{27}/g, 'ID')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replace(/client_name: .*/, 'client_name: NAME')
    .split('\n')

const modeOf = async (path: string): Promise<number | undefined> =>
  stat(path).then(
    ({ mode }) => mode & 0o777,
    () => undefined,
  )

const octal = (mode: number | undefined) => (mode === undefined ? 'has none' : mode.toString(8))
