/** A process that stands still in its turn is overtaken; woken up, it ends its turn instead of going on around the other's. */
import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { existsSync, readFileSync, readdirSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { startModelServer } from '../model-server/server.ts'
import { makePlace } from './cli.ts'

const options = { timeout: 90_000, skip: process.platform === 'win32' && 'Windows freezes nothing' }

type Event = {
  readonly type: string
  readonly id: string
  readonly parentId: string | null
  readonly data: Readonly<Record<string, unknown>>
}

test('a frozen holder that was overtaken ends its turn when it is woken', options, async () => {
  using place = makePlace()
  const go = Promise.withResolvers<void>()
  await using server = await startModelServer(({ index }) =>
    index === 0
      ? {
          text: ['Before ', 'the freeze.'],
          until: go.promise,
          calls: [{ name: 'bash', arguments: { command: 'touch too-late' } }],
        }
      : { text: 'Taken over.' },
  )
  const env = { REPRISE_AGENT: '', OPENAI_API_KEY: 'test-key' }
  await place.run(['config', 'set', 'model.provider', 'openai-compatible'])
  await place.run(['config', 'set', 'model.baseUrl', server.baseUrl])
  await place.run(['config', 'set', 'model.name', 'm1'])

  const id = crypto.randomUUID()
  const session = join(place.home, 'session-state', id)
  const given = ['--resume', id, '--allow-all', '--json', '--stream', 'on']
  const frozen = place.start([...given, '-p', 'first'], { env })
  frozen.stdin?.end()
  const errors = text(frozen.stderr)
  const told = text(frozen.stdout)
  const ended = new Promise<number | null>((resolve) => frozen.on('close', resolve))
  await shows(frozen, 'freeze.')
  // Written within 50 ms: what the file has is what the other process finds.
  const stream = join(session, '.reprise/inbox/notices.jsonl')
  while (!existsSync(stream) || !readFileSync(stream, 'utf8').includes('freeze.'))
    await new Promise(setImmediate)
  frozen.kill('SIGSTOP')
  try {
    await isStopped(frozen)
    // As if it had stood still for a minute: so long is waited for a holder that says nothing.
    const past = new Date(Date.now() - 60_000)
    for (const name of readdirSync(join(session, '.reprise/lease')))
      if (name.endsWith('.heartbeat')) utimesSync(join(session, '.reprise/lease', name), past, past)
    const taker = await place.run([...given, '--wait', '30', '-p', 'second'], { env })
    assert.equal(taker.code, 0, taker.stderr)
    const log = readFileSync(join(session, 'events.jsonl'))
    go.resolve()
    frozen.kill('SIGCONT')
    assert.equal(await ended, 4, errors())
    assert.match(errors(), /took session .* over while this one stood still/)
    assert.match(told(), /"errorType":"overtaken"/)
    assert.deepEqual(readFileSync(join(session, 'events.jsonl')), log, 'nothing of it is appended')
    assert.ok(!existsSync(join(place.project, 'too-late')), 'no call of it is run')
    assert.equal(server.requests.length, 2, 'no model is asked again')
    const events = log
      .toString('utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Event)
    assert.deepEqual(
      events.map(({ parentId }) => parentId),
      [null, ...events.slice(0, -1).map((event) => event.id)],
    )
    assert.deepEqual(
      events.flatMap(({ type, data }) =>
        /^(user|assistant)\.message$/.test(type) ? [data['content']] : [],
      ),
      ['first', 'Before the freeze.', 'second', 'Taken over.'],
    )
  } finally {
    frozen.kill('SIGKILL')
  }
})

function text(stream: NodeJS.ReadableStream | null): () => string {
  let all = ''
  stream?.on('data', (chunk) => (all += String(chunk)))
  return () => all
}

const shows = (child: ChildProcess, wanted: string) =>
  new Promise<void>((resolve, reject) => {
    let seen = ''
    child.stdout?.on('data', (chunk) => {
      seen += String(chunk)
      if (seen.includes(wanted)) resolve()
    })
    child.on('close', () => reject(new Error(`It ended without showing ${wanted}: ${seen}`)))
  })

/** A signal is delivered some time after it was sent. */
async function isStopped({ pid }: ChildProcess): Promise<void> {
  const isRunning = () => !/^State:\s*T/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  while (process.platform === 'linux' && isRunning()) await new Promise(setImmediate)
}
