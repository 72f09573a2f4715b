/** Runs every test of the default suite. Arguments that are paths or parts of paths choose among them. */
import { globSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { fileURLToPath } from 'node:url'

/** The longest files, which begin first: none of them is left to run alone at the end. */
const LONGEST = [
  'test/e2e/secret-sinks.test.ts',
  'test/web-page/hostile.test.ts',
  'test/control/postgres.test.ts',
  'test/contracts/session.test.ts',
  'test/e2e/tui.test.ts',
]

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
run({ files, cwd: root, concurrency: 4, timeout: 300_000 })
  .on('test:fail', () => (process.exitCode = 1))
  .compose(new spec())
  .pipe(process.stdout)
