/**
 * Files of agents, damaged in seeded ways: cut off, with other bytes, lines that are gone, twice or swapped, and values
 * that are of another kind, endless or hostile. Whatever is in them, an import names what it cannot read, and what it
 * takes over is a session like any other.
 */
import assert from 'node:assert/strict'
import { cp, readFile, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { recognise } from '../../src/format/event.ts'
import type { AgentName } from '../../src/importers/convert/port.ts'
import { importAll } from '../../src/importers/import-all.ts'
import type { Came } from '../../src/importers/import.ts'
import { projectModelContext } from '../../src/state/context-folder.ts'
import { eventsOf, openHome } from '../support/engine.ts'
import { validateModelContext } from '../support/validate-context.ts'

type Random = () => number

export async function withstands(agent: AgentName, root: string, rounds = 12): Promise<void> {
  for (let round = 1; round <= rounds; round++) {
    await using home = await openHome()
    const random = randomFrom(round)
    const copy = join(home.path, 'damaged')
    await cp(root, copy, { recursive: true })
    const files = (await readdir(copy, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile() && !/-(?:wal|shm)$/.test(entry.name))
      .map(({ parentPath, name }) => join(parentPath, name))
      .sort()
    await damage(oneOf(files, random), random)
    const engine = home.engine()
    const all: Came[] = []
    await importAll(engine, {
      agents: [agent],
      around: { env: {}, home: '/nowhere', root: copy },
      now: () => new Date(),
      onCame: (came) => void all.push(came),
    })
    const where = `${agent}, seed ${round}`
    for (const { outcome, why, sessions } of all) {
      assert.ok(['imported', 'failed', 'empty'].includes(outcome), `${where}: ${outcome}`)
      if (outcome === 'failed')
        assert.doesNotMatch(why ?? 'TypeError', /TypeError|RangeError|undefined|\bat \//, where)
      for (const id of sessions) {
        const events = await eventsOf(engine, id)
        for (const event of events)
          if (!('stranger' in event)) assert.equal(recognise(event).kind, 'event', where)
        const context = projectModelContext(events.map((event) => ({ event, start: 0, end: 0 })))
        assert.deepEqual(validateModelContext(context), [], where)
      }
    }
  }
}

/** The same numbers for the same seed. */
function randomFrom(seed: number): Random {
  let state = seed * 2_654_435_761
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x9e3779b9) >>> 0
    return state / 2 ** 32
  }
}

const below = (count: number, random: Random) => Math.floor(random() * count)

function oneOf<T>(list: readonly T[], random: Random): T {
  const one = list[below(list.length, random)]
  if (one === undefined) throw new Error('There is nothing to choose from.')
  return one
}

async function damage(file: string, random: Random): Promise<void> {
  if (/\.(?:db|vscdb)$/.test(file)) return damageRow(file, random)
  const bytes = await readFile(file)
  const ways = [cutOff, otherBytes, lines, lines, values, values, values]
  await writeFile(file, oneOf(ways, random)(bytes, random))
}

const cutOff = (bytes: Buffer, random: Random) => bytes.subarray(0, below(bytes.length, random))

function otherBytes(bytes: Buffer, random: Random): Buffer {
  const changed = Buffer.from(bytes)
  for (let left = 5; left > 0; left--) changed[below(bytes.length, random)] = below(256, random)
  return changed
}

function lines(bytes: Buffer, random: Random): Buffer {
  const all = bytes.toString().split('\n')
  const [one, other] = [below(all.length, random), below(all.length, random)]
  const [line = '', another = ''] = [all[one], all[other]]
  if (random() < 0.3) all.splice(one, 1)
  else if (random() < 0.5) all.splice(other, 0, line)
  else [all[one], all[other]] = [another, line]
  return Buffer.from(all.join('\n'))
}

/** Of a record in a line of its own, or of the whole file. */
function values(bytes: Buffer, random: Random): Buffer {
  const text = bytes.toString()
  const whole = changedJson(text, random)
  if (whole !== undefined) return Buffer.from(whole)
  const all = text.split('\n')
  for (let left = 3; left > 0; left--) {
    const at = below(all.length, random)
    all[at] = changedJson(all[at] ?? '', random) ?? all[at] ?? ''
  }
  return Buffer.from(all.join('\n'))
}

const HOSTILE: readonly unknown[] = [
  null,
  true,
  -1,
  1e300,
  '',
  '\u0000\ud800\u2028\u001b[31m',
  'x'.repeat(100_000),
  '../../../etc/passwd',
  [],
  [[[[[]]]]],
  {},
  { ['__proto__']: { polluted: true }, toString: 1, length: -1 },
  { role: 'user', content: null },
]

function changedJson(text: string, random: Random): string | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null
      ? JSON.stringify(changed(value, random))
      : undefined
  } catch {
    // It is no JSON by itself.
    return undefined
  }
}

function changed(value: unknown, random: Random): unknown {
  if (typeof value !== 'object' || value === null || random() < 0.15) return oneOf(HOSTILE, random)
  const keys = Object.keys(value)
  if (keys.length === 0) return oneOf(HOSTILE, random)
  const key = oneOf(keys, random)
  const copy = (Array.isArray(value) ? [...value] : { ...value }) as Record<string, unknown>
  if (random() < 0.1) delete copy[key]
  else copy[key] = changed(copy[key], random)
  return copy
}

function damageRow(file: string, random: Random): void {
  const db = new DatabaseSync(file)
  const tables = db
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .all()
    .map(({ name }) => String(name))
    .filter((name) => db.prepare(`SELECT 1 FROM "${name}"`).get() !== undefined)
  const table = oneOf(tables, random)
  const rows = db.prepare(`SELECT rowid AS at, * FROM "${table}"`).all()
  const { at, ...row } = oneOf(rows, random)
  const column = oneOf(Object.keys(row), random)
  const was = row[column]
  const now = typeof was === 'string' ? changedJson(was, random) : undefined
  const other = oneOf(['', 'x'.repeat(10_000), '{"torn', -1, 1e300], random)
  try {
    db.prepare(`UPDATE "${table}" SET "${column}" = ? WHERE rowid = ?`).run(now ?? other, at ?? 0)
  } catch {
    // A rule of the table forbids it, so the agent cannot have written it either.
  }
  db.close()
}
