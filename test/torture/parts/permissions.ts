/** Commands and files against rules: what is let through is really run, and what it did is counted. */
import { count, runTries } from '../../permissions/tries.ts'
import type { Part } from '../part.ts'

export const permissions: Part = {
  name: 'permissions',
  share: 1,
  cannot: process.platform === 'win32' && 'the commands are for bash',
  async run({ count: add }) {
    for (const [group, outcomes] of Object.entries(await runTries()))
      for (const [what, times] of Object.entries(count(outcomes)))
        add(`permissions: ${group}, ${what}`, times)
  },
}
