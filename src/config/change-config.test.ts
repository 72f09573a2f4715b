import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { openDisk } from '../fs/disk.ts'
import { encodeText } from '../lib/bytes.ts'
import { selfIdentity } from '../lib/process-identity.ts'
import { inHome } from '../format/paths.ts'
import { changeConfig } from './change-config.ts'
import { readConfig } from './load.ts'

const run = promisify(execFile)

/** Stops between its reading and its writing, as a process may that the system lets wait. */
const slowly = (home: string, model: string) => `
  import { openDisk } from ${JSON.stringify(join(import.meta.dirname, '../fs/disk.ts'))}
  import { changeConfig } from ${JSON.stringify(join(import.meta.dirname, 'change-config.ts'))}
  await changeConfig(openDisk(${JSON.stringify(home)}), (now) => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100)
    return { ...now, prices: { ...now.prices, ${model}: { input: 1, output: 1 } } }
  })`

async function withHome(work: (home: string) => Promise<void>): Promise<void> {
  const home = await mkdtemp(join(tmpdir(), 'reprise-config-'))
  try {
    await work(home)
  } finally {
    await rm(home, { recursive: true })
  }
}

test('processes that change different settings at the same time lose none', () =>
  withHome(async (home) => {
    const names = ['a', 'b', 'c', 'd']
    await Promise.all(
      names.map((name) =>
        run(process.execPath, ['--input-type=module', '-e', slowly(home, name)], {
          env: { ...process.env, NODE_NO_WARNINGS: '1' },
        }),
      ),
    )
    const { prices = {} } = await readConfig(openDisk(home))
    assert.deepEqual(Object.keys(prices).sort(), names)
  }))

test('a lock of a process that is no more is taken over', () =>
  withHome(async (home) => {
    const fs = openDisk(home)
    const dead = { ...selfIdentity(), pid: 2 ** 22 + 1 }
    await fs.createExclusive(inHome('configLock'), encodeText(JSON.stringify(dead)))
    await changeConfig(fs, (now) => ({ ...now, agent: 'offline' }))
    assert.deepEqual(await readConfig(fs), { agent: 'offline' })
    assert.equal(await fs.stat(inHome('configLock')), undefined)
  }))

test('a change that is refused writes nothing and leaves no lock', () =>
  withHome(async (home) => {
    const fs = openDisk(home)
    await changeConfig(fs, (now) => ({ ...now, agent: 'offline' }))
    const refuse = () => {
      throw new Error('no')
    }
    await assert.rejects(changeConfig(fs, refuse), /^Error: no$/)
    assert.deepEqual(await readConfig(fs), { agent: 'offline' })
    assert.equal(await fs.stat(inHome('configLock')), undefined)
  }))
