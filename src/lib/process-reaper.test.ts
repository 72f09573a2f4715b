import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { test } from 'node:test'
import { text } from 'node:stream/consumers'

/** Starts a group that hears no signal, with a part that left it, and says so once all are there. */
const STARTS = `
import { spawn } from 'node:child_process'
import { guardGroup } from ${JSON.stringify(join(import.meta.dirname, 'process-reaper.ts'))}
const start = (script) =>
  spawn('/bin/sh', ['-c', script], { detached: true, stdio: ['ignore', 'inherit', 'ignore'] })
const away = "trap '' HUP TERM; setsid sh -c 'sleep 600 & echo away; wait' & sleep 600"
guardGroup(start(away).pid)
const over = start('exit 0')
const guard = guardGroup(over.pid)
over.once('exit', () => {
  guard[Symbol.dispose]()
  console.log('over')
})
setInterval(() => {}, 1000)
`

test(
  'what a killed process had started is ended, a part that left its group as well',
  { timeout: 60_000 },
  async () => {
    const args = ['--input-type=module-typescript', '-e', STARTS]
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    const words = new Set<string>()
    const begun = new Promise<void>((resolve) => {
      child.stdout.on('data', (chunk: Buffer) => {
        for (const word of chunk.toString().split(/\s+/)) words.add(word)
        if (words.has('away') && words.has('over')) resolve()
      })
    })
    await begun
    const ended = once(child, 'exit')
    // They hold its output open: it ends when the last of them does.
    const closed = text(child.stdout)
    child.kill('SIGKILL')
    await ended
    await closed
    assert.ok(child.stdout.readableEnded || child.stdout.destroyed)
  },
)
