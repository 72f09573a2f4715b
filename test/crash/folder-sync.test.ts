/** Names survive a power cut: a folder is synced after each change of them that is acknowledged. No kill shows that, and ext4 hides it. */
import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { durableSteps } from './durable-steps.ts'
import { startProcess } from './start-writer.ts'
import { attach, cannotTrace, readTrace } from './strace.ts'

test(
  'a folder is synced after the last change of its names and before that is acknowledged',
  { skip: cannotTrace },
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'reprise-folder-sync-'))
    try {
      const home = join(folder, 'home')
      await mkdir(join(home, 'folder'), { recursive: true })
      await using writer = startProcess('durable-steps.ts', [home])
      await writer.line('ready')
      const tracing = await attach(writer.pid, join(folder, 'trace'))
      writer.begin()
      await writer.ended()
      await tracing.ended
      const calls = await readTrace(join(folder, 'trace'))
      const order = calls.toSorted((one, other) => one.endedAt - other.endedAt)
      let isChanged = false
      const unsynced: string[] = []
      const seen: string[] = []
      for (const { name, args, result } of order) {
        if (/^(?:rename|link|mkdir|rmdir)/.test(name) && args.includes(join(home, 'folder/')))
          // What has lost its name already may come back without harm.
          isChanged ||= name.startsWith('rename')
        if (name === 'fsync' && result === 0 && args.includes(`<${join(home, 'folder')}>`))
          isChanged = false
        // Whoever looks must not see half of a folder that is being removed.
        if (/^(?:unlink|rmdir)/.test(name)) assert.ok(!args.includes(join(home, 'folder/below')))
        const step = name === 'write' ? /^1<[^>]*>, "done ([^\\]+)/.exec(args)?.[1] : undefined
        if (step === undefined) continue
        seen.push(step)
        if (isChanged) unsynced.push(step)
        isChanged = false
      }
      assert.deepEqual(seen, Object.keys(durableSteps))
      assert.deepEqual(unsynced, [], 'a power cut could take these names back')
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
)
