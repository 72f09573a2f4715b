/** What a person at a terminal waits for: whole processes, from the shell launcher to the exit. */
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Case } from '../case.ts'
import { measureWall } from '../measure.ts'

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..')

export const cliCase: Case = {
  name: 'cli',
  async figures({ homes: { s1k } }) {
    const reprise = join(root, 'bin', 'reprise')
    const commands = {
      version: { file: reprise, args: ['--version'] },
      list: { file: reprise, args: ['sessions', 'list'], env: { REPRISE_HOME: s1k } },
      node: { file: process.execPath, args: ['-e', '0'] },
    }
    await measureWall(1, commands) // fills the catalogue and the compile cache, as any earlier run did
    const { version, list, node } = await measureWall(15, commands)
    const limit = { name: 'node -e 0', measured: node('ms') }
    return [
      {
        name: 'reprise --version',
        unit: 'ms',
        target: { atMost: 60 },
        measured: version('ms'),
        limit,
      },
      {
        name: 'reprise sessions list, 1,000 sessions',
        unit: 'ms',
        target: { atMost: 120 },
        measured: list('ms'),
        limit,
      },
    ]
  },
}
