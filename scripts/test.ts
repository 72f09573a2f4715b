/** Runs every test of the default suite. Arguments that are paths or parts of paths choose among them. */
import { globSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { fileURLToPath } from 'node:url'
import { endOverdueFiles } from './overdue.ts'

/** The longest files, which begin first: none of them is left to run alone at the end. */
const LONGEST = [
  'test/e2e/secret-sinks.test.ts',
  'test/web-page/hostile.test.ts',
  'test/web-page/hostile-views.test.ts',
  'test/control/postgres.test.ts',
  'test/contracts/session.test.ts',
  'test/e2e/tui.test.ts',
]

/** More files than these fail by a real fault, not by a busy machine, and are not run again. */
const RUN_AGAIN = 24

/** Node may spin in its own clean-up after the many sockets that this file resets: its process is ended after its one test. */
const SPINS = 'test/remote/cuts.test.ts'

/** What one file may take. A test that hangs fails by then; its file is ended soon after, whatever it left open. */
const FILE_MS = 300_000

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const wanted = process.argv.slice(2)
const rank = (file: string) => (LONGEST.indexOf(file) + LONGEST.length + 1) % (LONGEST.length + 1)
const files = globSync(['src/**/*.test.ts', 'test/**/*.test.ts'], { cwd: root })
  .filter((file) => wanted.length === 0 || wanted.some((part) => file.includes(part)))
  .sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))
if (files.length === 0) {
  console.error(`No test matches ${wanted.join(' ')}.`)
  process.exit(1)
}
process.env['NODE_NO_WARNINGS'] = '1'
// Compiled once for all files and for every program that they start: much of the time of a short life is its start.
process.env['NODE_COMPILE_CACHE'] ??= join(root, 'node_modules/.cache/tests')
const failed = [
  ...(await runAll(
    files.filter((file) => file !== SPINS),
    4,
  )),
  ...(await runAll(
    files.filter((file) => file === SPINS),
    1,
  )),
]
// Four files at once on two cores: a file that fails among them is judged by a run of its own, and named.
const failedAlone =
  failed.length > 0 && failed.length <= RUN_AGAIN ? await runAll(failed, 1) : failed
for (const file of failed) {
  const verdict = failedAlone.includes(file) ? 'failed' : 'failed beside others, passed alone'
  console.error(`${relative(root, file)}: ${verdict}`)
}
process.exitCode = failedAlone.length > 0 ? 1 : 0

/** Which files had a failing test. */
async function runAll(chosen: readonly string[], concurrency: number): Promise<string[]> {
  const bad = new Set<string>()
  if (chosen.length === 0) return []
  // Only where nothing is registered late: what is would be left out.
  const forceExit = chosen.length === 1 && chosen[0] === SPINS
  const events = run({ files: [...chosen], cwd: root, concurrency, timeout: FILE_MS, forceExit })
  events.on('test:fail', ({ file, name }) => bad.add(file ?? join(root, name)))
  const watch = endOverdueFiles(FILE_MS)
  await pipeline(events, new spec(), process.stdout, { end: false })
  watch.stop()
  return [...bad]
}
