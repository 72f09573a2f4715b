/** A process that changes names on a disk, one step a line, for a test that watches its system calls. Waits for a line first. */
import { once } from 'node:events'
import { writeSync } from 'node:fs'
import { openDisk } from '../../src/fs/disk.ts'

const [home = ''] = process.argv.slice(2)
const fs = openDisk(home)
const bytes = Buffer.from('bytes')
const durable = { durable: true }

/** Each is acknowledged as durable, and changes which names stand in `folder`. */
export const durableSteps = {
  'a new file': () => fs.writeAtomic('folder/new', bytes, durable),
  'a file in the place of another': () => fs.writeAtomic('folder/new', bytes, durable),
  'a file that is moved': () => fs.rename('folder/new', 'folder/moved'),
  'a copy in the place of a file': () => fs.copy('folder/moved', 'folder/moved'),
  'a folder that is removed': async () => {
    await fs.writeAtomic('folder/below/file', bytes, { durable: false })
    await fs.remove('folder/below')
  },
} satisfies Record<string, () => Promise<void>>

if (import.meta.main) {
  writeSync(1, 'ready\n')
  await once(process.stdin, 'data')
  for (const [name, step] of Object.entries(durableSteps)) {
    await step()
    writeSync(1, `done ${name}\n`)
  }
  process.exit()
}
