/** A home that the genuine CLI made is migrated by a program that is killed again and again: in the end all of it is there. */
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { SessionId } from '../../src/format/ids.ts'
import { PROGRAM } from '../support/program.ts'
import type { Checks } from './checks.ts'
import { leaveInTheMiddle, writeGenuine } from './genuine-session.ts'
import type { Place } from './place.ts'

const KILLS = 24

export async function checkMigrated({ check, note }: Checks, place: Place): Promise<void> {
  const { project, home } = place
  const copilot = await place.copilot()
  const id = await writeGenuine(copilot, project)
  await copilot.request<{ sessionId: SessionId }>('sessions.fork', { sessionId: id, name: 'Fork' })
  await copilot[Symbol.asyncDispose]()
  await leaveInTheMiddle(await place.copilot(), project)
  // As its terminal leaves them; the headless program makes neither.
  await writeFile(
    join(home, 'command-history-state.json'),
    JSON.stringify({ commandHistory: ['one', 'two'] }),
  )
  await mkdir(join(home, 'installed-plugins', 'own', 'skills'), { recursive: true })
  await writeFile(join(home, 'installed-plugins', 'own', 'skills', 'SKILL.md'), '# a skill\n')
  const before = await fingerprint(home)
  const target = join(dirname(home), 'migrated')
  const args = ['--home', target, 'migrate', '--from', home]

  await check(`killed ${KILLS} times on its way, a migration brings everything`, async () => {
    let wholeMs = 2000
    let killed = 0
    for (let at = 0; at < KILLS; at += 1) {
      const begun = performance.now()
      const child = spawn(PROGRAM, args, { cwd: project, stdio: 'ignore' })
      const ended = once(child, 'exit')
      await Promise.race([ended, sleep((wholeMs * (at + 1)) / (KILLS + 1))])
      if (child.exitCode === null) {
        child.kill('SIGKILL')
        killed += 1
      } else wholeMs = performance.now() - begun
      await ended
    }
    note(`${killed} of ${KILLS} were killed before their end`)
    await promisify(execFile)(PROGRAM, args, { cwd: project })
    const names = (await readdir(join(home, 'session-state'))).filter(
      (name) => !name.startsWith('.'),
    )
    assert.equal(names.length, 3)
    for (const name of names)
      assert.deepEqual(
        await readFile(join(target, 'session-state', name, 'events.jsonl')),
        await readFile(join(home, 'session-state', name, 'events.jsonl')),
        name,
      )
    const doctor = promisify(execFile)(PROGRAM, ['--home', target, 'doctor', '--json'])
    const { stdout } = await doctor.catch((cause: { readonly stdout: string }) => cause)
    assert.equal((JSON.parse(stdout) as { ill: number }).ill, 0, stdout)
  })
  await check('once more brings nothing, and nothing there was touched', async () => {
    const made = await fingerprint(join(target, 'session-state'))
    const { stdout } = await promisify(execFile)(PROGRAM, args, { cwd: project })
    note(stdout.trim().split('\n')[0] ?? '')
    assert.deepEqual(await fingerprint(join(target, 'session-state')), made)
    assert.deepEqual(await fingerprint(home), before)
  })
}

/** Every file below it, by its content. */
async function fingerprint(folder: string): Promise<Readonly<Record<string, string>>> {
  const found: Record<string, string> = {}
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    found[relative(folder, path)] = createHash('sha256')
      .update(await readFile(path))
      .digest('hex')
  }
  return found
}
