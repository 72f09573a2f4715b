/** The program itself with an ACP process behind it: killed, wiped and continued, nothing acknowledged is lost. */
import assert from 'node:assert/strict'
import { cpSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { once } from 'node:events'
import { test } from 'node:test'
import { lines, makePlace, type Place } from '../e2e/cli.ts'
import { AGENT } from './place.ts'

const agent = (can: string) => `"${process.execPath}" --no-warnings "${AGENT}" --can "${can}"`

type Told = {
  readonly type: string
  readonly data: { readonly content?: string; readonly agent?: { readonly rung: string } }
}

async function history(place: Place): Promise<Told[]> {
  const { stdout } = await place.run(['sessions', 'events', '@latest', '--json'])
  return lines<Told>(stdout)
}

const rungsIn = (events: readonly Told[]) => events.flatMap(({ data }) => data.agent?.rung ?? [])

test('an agent that is killed in the middle of a turn and whose home is wiped goes on with --continue', async () => {
  using place = makePlace()
  const given = ['--allow-all', '--agent', agent('load,resume,embedded')]
  const first = await place.run([...given, '-p', 'The word is heron. <<say Noted.>>'])
  assert.deepEqual([first.code, first.stdout.trim()], [0, 'Noted.'])
  const killed = await place.run([...given, '--continue', '-p', '<<say I begin>><<crash>>'])
  assert.notEqual(killed.code, 0)
  assert.match(killed.stderr, /ended in the middle of its work/)
  rmSync(join(dirname(place.home), '.scripted-agent'), { recursive: true })
  // In this home the command was given: it need not be given again.
  const more = ['--allow-all', '--continue', '-p', 'What was it? <<recall>>']
  const next = await place.run(more)
  assert.equal(next.code, 0)
  assert.match(next.stdout, /The word is heron/)
  assert.match(next.stdout, /I begin/)
  const elsewhere = join(dirname(place.home), 'elsewhere')
  cpSync(join(place.home, 'session-state'), join(elsewhere, 'session-state'), { recursive: true })
  const env = { REPRISE_HOME: elsewhere, REPRISE_AGENT: '', PATH: '/bin' }
  const stranger = await place.run(more, { env })
  assert.equal(stranger.code, 2)
  assert.match(stranger.stderr, /"node" answered in this session, and is not found here/)
  const events = await history(place)
  assert.deepEqual(rungsIn(events), ['new', 'resume', 'resource'])
  assert.equal(events.filter(({ type }) => type === 'session.error').length, 1)
  const doctor = await place.run(['doctor'])
  assert.equal(doctor.code, 0)
})

test('Reprise itself killed in the middle of a turn: what was acknowledged is there, the agent goes on', async () => {
  using place = makePlace()
  const given = ['--agent', agent('embedded'), '--allow-all', '--json']
  const child = place.start([...given, '-p', 'The word is heron. <<edit a.md>><<wait>>'])
  child.stdin?.end()
  const acknowledged: string[] = []
  for await (const line of createInterface({ input: child.stdout! })) {
    const { type } = JSON.parse(line) as Told
    acknowledged.push(type)
    if (type === 'tool.execution_complete') break
  }
  child.kill('SIGKILL')
  await once(child, 'exit')
  const next = await place.run([
    '--allow-all',
    '--agent',
    agent('embedded'),
    '--continue',
    '-p',
    'Go on. <<recall>>',
  ])
  assert.match(next.stdout, /The word is heron/)
  const events = await history(place)
  assert.deepEqual(
    events.map(({ type }) => type).filter((type) => type.startsWith('tool.')),
    ['tool.execution_start', 'tool.execution_complete'],
  )
  for (const type of acknowledged)
    assert.ok(
      events.some((event) => event.type === type),
      type,
    )
  assert.deepEqual(rungsIn(events), ['new', 'resource'])
})

test('agents are listed, as JSON too', async () => {
  using place = makePlace()
  // The system's own folder: the launcher asks it for the kind of machine.
  const env = { PATH: '/bin' }
  const { agents } = await place.json<{ agents: readonly { readonly name: string }[] }>(
    ['agents'],
    { env },
  )
  assert.deepEqual(
    agents.map(({ name }) => name),
    ['copilot', 'claude', 'codex', 'gemini', 'opencode', 'qwen'],
  )
  const { stdout } = await place.run(['agents'], { env })
  assert.match(stdout, /^opencode +not found +npm install -g opencode-ai$/m)
})
