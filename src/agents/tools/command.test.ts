import assert from 'node:assert/strict'
import { readFileSync, readdirSync, readlinkSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import test from 'node:test'
import { setTimeout as later } from 'node:timers/promises'
import { startCommand, type Command, type CommandOptions } from './command.ts'
import { systemSandbox } from '../../lib/sandbox/system-sandbox.ts'
import { wallsOf } from '../../lib/sandbox/walls.ts'

const cwd = realpathSync(tmpdir())
const never = new AbortController().signal

const sandbox = await systemSandbox()
const walls = wallsOf([{ path: cwd, access: 'writable', isFolder: true }], { network: true })
type Way = {
  readonly where: string
  readonly skip?: string
  readonly how?: Pick<CommandOptions, 'enclosed'>
}
const ways: readonly Way[] =
  'missing' in sandbox
    ? [{ where: 'plainly' }, { where: 'in the sandbox', skip: sandbox.missing }]
    : [
        { where: 'plainly' },
        { where: 'in the sandbox', how: { enclosed: await sandbox.enclose(walls, cwd) } },
      ]

const space = ways.at(-1)?.how?.enclosed?.files[0]

for (const { where, how = {}, ...options } of ways) {
  const isInside = where !== 'plainly'
  test(
    `${where}: both outputs come in the order in which they were written, with the exit code`,
    options,
    async () => {
      const text = 'echo one; echo two >&2; echo three; exit 3'
      const command = startCommand(text, { ...how, cwd, timeoutMs: 60_000, signal: never })
      assert.deepEqual(await command.ended, {
        output: 'one\ntwo\nthree\n',
        exitCode: 3,
        leftRunning: false,
      })
    },
  )

  test(`${where}: a command has no input to wait for`, options, async () => {
    const command = startCommand('cat; echo done', {
      ...how,
      cwd,
      timeoutMs: 60_000,
      signal: never,
    })
    assert.deepEqual(await command.ended, { output: 'done\n', exitCode: 0, leftRunning: false })
  })

  test(`${where}: a command that ends by a signal tells it in its exit code`, options, async () => {
    const command = startCommand('kill -9 $$', { ...how, cwd, timeoutMs: 60_000, signal: never })
    assert.deepEqual(await command.ended, { output: '', exitCode: 137, leftRunning: false })
  })

  test(`${where}: an abort ends every process of the group`, options, async () => {
    const abort = new AbortController()
    const text = 'sleep 300 & echo $!; sleep 300 & echo $!; wait'
    const command = startCommand(text, { ...how, cwd, timeoutMs: 60_000, signal: abort.signal })
    const { pids, written } = await pidsOf(command, isInside, 2)
    abort.abort()
    await allGone(pids)
    assert.deepEqual(await command.ended, {
      output: written,
      exitCode: 143,
      stopped: 'aborted',
      leftRunning: false,
    })
  })

  test(
    `${where}: a process that does not listen is killed after a grace, though the shell is gone and nobody waits`,
    options,
    async () => {
      const deaf = `(trap "" TERM; echo $BASHPID; while :; do sleep 300; done) & wait`
      const abort = new AbortController()
      const command = startCommand(deaf, {
        ...how,
        cwd,
        timeoutMs: 60_000,
        signal: abort.signal,
        graceMs: 100,
      })
      const { pids } = await pidsOf(command, isInside, 1)
      abort.abort()
      await allGone(pids)
    },
  )

  test(
    `${where}: a command that takes too long is stopped, and what it wrote is kept`,
    options,
    async () => {
      const command = startCommand('echo begun; sleep 300', {
        ...how,
        cwd,
        timeoutMs: 300,
        signal: never,
      })
      assert.deepEqual(await command.ended, {
        output: 'begun\n',
        exitCode: 143,
        stopped: 'timeout',
        leftRunning: false,
      })
    },
  )

  test(`${where}: a process left in the background is not waited for`, options, async () => {
    const command = startCommand('sleep 300 & echo $!', {
      ...how,
      cwd,
      timeoutMs: 60_000,
      signal: never,
    })
    const {
      pids: [pid = 0],
    } = await pidsOf(command, isInside, 1)
    const { leftRunning } = await command.ended
    process.kill(pid, 'SIGKILL')
    assert.equal(leftRunning, true)
  })

  test(
    `${where}: what a command left in the background the next one finds and ends`,
    options,
    async () => {
      const run = (text: string) =>
        startCommand(text, { ...how, cwd, timeoutMs: 60_000, signal: never }).ended
      const left = await run('sleep 300 >/dev/null 2>&1 & echo $!')
      const { output } = await run(`kill ${left.output.trim()} && echo ended`)
      assert.equal(output, 'ended\n')
    },
  )

  test(`${where}: a folder that is not there is an error`, options, async () => {
    const command = startCommand('ls', {
      ...how,
      cwd: '/nowhere/at/all',
      timeoutMs: 60_000,
      signal: never,
    })
    await assert.rejects(command.ended, { code: 'ENOENT' })
  })
}

async function pidsOf(command: Command, isInside: boolean, count: number) {
  let written = ''
  while (written.split('\n').length <= count) {
    await command.changed()
    written += command.takePiece()
  }
  const pids = written.trim().split('\n').map(Number)
  return { written, pids: isInside ? pids.map(seenFromHere) : pids }
}

/** The number here of a process that has another one in its sandbox. */
function seenFromHere(inside: number): number {
  const found = readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false
    try {
      const numbers = /^NSpid:\t(.*)$/m.exec(readFileSync(`/proc/${name}/status`, 'utf8'))?.[1]
      const isNamed = numbers?.split('\t').length === 2 && numbers.endsWith(`\t${inside}`)
      // Commands of other tests run beside this one.
      return (
        isNamed && readlinkSync(`/proc/${name}/ns/pid`) === readlinkSync(`/proc/self/fd/${space}`)
      )
    } catch {
      // It ended while we looked.
      return false
    }
  })
  assert.equal(found.length, 1, `${inside} is ${found.join(' and ')}`)
  return Number(found[0])
}

async function allGone(pids: readonly number[]): Promise<void> {
  for (let tries = 0; pids.some(isAlive); tries++) {
    assert.ok(tries < 500, `still alive: ${pids.filter(isAlive).join(', ')}`)
    await later(20)
  }
}

/** A process that nobody has collected yet still has a number, and no life. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !/\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' && process.platform !== 'linux'
  }
}
