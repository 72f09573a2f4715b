import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, readFile, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { promptHistory } from '../../src/engine/sessions/prompt-history.ts'
import { migrate } from '../../src/importers/migrate.ts'
import { converse, openHome, promptsOf, type Home } from '../support/engine.ts'
import { PROGRAM } from '../support/program.ts'

const LEGACY = '0e551000-0000-4000-8000-000000000001'

/** As the Copilot CLI keeps it: sessions in folders, a flat one, an old one, what was typed, a plugin, its index. */
async function copilotHome(there: Home, sessions: number): Promise<string[]> {
  const engine = there.engine()
  const ids: string[] = []
  for (let at = 0; at < sessions; at++) {
    const { id } = await engine.create({ name: `work ${at}` })
    await converse(engine, id, { prompt: `prompt ${at}` })
    ids.push(id)
  }
  await engine.stop()
  const state = join(there.path, 'session-state')
  await cp(join(state, ids[0]!, 'events.jsonl'), join(state, 'flat-one.jsonl'))
  await mkdir(join(there.path, 'history-session-state'))
  const old = {
    sessionId: LEGACY,
    startTime: '2025-09-01T00:00:00.000Z',
    chatMessages: [
      { role: 'user', content: 'list' },
      {
        role: 'assistant',
        content: '',
        tool_calls: [{ id: 'c', function: { name: 'bash', arguments: '{"command":"ls"}' } }],
      },
      { role: 'tool', tool_call_id: 'c', content: 'a.txt' },
      { role: 'assistant', content: 'One file.' },
    ],
    timeline: [],
  }
  const name = `session_${LEGACY}_1756684800000.json`
  await writeFile(join(there.path, 'history-session-state', name), JSON.stringify(old, null, 2))
  const typed = { commandHistory: ['fix it', 'again'] }
  await writeFile(join(there.path, 'command-history-state.json'), JSON.stringify(typed))
  await mkdir(join(there.path, 'installed-plugins/one'), { recursive: true })
  await writeFile(join(there.path, 'installed-plugins/one/plugin.json'), '{}')
  await writeFile(join(there.path, 'session-store.db'), '')
  return ids
}

const around = { env: {}, home: '/nowhere' }

/** Every file of a home and what is in it. */
async function contentsOf(path: string): Promise<Record<string, string>> {
  const all: Record<string, string> = {}
  for (const entry of await readdir(path, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const file = join(entry.parentPath, entry.name)
    all[file.slice(path.length)] = await readFile(file, 'utf8')
  }
  return all
}

test('a home that is not there is said to be none, and a file that is no session is named', async () => {
  await using home = await openHome()
  await using there = await openHome()
  await copilotHome(there, 1)
  const old = join(there.path, 'history-session-state')
  await writeFile(join(old, 'notes.json'), '{}')
  const given = { around, dryRun: true, now: () => new Date() }
  const engine = home.engine()
  await assert.rejects(migrate(engine, { ...given, root: join(there.path, 'nowhere') }), {
    code: 'not_found',
  })
  const { left } = await migrate(engine, { ...given, root: there.path })
  assert.deepEqual(left.at(-1), {
    name: 'history-session-state/notes.json',
    why: 'it is not called as a session is',
  })
})

test('a home of the Copilot CLI is copied whole, twice is once, and it is left as it was', async () => {
  await using there = await openHome()
  const ids = await copilotHome(there, 2)
  const before = await contentsOf(there.path)
  await using home = await openHome()
  const engine = home.engine()
  const given = { root: there.path, around, now: () => new Date() }
  const looked = await migrate(engine, { ...given, dryRun: true })
  assert.deepEqual([looked.agents[0]?.found, looked.typed, await engine.list()], [4, 2, []])
  const moved = await migrate(engine, { ...given, dryRun: false })
  assert.deepEqual([moved.agents[0]?.imported, moved.typed, moved.pluginFiles], [4, 2, 1])
  assert.deepEqual(
    moved.left.map(({ name }) => name),
    ['session-store.db'],
  )
  for (const [at, id] of ids.entries())
    assert.deepEqual(await promptsOf(engine, id as never), [`prompt ${at}`])
  for (const { id } of await engine.list()) {
    const { ailments } = await engine.doctor(id)
    assert.deepEqual([id, ailments.filter(({ layer }) => layer === 'workspace')], [id, []])
  }
  assert.deepEqual(await promptHistory(engine).load(), ['fix it', 'again'])
  const again = await migrate(engine, { ...given, dryRun: false })
  assert.deepEqual([again.agents[0]?.unchanged, again.typed, again.pluginFiles], [4, 0, 0])
  assert.deepEqual(await contentsOf(there.path), before)
})

test(
  'a migration that is killed again and again ends with all of it',
  { timeout: 120_000 },
  async () => {
    await using there = await openHome()
    await copilotHome(there, 12)
    await using home = await openHome()
    const env = { ...process.env, HOME: home.path, REPRISE_HOME: home.path }
    for (const ms of [250, 350, 450, 600]) {
      const child = spawn(PROGRAM, ['migrate', '--from', there.path, '--json'], {
        env,
        stdio: 'ignore',
      })
      const ended = once(child, 'exit')
      await Promise.race([ended, pause(ms)])
      child.kill('SIGKILL')
      await ended
    }
    const child = spawn(PROGRAM, ['migrate', '--from', there.path, '--json'], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let out = ''
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString('utf8')))
    await once(child, 'close')
    const { agents, failed } = JSON.parse(out) as { agents: Record<string, number>[]; failed: [] }
    assert.deepEqual(failed, [])
    assert.equal((agents[0]?.['imported'] ?? 0) + (agents[0]?.['unchanged'] ?? 0), 14)
    const state = (await readdir(join(home.path, 'session-state'))).filter(
      (name) => !name.startsWith('.'),
    )
    assert.equal(state.length, 14)
    for (const name of await readdir(join(there.path, 'session-state'), { withFileTypes: true })) {
      if (!name.isDirectory()) continue
      const log = (root: string) =>
        readFile(join(root, 'session-state', name.name, 'events.jsonl'), 'utf8')
      assert.equal(await log(home.path), await log(there.path))
    }
  },
)
