/** What SQLite acknowledges is on the disk: a kill does not show that, a power cut would, so the order of system calls is looked at. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { attach, cannotTrace, readTrace } from '../crash/strace.ts'
import { clientOf, event } from './node.ts'
import { makeToken, serveProgram } from './program.ts'

const APPENDS = 8

test('an append is acknowledged after its sync', { skip: cannotTrace }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'reprise-control-'))
  try {
    const place = ['--data', join(folder, 'data')]
    const env = { ...process.env, REPRISE_HOME: folder }
    const token = await makeToken(place, env)
    const node = await serveProgram(place, env, 0)
    const client = clientOf(node.url, token, '')
    await client.ask('PUT', '/streams/s/synced/0')
    const claim = await client.ask('POST', '/api/sessions/synced/claim')
    const producer = claim.body as { producer: string; epoch: number }
    const tracing = await attach(node.pid, join(folder, 'trace'))
    for (let at = 0; at < APPENDS; at++) {
      const parent = at === 0 ? null : `e${at - 1}`
      const { status } = await client.send('/streams/s/synced/0', producer, at, [
        event(`e${at}`, parent),
      ])
      assert.equal(status, 200)
    }
    await node.kill()
    await tracing.ended
    const calls = await readTrace(join(folder, 'trace'))
    let isSynced = false
    const acknowledged: boolean[] = []
    for (const { name, args, result } of calls.toSorted((a, b) => a.endedAt - b.endedAt)) {
      if (/^f(?:data)?sync$/.test(name) && result === 0 && args.includes('control.db-wal>'))
        isSynced = true
      if (!/^writev?$/.test(name) || !args.includes('HTTP/1.1 200')) continue
      acknowledged.push(isSynced)
      isSynced = false
    }
    assert.deepEqual(
      acknowledged,
      Array.from({ length: APPENDS }, () => true),
    )
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
