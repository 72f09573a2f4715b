/** An engine on a home, with an agent that has nothing to say. */
import { createEngine, type Engine } from '../src/engine/engine.ts'
import { openDisk } from '../src/fs/disk.ts'

export const engineAt = (home: string): Engine =>
  createEngine({
    cwd: process.cwd(),
    fs: openDisk(home),
    agent: { name: 'silent', async *run() {} },
    clientName: 'bench',
  })
