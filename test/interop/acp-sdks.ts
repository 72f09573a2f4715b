/** Editors built with each generation of the ACP SDK, from 0.4 to 2.4, in front of `reprise acp`. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { pathToFileURL } from 'node:url'
import { PROGRAM } from '../support/program.ts'
import type { Checks } from './checks.ts'
import { npmInstall } from './install.ts'
import type { Place } from './place.ts'

/** Name of the folder -> package, and the file that an editor imports. */
const SDKS = {
  'sdk-0.4.5': ['@zed-industries/agent-client-protocol@0.4.5', 'dist/acp.js'],
  'sdk-0.14.1': ['@agentclientprotocol/sdk@0.14.1', 'dist/acp.js'],
  'sdk-0.28.1': ['@agentclientprotocol/sdk@0.28.1', 'dist/acp.js'],
  'sdk-1.4.0': ['@agentclientprotocol/sdk@1.4.0', 'dist/acp.js'],
  'sdk-2.4.0': ['@agentclientprotocol/sdk@2.4.0', 'dist/v1/unstable/acp.js'],
} as const

type Fields = Record<string, unknown>
type Ask = (params: Fields) => Promise<Fields>
/** What all of them have in common; one that has no such method leaves it out. */
type Connection = Readonly<Record<string, Ask | undefined>>
type Sdk = {
  ndJsonStream(out: unknown, into: unknown): unknown
  ClientSideConnection?: new (client: () => Fields, stream: unknown) => Connection
  client?(about: Fields): App
  methods?: { readonly agent: Methods; readonly client: Methods }
}
type Methods = { readonly [name: string]: string } & { readonly session: Record<string, string> }
type App = {
  onNotification(method: string, take: (given: { params: Fields }) => void): App
  onRequest(method: string, answer: (given: { params: Fields }) => unknown): App
  connectWith(stream: unknown, use: (line: Line) => Promise<void>): Promise<void>
}
type Line = {
  request(method: string, params: Fields): Promise<Fields>
  notify(method: string, params: Fields): Promise<void>
}

export async function checkAcpSdks(checks: Checks, place: Place): Promise<void> {
  const folder = await installSdks()
  for (const [name, [, file]] of Object.entries(SDKS)) {
    const sdk = (await import(pathToFileURL(join(folder, 'node_modules', name, file)).href)) as Sdk
    await checkSdk(checks, place, name, sdk)
  }
}

async function installSdks(): Promise<string> {
  const folder = join(tmpdir(), 'reprise-interop-acp-sdks')
  const done = join(folder, 'complete')
  if (existsSync(done)) return folder
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const dependencies = Object.fromEntries(
    Object.entries(SDKS).map(([name, [wanted]]) => [name, `npm:${wanted}`]),
  )
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies }))
  await npmInstall(folder)
  await writeFile(done, '')
  return folder
}

const CAPABILITIES = {
  protocolVersion: 1,
  clientCapabilities: { fs: { readTextFile: true, writeTextFile: true } },
  clientInfo: { name: 'editor', version: '1' },
}

async function checkSdk(
  { check }: Checks,
  { home, project: cwd }: Place,
  name: string,
  sdk: Sdk,
): Promise<void> {
  let sessionId = ''
  const file = join(cwd, `${name}.txt`)
  const first = await openEditor(sdk, home, cwd)
  const say = (text: string) => first.ask('prompt', { sessionId, prompt: [{ type: 'text', text }] })
  await check(`${name}: initialize and a new session`, async () => {
    assert.equal((await first.ask('initialize', CAPABILITIES))['protocolVersion'], 1)
    sessionId = String((await first.ask('newSession', { cwd, mcpServers: [] }))['sessionId'])
  })
  await check(`${name}: a prompt is answered`, async () => {
    assert.equal((await say('hello'))['stopReason'], 'end_turn')
  })
  await check(`${name}: a file is written through the editor, once it is allowed`, async () => {
    await say(`write ${name}.txt: words`)
    assert.equal((await readFile(file, 'utf8')).trim(), 'words')
    assert.ok(first.asked.length > 0)
  })
  await check(`${name}: a turn is cancelled`, async () => {
    const turn = say('run sleep 30')
    await first.told('sleep 30')
    await first.tell('cancel', { sessionId })
    assert.equal((await turn)['stopReason'], 'cancelled')
  })
  await check(`${name}: a mode is set, a session that is not there is refused`, async () => {
    await first.ask('setSessionMode', { sessionId, modeId: 'plan' })
    const prompt = [{ type: 'text', text: 'x' }]
    await assert.rejects(first.ask('prompt', { sessionId: crypto.randomUUID(), prompt }))
  })
  await first.kill()
  const again = await openEditor(sdk, home, cwd)
  await check(`${name}: after a kill everything is replayed`, async () => {
    await again.ask('initialize', CAPABILITIES)
    await again.ask('loadSession', { sessionId, cwd, mcpServers: [] })
    await again.told('hello')
  })
  const there = { sessionId, cwd, mcpServers: [] }
  const later: readonly (readonly [string, Fields])[] = [
    ['listSessions', {}],
    ['resumeSession', there],
    ['forkSession', there],
    ['setSessionConfigOption', { sessionId, configId: 'mode', value: 'plan' }],
    ['closeSession', { sessionId }],
    ['deleteSession', { sessionId }],
  ]
  for (const [method, params] of later)
    if (again.has(method))
      await check(`${name}: ${method}`, async () => void (await again.ask(method, params)))
  await check(`${name}: the server ends with its editor`, again.leave)
}

async function openEditor(sdk: Sdk, home: string, cwd: string) {
  const child = spawn(PROGRAM, ['acp', '--agent', 'offline'], {
    cwd,
    env: { ...process.env, REPRISE_HOME: home },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const ended = once(child, 'exit')
  const updates: unknown[] = []
  const asked: unknown[] = []
  const client = {
    sessionUpdate: async (params: Fields) => void updates.push(params),
    requestPermission: async (params: Fields) => {
      asked.push(params)
      const options = params['options'] as readonly { kind: string; optionId: string }[]
      const once_ = options.find(({ kind }) => kind === 'allow_once')
      return { outcome: { outcome: 'selected', optionId: once_?.optionId } }
    },
    readTextFile: async ({ path }: Fields) => ({ content: await readFile(String(path), 'utf8') }),
    writeTextFile: async ({ path, content }: Fields) => {
      await writeFile(String(path), String(content))
      return {}
    },
  }
  const stream = sdk.ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout))
  const line = await connect(sdk, stream, client)
  const methodOf = (name: string) => line[name] ?? line[`unstable_${name}`]
  const ask = (name: string, params: Fields): Promise<Fields> => {
    const method = methodOf(name)
    assert.ok(method, `there is no ${name}`)
    return within(method.call(line, params))
  }
  return {
    asked,
    ask,
    tell: ask,
    has: (name: string) => methodOf(name) !== undefined,
    async told(text: string) {
      const deadline = Date.now() + DEADLINE_MS
      while (!JSON.stringify(updates).includes(text)) {
        assert.ok(Date.now() < deadline, `not told: ${text}`)
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    },
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
    async leave() {
      child.stdin.end()
      await within(ended)
    },
  }
}

const DEADLINE_MS = 60_000

const within = <T>(work: Promise<T>): Promise<T> =>
  Promise.race([
    work,
    new Promise<never>((_, reject) => {
      setTimeout(() => reject(new Error('nothing came in time')), DEADLINE_MS).unref()
    }),
  ])

type Client = Readonly<Record<string, (params: Fields) => Promise<unknown>>>

/** The first generations give a connection with a method for each call; the last one names the calls. */
async function connect(sdk: Sdk, stream: unknown, client: Client): Promise<Connection> {
  const { ClientSideConnection, methods } = sdk
  if (ClientSideConnection !== undefined) return new ClientSideConnection(() => client, stream)
  assert.ok(sdk.client && methods)
  const theirs = methods.client
  const app = sdk
    .client({ name: 'editor' })
    .onNotification(theirs.session['update'] ?? '', ({ params }) => {
      void client['sessionUpdate']?.(params)
    })
    .onRequest(theirs.session['requestPermission'] ?? '', ({ params }) =>
      client['requestPermission']?.(params),
    )
    .onRequest('fs/read_text_file', ({ params }) => client['readTextFile']?.(params))
    .onRequest('fs/write_text_file', ({ params }) => client['writeTextFile']?.(params))
  const line = await new Promise<Line>((resolve, reject) => {
    // The connection lives as long as the server does.
    app.connectWith(stream, (open) => new Promise(() => resolve(open))).catch(reject)
  })
  const call =
    (method: string): Ask =>
    (params) =>
      line.request(method, params)
  return {
    initialize: call('initialize'),
    newSession: call('session/new'),
    prompt: call('session/prompt'),
    cancel: async (params) => {
      await line.notify('session/cancel', params)
      return {}
    },
    setSessionMode: call('session/set_mode'),
    loadSession: call('session/load'),
    listSessions: call('session/list'),
    resumeSession: call('session/resume'),
    forkSession: call('session/fork'),
    setSessionConfigOption: call('session/set_config_option'),
    closeSession: call('session/close'),
    deleteSession: call('session/delete'),
  }
}
