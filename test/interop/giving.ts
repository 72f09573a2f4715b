/**
 * A session that is given away is gone on with by the genuine programs, and comes back: ours → Claude Code → Codex →
 * opencode, each resumed by its own command, with what its model was asked; ours → the Copilot CLI's interchange → its
 * own import → ours; and the Claude Agent SDK with our store.
 */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startSteeredModel, type SteeredModel } from '../interchange/making/model.ts'
import { PROGRAM } from '../support/program.ts'
import type { Checks } from './checks.ts'
import { installGiven } from './install-given.ts'
import type { Place } from './place.ts'

const run = promisify(execFile)

type Stage = {
  readonly bin: string
  readonly modules: string
  readonly home: string
  readonly project: string
  readonly model: SteeredModel
  readonly env: Readonly<Record<string, string>>
}

const GOLDEN = new URL('../interchange/golden/', import.meta.url).pathname
const CLAUDE = join(GOLDEN, 'claude-2.1.197/projects')
/** The conversation as it stands, without what its rewind left. */
const WORDS = ['Make a file.', 'Both are done.']

export async function checkGiving(checks: Checks, { program }: Place): Promise<void> {
  const modules = await installGiven()
  await using model = await startSteeredModel()
  const base = await mkdtemp(join(tmpdir(), 'reprise-giving-'))
  const [home, project] = [join(base, 'home'), join(base, 'project')]
  await mkdir(project, { recursive: true })
  await mkdir(home)
  const stage: Stage = {
    bin: join(modules, '.bin'),
    modules,
    home,
    project,
    model,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: home,
      REPRISE_HOME: join(home, '.reprise'),
      ...(await settings(home, model)),
    },
  }
  try {
    await ours(stage, 'import', CLAUDE)
    const [first] = await listed(stage)
    assert.ok(first !== undefined)
    await checkWay(checks, stage, first)
    for (const name of await readdir(GOLDEN)) await ours(stage, 'import', join(GOLDEN, name))
    for (const each of await listed(stage))
      await checkCopilot(checks, stage, each, program.copilot, program.cache)
    await checkSdk(checks, stage)
  } finally {
    await rm(base, { recursive: true, force: true })
  }
}

async function settings(home: string, model: SteeredModel): Promise<Record<string, string>> {
  const url = `${model.origin}/v1`
  await mkdir(join(home, '.codex'), { recursive: true })
  await writeFile(
    join(home, '.codex/config.toml'),
    `model = "mock-1"\nmodel_provider = "mock"\n[model_providers.mock]\nname = "Mock"\nbase_url = "${url}"\nwire_api = "responses"\nrequires_openai_auth = false\n`,
  )
  const limit = { context: 100_000, output: 4_000 }
  const models = { 'mock-1': { name: 'Mock', tool_call: true, limit } }
  const options = { baseURL: url, apiKey: 'none' }
  const mock = { npm: '@ai-sdk/openai-compatible', name: 'Mock', options, models }
  const config = { model: 'mock/mock-1', small_model: 'mock/mock-1', provider: { mock } }
  await mkdir(join(home, '.config/opencode'), { recursive: true })
  await writeFile(join(home, '.config/opencode/opencode.json'), JSON.stringify(config))
  return {
    ANTHROPIC_BASE_URL: model.origin,
    ANTHROPIC_API_KEY: 'none',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    IS_SANDBOX: '1',
    OPENCODE_DISABLE_AUTOUPDATE: 'true',
    OPENCODE_DISABLE_MODELS_FETCH: 'true',
    GIT_CEILING_DIRECTORIES: tmpdir(),
  }
}

const LONGEST_MS = 120_000

async function words(stage: Stage, file: string, args: readonly string[]): Promise<string> {
  const { env, project: cwd } = stage
  const child = run(file, args, { env, cwd, timeout: LONGEST_MS, maxBuffer: 64 * 1024 * 1024 })
  child.child.stdin?.end()
  return (await child).stdout
}

const ours = (stage: Stage, ...args: readonly string[]) => words(stage, PROGRAM, args)
const theirs = (stage: Stage, name: string, ...args: readonly string[]) =>
  words(stage, join(stage.bin, name), args)

type Listed = { readonly id: string }

async function listed(stage: Stage): Promise<readonly Listed[]> {
  const told = await ours(stage, 'sessions', 'list', '--all', '--json')
  return (JSON.parse(told) as { readonly sessions: readonly Listed[] }).sessions
}

/** Gives it away; the id under which the other one has it. */
async function give(stage: Stage, id: string, to: string, ...more: readonly string[]) {
  const { goOn } = JSON.parse(await ours(stage, 'export', id, '--to', to, '--json', ...more)) as {
    readonly goOn: string
  }
  return goOn.split(' ').at(-1) ?? ''
}

/** What the model was asked since, as one text. */
const askedSince = ({ model }: Stage, before: number): string =>
  JSON.stringify(model.bodies.slice(before))

async function checkWay(checks: Checks, stage: Stage, { id }: Listed): Promise<void> {
  const flags = ['--dangerously-bypass-approvals-and-sandbox', '--skip-git-repo-check']
  const steps = {
    claude: (own: string, prompt: string) =>
      theirs(stage, 'claude', '-p', prompt, '--resume', own, '--dangerously-skip-permissions'),
    codex: (own: string, prompt: string) =>
      theirs(stage, 'codex', 'exec', ...flags, 'resume', own, prompt),
    opencode: (own: string, prompt: string) =>
      theirs(stage, 'opencode', 'run', '--session', own, prompt),
  }
  let carried = id
  const said = [...WORDS]
  for (const name of ['claude', 'codex', 'opencode', 'claude'] as const) {
    const goOn = steps[name]
    await checks.check(
      `${name} goes on with what it was given, and its model sees all`,
      async () => {
        const file = join(stage.home, `${carried}.json`)
        const given = await give(
          stage,
          carried,
          name,
          '--cwd',
          stage.project,
          ...(name === 'opencode' ? ['-o', file] : []),
        )
        if (name === 'opencode') await theirs(stage, 'opencode', 'import', file)
        const before = stage.model.bodies.length
        const answer = `${name} went on, the ${said.length}th.`
        const printed = await goOn(given, `And now? [[answer ${answer}]]`)
        assert.ok(printed.includes(answer), printed)
        const asked = askedSince(stage, before)
        for (const word of said) assert.ok(asked.includes(word), `its model did not see "${word}"`)
        said.push(answer)
        await ours(stage, 'import', '--from', name)
        carried = (await newest(stage, answer)) ?? assert.fail(`it did not come back from ${name}`)
      },
    )
  }
}

async function newest(stage: Stage, words_: string): Promise<string | undefined> {
  const found = JSON.parse(await ours(stage, 'search', `"${words_}"`, '--json')) as {
    readonly hits: readonly { readonly sessionId: string }[]
  }
  return found.hits[0]?.sessionId
}

async function checkCopilot(
  checks: Checks,
  stage: Stage,
  { id }: Listed,
  copilot: string,
  cache: string,
): Promise<void> {
  const file = join(stage.home, `given-${id}.jsonl`)
  const genuine = join(stage.home, 'copilot')
  await checks.check(
    `copilot sessions import takes ${id}, and it comes back the same`,
    async () => {
      await give(stage, id, 'copilot', '-o', file)
      const env = {
        ...stage.env,
        COPILOT_HOME: genuine,
        XDG_CACHE_HOME: cache,
        COPILOT_OFFLINE: 'true',
      }
      const imported = await words({ ...stage, env }, copilot, [
        'sessions',
        'import',
        '--output',
        'json',
        file,
      ])
      const { sessionId: own } = JSON.parse(imported) as { readonly sessionId: string }
      assert.notEqual(own, id)
      const made = await eventsAt(join(genuine, 'session-state', own))
      const given = await eventsAt(join(stage.home, '.reprise/session-state', id))
      assert.deepEqual(named(made.flatMap(inTheirs)), named(given.flatMap(inTheirs)))
      const strange = new Set(made.map(({ type }) => type)).difference(new Set(TAKEN))
      assert.deepEqual([...strange], [], 'it makes nothing that stands in no session of ours')
      await ours(stage, 'import', genuine)
      assert.deepEqual(await talkOf(stage, own), await talkOf(stage, id))
    },
  )
}

/** What its import makes, of all that a log can have. */
const TAKEN = [
  'session.start',
  'user.message',
  'assistant.message',
  'tool.execution_start',
  'tool.execution_complete',
] as const

/** It gives calls names of its own: in both they are called by their order. */
function named(events: readonly Told[]): unknown {
  const names = new Map<string, string>()
  return JSON.parse(JSON.stringify(events), (key, value: unknown) => {
    if (key !== 'toolCallId' || typeof value !== 'string') return value
    const name = names.get(value) ?? `call ${names.size + 1}`
    names.set(value, name)
    return name
  })
}

/**
 * One of its events by what both have of it. Ids of events and messages, times and who wrote it are new there; turns,
 * thinking, usage, models, compactions and what sub-agents did have no place in the interchange.
 */
function inTheirs({ type, agentId, data }: Told): Told[] {
  if (agentId !== undefined || !TAKEN.some((each) => each === type)) return []
  const pick = (...names: string[]) =>
    Object.fromEntries(names.filter((name) => name in data).map((name) => [name, data[name]]))
  const requests = (data['toolRequests'] ?? []) as Record<string, unknown>[]
  const { result, error } = data as { result?: { content: string }; error?: { message: string } }
  const told: Readonly<Record<(typeof TAKEN)[number], Record<string, unknown>>> = {
    'session.start': { ...pick('version'), startTime: Date.parse(String(data['startTime'])) },
    'user.message': { ...pick('content'), pictures: picturesOf(data) },
    'assistant.message': {
      ...pick('content'),
      calls: requests.map(({ toolCallId, name, arguments: args }) => ({ toolCallId, name, args })),
    },
    'tool.execution_start': pick('toolCallId', 'toolName', 'arguments'),
    'tool.execution_complete': {
      ...pick('toolCallId', 'success'),
      text: result?.content ?? error?.message,
    },
  }
  return [{ type, data: told[type as (typeof TAKEN)[number]] }]
}

const picturesOf = ({ attachments = [] }: { attachments?: { mimeType?: string }[] }) =>
  attachments.map(({ mimeType }) => mimeType)

type Told = {
  readonly type: string
  readonly agentId?: string
  readonly data: Record<string, unknown>
}

async function eventsAt(folder: string): Promise<readonly Told[]> {
  const lines = (await readFile(join(folder, 'events.jsonl'), 'utf8')).trim().split('\n')
  return lines.map((line) => JSON.parse(line) as Told)
}

/** Prompts, answers with their calls, and results: what the interchange of the Copilot CLI has a place for. */
async function talkOf(stage: Stage, id: string): Promise<unknown[]> {
  const events = await eventsAt(join(stage.home, '.reprise/session-state', id))
  return events.flatMap(({ type, agentId, data }): unknown[] => {
    if (agentId !== undefined) return []
    if (type === 'user.message') return [data['content']]
    if (type === 'assistant.message') {
      const calls = (data['toolRequests'] ?? []) as { name: string; arguments: unknown }[]
      return [data['content'], ...calls.map(({ name, arguments: args }) => [name, args])]
    }
    if (type !== 'tool.execution_complete') return []
    const { success, result, error } = data as {
      success: boolean
      result?: { content: string }
      error?: { message: string }
    }
    return [[success, result?.content ?? error?.message]]
  })
}

const PROGRAM_OF_SDK = `
import { foldSessionSummary, getSessionMessages, listSessions, query } from '@anthropic-ai/claude-agent-sdk'
import { openEngine } from 'reprise'
import { createClaudeSessionStore } from 'reprise/claude-session-store'

const engine = await openEngine()
const store = createClaudeSessionStore(engine, { foldSessionSummary })
const [pathToClaudeCodeExecutable] = process.argv.slice(2)
const errors = []
let sessionId
for (const prompt of ['Say it. [[answer First.]]', 'Once more. [[answer Second.]]']) {
  const resume = sessionId && { resume: sessionId }
  const options = { sessionStore: store, pathToClaudeCodeExecutable, ...resume }
  for await (const message of query({ prompt, options })) {
    sessionId = message.session_id ?? sessionId
    if (message.subtype === 'mirror_error') errors.push(message)
  }
}
const [home] = await store.settle()
const listed = await listSessions({ dir: process.cwd(), sessionStore: store })
const messages = await getSessionMessages(sessionId, { dir: process.cwd(), sessionStore: store })
console.log(JSON.stringify({ errors, home, sessionId, listed: listed.map((each) => each.sessionId),
  messages: messages.map(({ type }) => type) }))
`

async function checkSdk(checks: Checks, stage: Stage): Promise<void> {
  await checks.check(
    'the Claude Agent SDK keeps, lists and resumes its sessions here',
    async () => {
      const sdk = join(stage.modules, '@anthropic-ai/claude-agent-sdk')
      assert.ok(existsSync(sdk))
      const root = new URL('../..', import.meta.url).pathname
      const folder = join(stage.home, 'program')
      await mkdir(join(folder, 'node_modules/@anthropic-ai'), { recursive: true })
      await symlink(sdk, join(folder, 'node_modules/@anthropic-ai/claude-agent-sdk'))
      await symlink(root, join(folder, 'node_modules/reprise'))
      await writeFile(join(folder, 'program.mjs'), PROGRAM_OF_SDK)
      const before = stage.model.bodies.length
      const printed = await words(stage, process.execPath, [
        join(folder, 'program.mjs'),
        join(stage.bin, 'claude'),
      ])
      const told = JSON.parse(printed.trim().split('\n').at(-1) ?? '') as {
        readonly errors: unknown[]
        readonly home: string
        readonly sessionId: string
        readonly listed: string[]
        readonly messages: string[]
      }
      assert.deepEqual(told.errors, [])
      assert.deepEqual(told.listed, [told.sessionId])
      assert.ok(told.messages.length >= 4)
      assert.ok(askedSince(stage, before).includes('First.'), 'the second turn knew the first')
      const talk = JSON.stringify(await talkOf(stage, told.home))
      for (const word of ['Say it.', 'First.', 'Once more.', 'Second.'])
        assert.ok(talk.includes(word))
    },
  )
}
