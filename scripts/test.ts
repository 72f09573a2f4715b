/** Runs every test of the default suite. Arguments that are paths or parts of paths choose among them. */
import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const wanted = process.argv.slice(2)
const files = globSync(['src/**/*.test.ts', 'test/**/*.test.ts'], { cwd: root })
  .filter((file) => wanted.length === 0 || wanted.some((part) => file.includes(part)))
  .sort()
if (files.length === 0) {
  console.error(`No test matches ${wanted.join(' ')}.`)
  process.exit(1)
}
const { status } = spawnSync(
  process.execPath,
  ['--test', '--test-concurrency=4', '--test-reporter=spec', '--test-timeout=300000', ...files],
  { cwd: root, stdio: 'inherit', env: { ...process.env, NODE_NO_WARNINGS: '1' } },
)
process.exit(status ?? 1)
