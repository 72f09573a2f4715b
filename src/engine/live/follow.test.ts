import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { openDisk } from '../../fs/disk.ts'
import type { EventId } from '../../format/ids.ts'
import { createEngine } from '../engine.ts'
import { createFeed } from './feed.ts'

test('a follower that has an event which is not on disk yet is given what comes after it', async () => {
  const home = mkdtempSync(join(tmpdir(), 'reprise-follow-'))
  const agent = { name: 'silent', async *run() {} }
  const engine = createEngine({
    cwd: process.cwd(),
    fs: openDisk(home),
    agent,
    clientName: 'test',
    durability: 'debounced',
  })
  try {
    const { id } = await engine.create()
    await (await engine.open(id)).save()
    await (await engine.open(id)).setMode('plan')
    let last: EventId | undefined
    for await (const item of (await engine.open(id)).follow()) {
      if (item.kind !== 'event') continue
      last = item.event.id
      if (item.event.type === 'session.mode_changed') break
    }
    await (await engine.open(id)).setMode('autopilot')
    await (await engine.open(id)).setMode('interactive')
    const modes: unknown[] = []
    for await (const item of (await engine.open(id)).follow({ after: last! })) {
      if (item.kind === 'event') modes.push((item.event.data as { newMode: string }).newMode)
      if (modes.length === 2) break
    }
    assert.deepEqual(modes, ['autopilot', 'interactive'])
  } finally {
    await engine.stop()
    rmSync(home, { recursive: true })
  }
})

test('a listener that throws costs neither the writer nor the others anything', () => {
  const feed = createFeed()
  const told: string[] = []
  feed.subscribe(() => {
    throw new Error('cannot take it')
  })
  feed.subscribe((item) => void told.push(item.kind))
  feed.reset(0)
  assert.deepEqual(told, ['reset'])
})
