/** All that must hold before a commit. The formatter, which uses one core, goes beside what comes before the tests. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'

const held = await Promise.all([
  inOrder('format:check'),
  inOrder('lint', 'types', 'generate:check', 'build'),
])
process.exitCode = held.every((ok) => ok) && (await passes('node', ['scripts/test.ts'])) ? 0 : 1

/** Stops at the first that fails. */
async function inOrder(...scripts: readonly string[]): Promise<boolean> {
  for (const script of scripts) if (!(await passes('npm', ['run', script]))) return false
  return true
}

async function passes(command: string, words: readonly string[]): Promise<boolean> {
  const [code] = (await once(spawn(command, words, { stdio: 'inherit' }), 'exit')) as [
    number | null,
  ]
  return code === 0
}
