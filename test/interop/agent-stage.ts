/** One genuine agent behind `reprise acp`, under its known name, with an editor in front and the fake model behind. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, readdir, realpath, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { knownAgents } from '../../src/agents/acp/known.ts'
import type { Fields } from '../../src/lib/fields.ts'
import { connectClient, type TestClient } from '../acp/place.ts'
import { PROGRAM } from '../support/program.ts'
import type { AcpProgram } from './acp-programs.ts'
import { childrenOf } from './acp.ts'
import { textOf, type FakeModel } from './model.ts'

export interface Stage extends AsyncDisposable {
  readonly program: AcpProgram
  readonly project: string
  readonly client: TestClient
  sessionId: string
  /** What the editor was asked, and how it answers: by the kind of an option. */
  readonly asked: readonly Fields[]
  answer: 'allow_once' | 'reject_once' | 'nobody'
  /** Ends `reprise acp` and starts another, with the agent's home as it is or a fresh one. */
  reopen(home?: 'kept' | 'fresh'): Promise<void>
  /** Another editor with a `reprise acp` of its own, which answers nothing by itself. */
  beside(): Promise<{ readonly client: TestClient } & AsyncDisposable>
  begin(mcpServers?: readonly Fields[]): Promise<Fields>
  /** Under which name the model was told of a tool whose name ends so, and what it was told last. */
  offered(ending: string): string | undefined
  lastTold(): string
  load(): Promise<readonly Fields[]>
  say(text: string): Promise<Fields>
  /** The facts of the conversation in the requests that came with this one. */
  facts(fact: string): string
  events(): Promise<readonly { readonly type: string; readonly data: Fields }[]>
  /** How the agent last came to know the conversation, and why not by a way before that. */
  rung(): Promise<string>
  readonly passedOver: readonly string[]
  killAgent(): Promise<void>
  /** `reprise -p`, with nobody there to be asked. */
  unattended(prompt: string): Promise<number | null>
}

export async function openStage(
  program: AcpProgram,
  model: FakeModel,
  /** What is done to the home before anything is started in it. */
  prepare: (home: string) => Promise<void> = async () => {},
): Promise<Stage> {
  const base = await realpath(await mkdtemp(join(tmpdir(), 'reprise-interop-stage-')))
  const [project, home, bin] = ['project', 'home', 'bin'].map((name) => join(base, name)) as [
    string,
    string,
    string,
  ]
  for (const folder of [project, home, bin]) await mkdir(folder)
  await prepare(home)
  const asked: Fields[] = []
  const passedOver: string[] = []
  const seen = new Map<string, number>()
  let editor: { client: TestClient; end(): Promise<void>; pid: number } | undefined
  let env: NodeJS.ProcessEnv = {}

  async function open(kind: 'kept' | 'fresh'): Promise<void> {
    const given = await program.options(kind)
    const file = join(bin, knownAgents[program.name].command)
    await rm(file, { force: true })
    await symlink(given.command, file)
    const path = [bin, dirname(process.execPath), '/usr/local/bin:/usr/bin:/bin'].join(delimiter)
    env = { ...given.env, PATH: path, NODE_NO_WARNINGS: '1' }
    editor = await connect()
    editor.client.answers = {
      'session/request_permission': (params: Fields) => {
        asked.push(params)
        // It leaves the question to somebody else.
        if (stage.answer === 'nobody') return new Promise(() => {})
        const options = params['options'] as { kind: string; optionId: string }[]
        const option = options.find(({ kind: each }) => each === stage.answer)
        return { outcome: { outcome: 'selected', optionId: option?.optionId ?? 'reject' } }
      },
    }
  }

  async function connect() {
    const args = ['acp', '--home', home, '--agent', program.name]
    const child = spawn(PROGRAM, args, { cwd: project, env, stdio: ['pipe', 'pipe', 'ignore'] })
    const ended = once(child, 'exit')
    const client = await connectClient(child.stdout, child.stdin)
    const end = async () => {
      client.leave()
      await ended
    }
    return { client, end, pid: child.pid ?? 0 }
  }

  const stage: Stage = {
    program,
    project,
    asked,
    sessionId: '',
    answer: 'allow_once',
    get client() {
      if (editor === undefined) throw new Error('No editor is open.')
      return editor.client
    },
    async reopen(kind = 'kept') {
      await editor?.end()
      await open(kind)
    },
    async beside() {
      const { client, end } = await connect()
      const { sessionId } = stage
      await client.request('session/load', { sessionId, cwd: project, mcpServers: [] })
      return { client, [Symbol.asyncDispose]: end }
    },
    offered(ending) {
      const told = (model.offered + stage.lastTold()).replaceAll('\\n', ' ')
      return new RegExp(`\\b([a-z]+[\\w-]*${ending})\\b`).exec(told)?.[1]
    },
    lastTold: () => JSON.stringify(model.seen.at(-1)),
    async begin(mcpServers = []) {
      const opened = { cwd: project, mcpServers }
      const result = await stage.client.request<Fields>('session/new', opened)
      stage.sessionId = String(result['sessionId'])
      return result
    },
    async load() {
      stage.client.updates.length = 0
      const { sessionId } = stage
      await stage.client.request('session/load', { sessionId, cwd: project, mcpServers: [] })
      return [...stage.client.updates]
    },
    say: (text) =>
      stage.client.request('session/prompt', {
        sessionId: stage.sessionId,
        prompt: [{ type: 'text', text }],
      }),
    facts(fact) {
      const texts = model.seen.map((messages) => messages.map(textOf).join('\n'))
      const mine = texts.filter((text) => text.includes(`FACT-${fact} `)).join('\n')
      const found = new Set([...mine.matchAll(/FACT-([a-z]+) /g)].map(([, word]) => word ?? ''))
      return [...found].sort().join(' ')
    },
    async events() {
      const path = join(home, 'session-state', stage.sessionId, 'events.jsonl')
      const lines = (await readFile(path, 'utf8')).split('\n').filter((line) => line !== '')
      return lines.map((line) => JSON.parse(line) as { type: string; data: Fields })
    },
    async rung() {
      const told = (await stage.events()).flatMap(
        ({ data }) => (data as { agent?: Told }).agent ?? [],
      )
      const ways = told.flatMap(({ rung, tried = [] }) =>
        rung === undefined ? [] : [{ rung, tried }],
      )
      for (const { rung, tried } of ways.slice(seen.get(stage.sessionId) ?? 0)) {
        const why = tried.map((each) => `not ${each.rung} (${each.why})`)
        if (why.length > 0) passedOver.push(`${rung}, ${why.join(', ')}`)
      }
      seen.set(stage.sessionId, ways.length)
      return ways.at(-1)?.rung ?? 'none'
    },
    passedOver,
    async killAgent() {
      const children = await childrenOf('', editor?.pid)
      for (const pid of children) process.kill(pid, 'SIGKILL')
    },
    async unattended(prompt) {
      const args = ['--home', home, '--agent', program.name, '-p', prompt]
      const child = spawn(PROGRAM, args, { cwd: project, env, stdio: 'ignore' })
      const [code] = (await once(child, 'exit')) as [number | null]
      return code
    },
    async [Symbol.asyncDispose]() {
      await editor?.end()
      await rm(base, { recursive: true, force: true, maxRetries: 5 })
    },
  }
  await open('fresh')
  return stage
}

type Told = {
  readonly rung?: string
  readonly tried?: readonly { readonly rung: string; readonly why: string }[]
}

/** Whether the project holds this file. */
export const holds = async ({ project }: Stage, name: string): Promise<boolean> =>
  (await readdir(project)).includes(name)
