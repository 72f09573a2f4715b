import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openMemory } from '../fs/memory.ts'
import { encodeText } from '../lib/bytes.ts'
import { selfIdentity } from '../lib/process-identity.ts'
import { foreignHolders, leaveInUse, markInUse } from './inuse-lock.ts'
import { acquireLease } from './lease.ts'

const session = 'session-state/one'
const NOBODY = 4_194_999 // above the largest pid of Linux
const locks = async (fs: ReturnType<typeof openMemory>): Promise<string[]> =>
  (await fs.list(session))
    .map(({ name }) => name)
    .filter((name) => name.startsWith('inuse'))
    .sort()
const lock = (fs: ReturnType<typeof openMemory>, pid: number | string): Promise<void> =>
  fs.writeAtomic(`${session}/inuse.${pid}.lock`, encodeText(String(pid)), { durable: false })

test('a living process of another program is a foreign holder; dead ones, ourselves and other files are not', async () => {
  const fs = openMemory()
  assert.deepEqual(await foreignHolders(fs, session), [])
  for (const pid of [process.ppid, process.pid, NOBODY, '0', 'x', '007']) await lock(fs, pid)
  await fs.writeAtomic(`${session}/inuse.${process.ppid}.hold`, encodeText(''), { durable: false })
  assert.deepEqual(await foreignHolders(fs, session), [process.ppid])
})

test('a process that holds or held the lease is not foreign', async () => {
  const fs = openMemory()
  await lock(fs, process.ppid)
  const identity = { ...selfIdentity(), pid: process.ppid, startTime: '' }
  const lease = await acquireLease(fs, session, {
    label: 'x',
    waitMs: 0,
    onRequest: () => {},
    identity,
  })
  assert.deepEqual(await foreignHolders(fs, session), [])
  await lease.release()
  assert.deepEqual(await foreignHolders(fs, session), [])
})

test('taking the lease writes our lock and removes those of the dead only', async () => {
  const fs = openMemory()
  await lock(fs, NOBODY)
  await lock(fs, process.ppid)
  await markInUse(fs, session)
  const ours = [`inuse.${process.pid}.lock`, `inuse.${process.ppid}.lock`].sort()
  assert.deepEqual(await locks(fs), ours)
  assert.equal(
    Buffer.from((await fs.read(`${session}/inuse.${process.pid}.lock`))!).toString(),
    String(process.pid),
  )
  await leaveInUse(fs, session, { nonce: 'any' })
  assert.deepEqual(await locks(fs), [`inuse.${process.ppid}.lock`])
})

test('a lease that is laid down late leaves the lock of a later one of the same process', async () => {
  const fs = openMemory()
  const options = { label: 'x', waitMs: 5000 }
  const first = await acquireLease(fs, session, { ...options, onRequest: () => {} })
  await fs.createExclusive(`${session}/.reprise/lease/0000000001.released`, new Uint8Array())
  const second = await acquireLease(fs, session, { ...options, onRequest: () => {} })
  await first.release()
  assert.deepEqual([await locks(fs), await second.holds()], [[`inuse.${process.pid}.lock`], true])
  await second.release()
  assert.deepEqual(await locks(fs), [])
})
