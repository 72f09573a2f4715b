/** An ACP process that does not come up, or not as it should: tried again where that may help, told plainly where not. */
import assert from 'node:assert/strict'
import { chmod, mkdir, readFile, readdir, readlink, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { discoverAgents } from '../../src/agents/acp/discover.ts'
import { AGENT, ask, openPlace } from './place.ts'
import { converse } from '../support/engine.ts'

test('an agent that dies while it starts is tried again', async () => {
  await using place = await openPlace()
  const counter = join(place.agentHome, 'starts')
  const engine = place.engine({ more: ['--die-at-start', counter, '2'] })
  const id = await place.begin(engine)
  assert.equal(await ask(engine, id, 'hello'), 'echo: hello')
  assert.equal(await readFile(counter, 'utf8'), 'xx')
})

test('an agent that never comes up fails the turn with its last words', async () => {
  await using place = await openPlace()
  const engine = place.engine({ more: ['--die-at-start', join(place.agentHome, 'starts'), '99'] })
  const id = await place.begin(engine)
  const { status, error } = await converse(engine, id, { prompt: 'hello' })
  assert.deepEqual(
    [status, error],
    [
      'failed',
      'scripted could not be started. It ended with exit code 3. Its last words: I do not feel well. Nothing was sent.',
    ],
  )
})

for (const [lie, limits, message] of [
  ['hang', { startMs: 300 }, /did not answer within 300 ms/],
  ['version', {}, /speaks version 9 of the protocol/],
  ['no-login', {}, /wants you to log in first.*Library card \(Ask at the desk\)/],
] as const) {
  test(`an agent with the fault "${lie}" fails the turn in words that help`, async () => {
    await using place = await openPlace()
    const engine = place.engine({ lie, limits })
    const id = await place.begin(engine)
    const { status, error } = await converse(engine, id, { prompt: 'hello' })
    assert.equal(status, 'failed')
    assert.match(error ?? '', message)
  })
}

test('a program that is not there is named, with where to have it', async () => {
  await using place = await openPlace()
  const engine = place.engine({ command: 'no-such-agent', package: '@some/agent' })
  const id = await place.begin(engine)
  const { error } = await converse(engine, id, { prompt: 'hello' })
  assert.equal(
    error,
    'scripted is not installed: "no-such-agent" was not found. Install: npm i -g @some/agent. Nothing was sent.',
  )
})

test('a directory that is gone is named', async () => {
  await using place = await openPlace()
  const engine = place.engine()
  const id = await place.begin(engine)
  await rm(place.project, { recursive: true })
  const { error } = await converse(engine, id, { prompt: 'hello' })
  assert.match(error ?? '', /^The directory of this session is gone: /)
})

const noProc = process.platform === 'linux' ? false : 'processes are looked up in /proc'

test(
  'an agent that was not used for a while is ended, and comes back knowing everything',
  { skip: noProc },
  async () => {
    await using place = await openPlace()
    const engine = place.engine({ can: 'resume', limits: { idleMs: 1 } })
    const id = await place.begin(engine)
    await ask(engine, id, 'one')
    await gone(place.project)
    assert.match(await ask(engine, id, 'two <<recall>>'), /"one"/)
  },
)

/** Until no process works in this folder any more. */
async function gone(folder: string): Promise<void> {
  for (;;) {
    const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
    const places = await Promise.all(
      pids.map((pid) => readlink(`/proc/${pid}/cwd`).catch(() => '')),
    )
    if (!places.includes(folder)) return
    await new Promise((resolve) => setImmediate(resolve))
  }
}

test('agents are found on PATH and in what npx fetched, and say what they can do', async () => {
  await using place = await openPlace()
  const script = `#!/bin/sh\nexec "${process.execPath}" --no-warnings "${AGENT}" --can load,resume,embedded\n`
  const [bin, npx] = [
    join(place.agentHome, 'bin'),
    join(place.agentHome, 'cache/_npx/abc/node_modules'),
  ]
  await mkdir(bin)
  await mkdir(join(npx, '.bin'), { recursive: true })
  await mkdir(join(npx, '@b/pkg'), { recursive: true })
  await writeFile(join(bin, 'agent-a'), script)
  await chmod(join(bin, 'agent-a'), 0o755)
  await symlink(join(bin, 'agent-a'), join(npx, '.bin/agent-b'))
  await writeFile(join(bin, 'agent-d'), '#!/bin/sh\necho broken >&2\nexit 1\n')
  await chmod(join(bin, 'agent-d'), 0o755)
  const known = (command: string) => ({
    title: command,
    command,
    args: [],
    package: '@b/pkg',
    asks: { before: 'all', never: 'nothing' },
    unattended: {},
    counts: 'per-answer' as const,
  })
  const reports = await discoverAgents({
    cwd: place.project,
    env: { PATH: `${bin}:relative`, npm_config_cache: join(place.agentHome, 'cache') },
    agents: { a: known('agent-a'), b: known('agent-b'), c: known('agent-c'), d: known('agent-d') },
  })
  assert.deepEqual(
    reports.map(({ name, where, version, abilities, trouble }) => ({
      name,
      where,
      version,
      abilities,
      trouble,
    })),
    [
      {
        name: 'a',
        where: 'path',
        version: '1.2.3',
        abilities: ['load', 'resume', 'embeddedContext'],
        trouble: undefined,
      },
      {
        name: 'b',
        where: 'npx',
        version: '1.2.3',
        abilities: ['load', 'resume', 'embeddedContext'],
        trouble: undefined,
      },
      { name: 'c', where: undefined, version: undefined, abilities: undefined, trouble: undefined },
      {
        name: 'd',
        where: 'path',
        version: undefined,
        abilities: undefined,
        trouble: 'It ended with exit code 1. Its last words: broken',
      },
    ],
  )
})

test('the end of the engine is the end of the agent', { skip: noProc }, async () => {
  await using place = await openPlace()
  const engine = place.engine()
  const id = await place.begin(engine)
  await ask(engine, id, 'hello')
  await engine.stop()
  await gone(place.project)
})
