/**
 * npm run torture [-- --minutes n] [--seed s] [part …] [--planted [part of a name …]]
 * Tries for a while to make a session lose something, and prints what was tried. Exits with 1 on any loss. `soak` uses
 * the program for long, and nothing of what was closed may stay.
 */
import { mkdtemp, mkdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Random } from '../crash/kill-rounds.ts'
import type { Part } from './part.ts'
import { commands } from './parts/commands.ts'
import { control } from './parts/control.ts'
import { cuts } from './parts/cuts.ts'
import { flips, prefixes } from './parts/damage.ts'
import { plantedDamage } from './parts/planted-damage.ts'
import { failover, patroni } from './parts/failover.ts'
import { forgetting } from './parts/forgetting.ts'
import { frozen } from './parts/frozen.ts'
import { fullDisk } from './parts/full-disk.ts'
import { kills } from './parts/kills.ts'
import { permissions } from './parts/permissions.ts'
import { powerCuts } from './parts/power-cuts.ts'
import { servers } from './parts/servers.ts'
import { soak } from './parts/soak.ts'
import { store } from './parts/store.ts'
import { syscalls } from './parts/syscalls.ts'
import { undoFiles } from './parts/undo-files.ts'
import { workers } from './parts/workers.ts'
import { writers } from './parts/writers.ts'
import { runPlanted } from './run-planted.ts'

const ALL: readonly Part[] = [
  kills,
  syscalls,
  undoFiles,
  ...commands,
  ...servers,
  powerCuts,
  fullDisk,
  frozen,
  writers,
  store,
  forgetting,
  control,
  cuts,
  failover,
  patroni,
  workers,
  prefixes,
  flips,
  plantedDamage,
  permissions,
  ...soak,
]

const { values, positionals } = parseArgs({
  options: {
    minutes: { type: 'string' },
    seed: { type: 'string' },
    planted: { type: 'boolean', default: false },
  },
  allowPositionals: true,
})
if (values.planted) process.exit((await runPlanted(positionals)) ? 0 : 1)
const seed = Number(values.seed ?? Date.now() % 1_000_000)
/** Several of one kind have its name and their own: `soak` is `soak-rpc` and all the others. */
const isNamed = (part: Part, word: string) => part.name === word || part.name.startsWith(`${word}-`)
const isSoak = (part: Part) => isNamed(part, 'soak')
// Time is what makes a soak: it is run by its name.
const parts = ALL.filter((part) =>
  positionals.length === 0 ? !isSoak(part) : positionals.some((word) => isNamed(part, word)),
)
const unknown = positionals.filter((word) => !ALL.some((part) => isNamed(part, word)))
const minutes = Number(values.minutes ?? (parts.every(isSoak) ? 10 : 5))
if (unknown.length > 0 || !(minutes > 0) || !Number.isInteger(seed)) {
  console.error(
    `Usage: npm run torture -- [--planted] [--minutes n] [--seed s] [${ALL.map(({ name }) => name).join(' | ')}] …`,
  )
  process.exit(2)
}

const counts = new Map<string, number>()
const count = (figure: string, by = 1): void =>
  void counts.set(figure, (counts.get(figure) ?? 0) + by)
const failures: string[] = []
const folder = await mkdtemp(join(tmpdir(), 'reprise-torture-'))
console.log(`${minutes} minutes, seed ${seed}`)
try {
  const shares = parts.reduce((sum, { cannot, share }) => sum + (cannot === false ? share : 0), 0)
  for (const part of parts) await attempt(part, (part.share / shares) * minutes * 60_000)
} finally {
  await rm(folder, { recursive: true, force: true })
}
for (const [figure, times] of [...counts].toSorted())
  console.log(`${String(times).padStart(9)}  ${figure}`)
console.log(`${String(failures.length).padStart(9)}  lost`)
process.exit(failures.length === 0 ? 0 : 1)

async function attempt(part: Part, budgetMs: number): Promise<void> {
  if (part.cannot !== false) {
    console.log(`${part.name}: skipped, because ${part.cannot}`)
    count('parts skipped')
    return
  }
  const place = join(folder, part.name)
  await mkdir(place)
  const began = performance.now()
  try {
    await part.run({
      folder: place,
      random: randomFrom(seed),
      hasTime: () => performance.now() - began < budgetMs,
      count,
    })
    console.log(`${part.name}: ${Math.round((performance.now() - began) / 1000)} s`)
  } catch (error) {
    failures.push(part.name)
    console.error(`${part.name} failed after ${Math.round((performance.now() - began) / 1000)} s`)
    console.error(error)
  }
}

/** The same numbers for the same seed (mulberry32). */
function randomFrom(seed: number): Random {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
