/** A disk that fills up, for real. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { PROGRAM } from '../support/program.ts'
import { fillDuringTurn } from './full-disk.ts'
import { cannotMount, mountSmallDisk, type SmallDisk } from './small-disk.ts'

test(
  'a full disk is told, leaves no half record, and the turn goes on once there is room',
  { skip: cannotMount },
  async () => {
    await using disk = await mountSmallDisk(1024)
    assert.ok((await fillDuringTurn(disk, 16 * 1024)) > 0)
  },
)

/** A turn of the program whose tool fills the disk that the home is on. */
async function fillByTool(disk: SmallDisk) {
  const project = join(disk.path, 'project')
  await mkdir(project)
  const start = (...args: string[]) =>
    spawn(PROGRAM, ['--agent', 'offline', '--allow-all', ...args], {
      cwd: project,
      env: { PATH: process.env.PATH, HOME: disk.path, REPRISE_HOME: join(disk.path, 'home') },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
  await once(start('-n', 'full', '-p', 'run echo first').on('error', assert.ifError), 'close')
  // What it prints then does not fit into the last page that the log has.
  const fill = `run dd if=/dev/zero of=${join(disk.path, 'fill')} bs=1k; seq 8000`
  const child = start('--json', '--resume', 'full', '-p', fill)
  let stderr = ''
  const troubled = new Promise<number>((resolve) => {
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString()
      if (stderr.includes('cannot be written')) resolve(performance.now())
    })
  })
  const closed = once(child, 'close') as Promise<[number | null]>
  return { child, troubled, closed, stderr: () => stderr }
}

test(
  'a disk that stays full is told on stderr with --json, and the turn ends with its code',
  { skip: cannotMount, timeout: 60_000 },
  async () => {
    await using disk = await mountSmallDisk(3 * 1024)
    const { troubled, closed, stderr } = await fillByTool(disk)
    const since = await troubled
    assert.equal((await closed)[0], 6)
    assert.ok(performance.now() - since < 10_000, 'the turn went on for more than 10 s')
    assert.match(stderr(), /trying again in[^]*"code":"not_durable"/)
  },
)

test(
  'the first SIGTERM ends a turn whose disk is full',
  { skip: cannotMount, timeout: 60_000 },
  async () => {
    await using disk = await mountSmallDisk(3 * 1024)
    const { child, troubled, closed } = await fillByTool(disk)
    await troubled
    const since = performance.now()
    child.kill('SIGTERM')
    assert.equal((await closed)[0], 143)
    // It ends hard after 2.5 s; the rest is room for a machine that does other things too.
    assert.ok(performance.now() - since < 8000, 'it was still there after 8 s')
  },
)
