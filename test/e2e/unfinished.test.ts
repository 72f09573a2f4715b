/** What was shown is kept: a stop, a broken connection, a kill, through the built program and a model on the loopback. */
import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { appendFileSync, existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { startModelServer, type Script } from '../model-server/server.ts'
import type { Reply } from '../model-server/reply.ts'
import { makePlace, type Place } from './cli.ts'

const options = { timeout: 60_000 }
const never = new Promise<never>(() => {})
const words = (count: number) => Array.from({ length: count }, (_, at) => `word${at} `)
const slow: Reply = { text: words(60), paceMs: 5, until: never }

type Event = { readonly type: string; readonly id: string; readonly data: Record<string, unknown> }

async function openPlace(script: Script, provider = 'openai-compatible') {
  const place = makePlace()
  const server = await startModelServer(script)
  const env = {
    REPRISE_AGENT: '',
    REPRISE_PROVIDER: provider,
    OPENAI_API_KEY: 'test-key',
    ANTHROPIC_API_KEY: 'test-key',
  }
  await place.run(['config', 'set', 'model.provider', provider])
  await place.run(['config', 'set', 'model.baseUrl', server.baseUrl])
  await place.run(['config', 'set', 'model.name', 'm1'])
  return {
    place,
    server,
    env,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]()
      place[Symbol.dispose]()
    },
  }
}

const idOf = (place: Place) => readdirSync(join(place.home, 'session-state'))[0] ?? ''
const folder = (place: Place) => join(place.home, 'session-state', idOf(place))
const events = (place: Place): Event[] =>
  readFileSync(join(folder(place), 'events.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Event)
const said = (place: Place) => events(place).filter(({ type }) => type === 'assistant.message')

/** Until the program has shown so much. */
async function shows(child: ChildProcess, text: string): Promise<void> {
  let seen = ''
  for await (const chunk of child.stdout ?? []) {
    seen += String(chunk)
    if (seen.includes(text)) return
  }
  throw new Error(`It ended without showing ${text}: ${seen}`)
}

const ended = (child: ChildProcess) => new Promise((resolve) => child.on('close', resolve))

async function streaming(place: Place, env: NodeJS.ProcessEnv, until: string) {
  const child = place.start(['-p', 'say much', '--allow-all', '--json', '--stream', 'on'], { env })
  child.stdin?.end()
  await shows(child, until)
  return child
}

test('a stop keeps what was said, and the model knows it', options, async () => {
  await using opened = await openPlace(({ index }) => (index === 0 ? slow : { text: 'Good.' }))
  const { place, env, server } = opened
  const child = await streaming(place, env, 'word59')
  child.kill('SIGINT')
  await ended(child)
  const [message] = said(place)
  assert.equal(message?.data['content'], words(60).join(''))
  assert.deepEqual(message?.data['reprise'], { unfinished: 'stopped' })
  assert.ok(!existsSync(join(folder(place), '.reprise/inbox/notices.jsonl')))
  const { code } = await place.run(['--continue', '-p', 'go on'], { env })
  assert.equal(code, 0)
  const { messages } = (server.requests[1]?.body ?? {}) as unknown as {
    messages: { role: string }[]
  }
  assert.deepEqual(
    messages.map(({ role }) => role),
    ['system', 'user', 'assistant', 'user'],
  )
  assert.match(JSON.stringify(messages[2]), /word0 .*word59/)
})

test(
  'a kill loses little of it; what is kept is shown, found and sent on (format §10.16)',
  options,
  async () => {
    await using opened = await openPlace(({ index }) => (index === 0 ? slow : { text: 'Good.' }))
    const { place, env, server } = opened
    const child = await streaming(place, env, 'word59')
    // The last pieces are written within 50 ms; what the file has by then is what a kill leaves.
    const stream = join(folder(place), '.reprise/inbox/notices.jsonl')
    while (!readFileSync(stream, 'utf8').includes('word59')) await new Promise(setImmediate)
    child.kill('SIGKILL')
    await ended(child)
    assert.deepEqual(said(place), [])
    const before = readFileSync(join(folder(place), 'events.jsonl'))
    const shown = await place.run(['sessions', 'show', idOf(place), '--transcript'])
    assert.match(shown.stdout, /word0 word1 .*word59/s)
    const exported = await place.run(['export', idOf(place), '--markdown', '-o', '-'])
    assert.match(exported.stdout, /word0 word1 .*word59/)
    assert.deepEqual(readFileSync(join(folder(place), 'events.jsonl')), before)
    assert.equal((await place.run(['--continue', '-p', 'go on'], { env })).code, 0)
    const [message, next] = said(place)
    assert.equal(message?.data['content'], words(60).join(''))
    assert.deepEqual(message?.data['reprise'], { unfinished: 'killed' })
    assert.equal(next?.data['content'], 'Good.')
    assert.match(JSON.stringify(server.requests.at(-1)?.body), /word0 .*word59/)
    assert.match((await place.run(['search', 'word42'])).stdout, /word42/)
    assert.ok(!existsSync(stream))
  },
)

test(
  'where another program went on, the log is left alone and the words are shown in their place',
  options,
  async () => {
    await using opened = await openPlace(({ index }) => (index === 0 ? slow : { text: 'Good.' }))
    const { place, env } = opened
    const child = await streaming(place, env, 'word59')
    child.kill('SIGKILL')
    await ended(child)
    const last = events(place).at(-1)
    const foreign = {
      type: 'session.resume',
      data: { resumeTime: new Date().toISOString(), eventCount: events(place).length },
      id: crypto.randomUUID(),
      timestamp: new Date().toISOString(),
      parentId: last?.id,
    }
    appendFileSync(join(folder(place), 'events.jsonl'), `${JSON.stringify(foreign)}\n`)
    assert.equal((await place.run(['--continue', '-p', 'go on'], { env })).code, 0)
    assert.deepEqual(
      said(place).map(({ data }) => data['content']),
      ['Good.'],
    )
    const { stdout } = await place.run(['sessions', 'show', idOf(place), '--transcript'])
    assert.match(stdout, /say much.*word0 word1 .*go on.*Good\./s)
  },
)

test(
  'a broken connection is told, tried again, and what came stays without being sent twice',
  options,
  async () => {
    const script: Script = ({ index }) =>
      index === 0 ? { text: words(10), paceMs: 2, cut: 'broken' } : { text: `Whole ${index}.` }
    await using opened = await openPlace(script)
    const { place, env, server } = opened
    assert.equal((await place.run(['-p', 'say much'], { env })).code, 0)
    assert.deepEqual(
      said(place).map(({ data }) => data['reprise']),
      [{ unfinished: 'retried' }, undefined],
    )
    assert.match(String(said(place)[0]?.data['content']), /^word0 word1 /)
    assert.equal(said(place)[1]?.data['content'], 'Whole 1.')
    assert.equal((await place.run(['--continue', '-p', 'go on'], { env })).code, 0)
    assert.doesNotMatch(JSON.stringify(server.requests.at(-1)?.body), /word0/)
  },
)

test('the output of a tool that is stopped is kept, and the model is told', options, async () => {
  const call = {
    name: 'bash',
    arguments: { command: "echo step o''ne; echo step t''wo; sleep 600" },
  }
  await using opened = await openPlace(({ index }) =>
    index === 0 ? { calls: [call] } : { text: 'Good.' },
  )
  const { place, env, server } = opened
  const child = await streaming(place, env, 'step two')
  child.kill('SIGINT')
  await ended(child)
  const done = events(place).find(({ type }) => type === 'tool.execution_complete')
  assert.match(JSON.stringify(done?.data['result']), /step one\\nstep two/)
  assert.equal((await place.run(['--continue', '-p', 'go on'], { env })).code, 0)
  assert.match(JSON.stringify(server.requests.at(-1)?.body), /step one.{1,8}step two/)
})

test('thinking is kept and shown, and is never sent', options, async () => {
  const script: Script = ({ index }) =>
    index === 0 ? { reasoning: 'deep thought', text: words(3), until: never } : { text: 'Good.' }
  await using opened = await openPlace(script)
  const { place, env, server } = opened
  const child = await streaming(place, env, 'word2')
  child.kill('SIGINT')
  await ended(child)
  const thought = events(place).find(({ type }) => type === 'assistant.reasoning')
  assert.deepEqual(
    [thought?.data['content'], thought?.data['reprise']],
    ['deep thought', { unfinished: 'stopped' }],
  )
  assert.match(
    (await place.run(['sessions', 'show', idOf(place), '--transcript'])).stdout,
    /deep thought/,
  )
  assert.equal((await place.run(['--continue', '-p', 'go on'], { env })).code, 0)
  assert.doesNotMatch(JSON.stringify(server.requests.at(-1)?.body), /deep thought/)
})
