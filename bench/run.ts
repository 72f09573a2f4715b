/**
 * Measures what was promised, each figure beside its physical limit.
 *
 *   npm run bench [-- name …] [--huge] [--write] [--strict]
 *
 * Names choose cases. --huge adds a log of 1 GiB, --write puts the table into RESULTS.md and leaves what was not
 * measured as it is, --strict exits with 1 on a miss.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { bundleProbes, launcherFlags } from './bundle.ts'
import { acpCase } from './cases/acp.ts'
import { appendCase } from './cases/append.ts'
import { cliCase } from './cases/cli.ts'
import { controlGrownCase, controlLiveCase } from './cases/control.ts'
import { forkCase } from './cases/fork.ts'
import { hugeCase } from './cases/huge.ts'
import { importCase } from './cases/import.ts'
import { latestCase } from './cases/latest.ts'
import { listCase } from './cases/list.ts'
import { manyCase } from './cases/many.ts'
import { tuiManyCase } from './cases/tui-many.ts'
import { pageCase } from './cases/page.ts'
import { peersCase } from './cases/peers.ts'
import { redactCase } from './cases/redact.ts'
import { remoteCase } from './cases/remote.ts'
import { resumeCase } from './cases/resume.ts'
import { rewindCase } from './cases/rewind.ts'
import { rpcCase } from './cases/rpc.ts'
import { sandboxCase } from './cases/sandbox.ts'
import { scanCase } from './cases/scan.ts'
import { searchMeaningCase } from './cases/search-meaning.ts'
import { turnCase } from './cases/turn.ts'
import { storeLiveCase } from './cases/store-live.ts'
import { storeReindexCase } from './cases/store-reindex.ts'
import { storeSearchCase } from './cases/store-search.ts'
import { tuiCase } from './cases/tui.ts'
import { webCase } from './cases/web.ts'
import { prepareHomes } from './data.ts'
import { isMet, type Figure } from './figure.ts'
import { createMeasure } from './measure.ts'
import { results, table } from './report.ts'

const CASES = [
  listCase,
  latestCase,
  remoteCase,
  resumeCase,
  rewindCase,
  forkCase,
  appendCase,
  cliCase,
  hugeCase,
  storeReindexCase,
  storeSearchCase,
  storeLiveCase,
  tuiCase,
  rpcCase,
  acpCase,
  webCase,
  pageCase,
  scanCase,
  sandboxCase,
  turnCase,
  redactCase,
  searchMeaningCase,
]

/** These take long or need the registry: measured when they are named. */
const ASKED_FOR = [manyCase, peersCase, importCase, tuiManyCase, controlLiveCase, controlGrownCase]
const HEADINGS = new Map([
  [manyCase.name, 'Homes of many sessions, as measured'],
  [peersCase.name, 'Beside the genuine CLI'],
])
const ALL = [...CASES, ...ASKED_FOR]

const CHOSEN = 'Chosen cases, measured last'
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    huge: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    strict: { type: 'boolean', default: false },
  },
})
/** `store` chooses `store-reindex` and its like. */
const isChosen = (name: string, by: string): boolean => name === by || name.startsWith(`${by}-`)
const unknown = positionals.filter((by) => !ALL.some(({ name }) => isChosen(name, by)))
if (unknown.length > 0) {
  const names = ALL.map(({ name }) => name).join(', ')
  console.error(`No case is called ${unknown.join(', ')}. There are ${names}.`)
  process.exit(2)
}

const homes = prepareHomes({ huge: values.huge })
const scratch = join(homes.root, 'scratch')
const bundle = join(homes.root, 'bundle')
rmSync(scratch, { recursive: true, force: true })
mkdirSync(scratch, { mode: 0o700 })
await bundleProbes(bundle)

const lab = { homes, scratch, measure: createMeasure(bundle, launcherFlags()) }
const figures: Figure[] = []
const named = new Map<string, readonly Figure[]>()
for (const { name, figures: measure } of positionals.length > 0 ? ALL : CASES) {
  if (positionals.length > 0 && !positionals.some((by) => isChosen(name, by))) continue
  console.error(`measuring ${name} …`)
  const measured = await measure(lab)
  // The first table is of a whole run: some of its cases do not take its place.
  const heading = HEADINGS.get(name) ?? (positionals.length > 0 ? CHOSEN : undefined)
  if (heading === undefined) figures.push(...measured)
  else named.set(heading, [...(named.get(heading) ?? []), ...measured])
}
rmSync(scratch, { recursive: true, force: true })

const all = [...figures, ...Array.from(named.values()).flat()]
console.log(table(all))
if (values.write) {
  const here = dirname(fileURLToPath(import.meta.url))
  const command = [
    'npm run bench',
    ...(process.argv.length > 2 ? ['--'] : []),
    ...process.argv.slice(2),
  ]
  const given = { command: command.join(' '), dataFolder: homes.root, named }
  const path = join(here, 'RESULTS.md')
  writeFileSync(path, results(readFileSync(path, 'utf8'), figures, given))
}
const missed = all.filter((figure) => isMet(figure) === false)
if (values.strict && missed.length > 0) process.exitCode = 1
