import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import test from 'node:test'
import { setTimeout as later } from 'node:timers/promises'
import { startCommand } from './command.ts'
import type { Command } from './command.ts'

const cwd = tmpdir()
const never = new AbortController().signal

test('both outputs come in the order in which they were written, with the exit code', async () => {
  const text = 'echo one; echo two >&2; echo three; exit 3'
  const command = startCommand(text, { cwd, timeoutMs: 60_000, signal: never })
  assert.deepEqual(await command.ended, {
    output: 'one\ntwo\nthree\n',
    exitCode: 3,
    leftRunning: false,
  })
})

test('a command has no input to wait for', async () => {
  const command = startCommand('cat; echo done', { cwd, timeoutMs: 60_000, signal: never })
  assert.deepEqual(await command.ended, { output: 'done\n', exitCode: 0, leftRunning: false })
})

test('a command that ends by a signal tells it in its exit code', async () => {
  const command = startCommand('kill -9 $$', { cwd, timeoutMs: 60_000, signal: never })
  assert.deepEqual(await command.ended, { output: '', exitCode: 137, leftRunning: false })
})

test('an abort ends every process of the group', async () => {
  const abort = new AbortController()
  const text = 'sleep 300 & echo $!; sleep 300 & echo $!; wait'
  const command = startCommand(text, { cwd, timeoutMs: 60_000, signal: abort.signal })
  const pids = await pidsOf(command, 2)
  abort.abort()
  await allGone(pids)
  assert.deepEqual(await command.ended, {
    output: pids.map((pid) => `${pid}\n`).join(''),
    exitCode: 143,
    stopped: 'aborted',
    leftRunning: false,
  })
})

test('a process that does not listen is killed after a grace, though the shell is gone and nobody waits', async () => {
  const deaf = `(trap "" TERM; echo $BASHPID; while :; do sleep 300; done) & wait`
  const abort = new AbortController()
  const command = startCommand(deaf, { cwd, timeoutMs: 60_000, signal: abort.signal, graceMs: 100 })
  const pids = await pidsOf(command, 1)
  abort.abort()
  await allGone(pids)
})

test('a command that takes too long is stopped, and what it wrote is kept', async () => {
  const command = startCommand('echo begun; sleep 300', { cwd, timeoutMs: 300, signal: never })
  assert.deepEqual(await command.ended, {
    output: 'begun\n',
    exitCode: 143,
    stopped: 'timeout',
    leftRunning: false,
  })
})

test('a process left in the background is not waited for', async () => {
  const command = startCommand('sleep 300 & echo $!', { cwd, timeoutMs: 60_000, signal: never })
  const [pid = 0] = await pidsOf(command, 1)
  const { leftRunning } = await command.ended
  process.kill(pid, 'SIGKILL')
  assert.equal(leftRunning, true)
})

test('a folder that is not there is an error', async () => {
  const command = startCommand('ls', { cwd: '/nowhere/at/all', timeoutMs: 60_000, signal: never })
  await assert.rejects(command.ended, { code: 'ENOENT' })
})

async function pidsOf(command: Command, count: number): Promise<number[]> {
  let text = ''
  while (text.split('\n').length <= count) {
    await command.changed()
    text += command.takePiece()
  }
  return text.trim().split('\n').map(Number)
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
