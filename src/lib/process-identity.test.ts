import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { isAlive, ownsOldLock, selfIdentity } from './process-identity.ts'

const notLinux =
  process.platform === 'linux' ? false : 'start times and boot ids are read from /proc'

test('this process is alive and names itself the same way each time', () => {
  assert.equal(isAlive(selfIdentity()), 'alive')
  assert.deepEqual(selfIdentity(), selfIdentity())
  assert.equal(selfIdentity().pid, process.pid)
})

test('a pid that was given to a later process counts as dead', { skip: notLinux }, () => {
  assert.equal(isAlive({ ...selfIdentity(), startTime: '1' }), 'dead')
  assert.equal(isAlive({ ...selfIdentity(), pid: process.ppid, startTime: '1' }), 'dead')
})

test('a process of an earlier boot is dead', { skip: notLinux }, () => {
  assert.equal(isAlive({ ...selfIdentity(), bootId: 'earlier' }), 'dead')
})

test('a process of another host, another machine or another pid namespace is unknown', () => {
  assert.equal(isAlive({ ...selfIdentity(), host: 'elsewhere', bootId: 'x' }), 'unknown')
  assert.equal(
    isAlive({ ...selfIdentity(), machine: 'twin', bootId: 'x' }),
    selfIdentity().machine === '' ? 'dead' : 'unknown',
  )
  if (!notLinux) assert.equal(isAlive({ ...selfIdentity(), pidSpace: 'pid:[1]' }), 'unknown')
})

test('a child is alive until it is killed', async () => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
  await once(child, 'spawn')
  const identity = { ...selfIdentity(), pid: child.pid!, startTime: '' }
  assert.equal(isAlive(identity), 'alive')
  child.kill('SIGKILL')
  await once(child, 'exit')
  assert.equal(isAlive(identity), 'dead')
})

test('nonsense pids are dead', () => {
  for (const pid of [0, -1, 1.5, Number.NaN, 2 ** 40]) {
    assert.equal(isAlive({ ...selfIdentity(), pid }), 'dead', String(pid))
  }
})

test(
  'a lock that is older than the process with its pid belongs to a process that is gone',
  { skip: notLinux },
  () => {
    assert.equal(ownsOldLock(process.pid, Date.now()), true)
    assert.equal(ownsOldLock(process.pid, Date.now() - 24 * 3600_000), false)
    assert.equal(ownsOldLock(2 ** 30, Date.now()), false)
  },
)
