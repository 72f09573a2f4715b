import assert from 'node:assert/strict'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { AgentName } from '../../src/importers/convert/port.ts'
import { writeClaude } from '../../src/importers/claude/write.ts'
import { writeCopilot } from '../../src/importers/copilot/write.ts'
import { writeCodex } from '../../src/importers/codex/write.ts'
import { writeOpencode } from '../../src/importers/opencode/write.ts'
import type { Retold } from '../../src/importers/convert/replay-to-drafts.ts'
import { createTally } from '../../src/importers/convert/fidelity-report.ts'
import { give } from '../../src/importers/export-to-agent.ts'
import { importAll } from '../../src/importers/import-all.ts'
import type { Came } from '../../src/importers/import.ts'
import { eventsOf, openHome, type Home } from '../support/engine.ts'

const GOLDEN = fileURLToPath(new URL('golden', import.meta.url))

async function bring(home: Home, agent: AgentName, root: string): Promise<Came> {
  const all: Came[] = []
  await importAll(home.engine(), {
    agents: [agent],
    around: { env: {}, home: '/nowhere', root },
    now: () => new Date(),
    onCame: (came) => void all.push(came),
  })
  return all[0] ?? assert.fail('nothing came')
}

/** What was said, thought, used and done, without ids of events and what sub-agents did. */
async function talkOf(home: Home, came: Came): Promise<unknown[]> {
  const events = await eventsOf(home.engine(), came.sessions.at(-1)!)
  return events.flatMap(({ type, data, agentId }): unknown[] => {
    const { content, toolRequests, toolCallId, success, result, error, attachments } =
      data as Record<string, never>
    const { reasoningText, usage } = data as { reasoningText?: string; usage?: object }
    if (agentId !== undefined) return []
    if (type === 'user.message')
      return [{ content, images: (attachments as [] | undefined)?.length }]
    if (type === 'assistant.message')
      return [
        {
          content,
          calls: ((toolRequests ?? []) as { name: string }[]).map(({ name }) => name),
          thought: reasoningText,
        },
      ]
    if (type === 'session.usage_record') {
      const { inputTokens, outputTokens } = usage as Record<string, number>
      return [{ inputTokens, outputTokens }]
    }
    if (type !== 'tool.execution_complete') return []
    const { content: text, contents = [] } = (result ?? {}) as { content?: string; contents?: [] }
    return [
      {
        shown: contents.length,
        toolCallId,
        success,
        text: text ?? (error as unknown as { message: string }).message,
      },
    ]
  })
}

const giving = (home: Home) => ({
  around: { env: {}, home: join(home.path, 'user') },
  cwd: join(home.path, 'elsewhere'),
  now: () => new Date('2026-02-03T04:05:06Z'),
  newId: () => crypto.randomUUID(),
  redact: (value: object) => value,
})

for (const to of ['claude', 'codex'] as const) {
  test(`a session of Claude Code that is given to ${to} says the same there, and is a new file`, async () => {
    await using home = await openHome()
    const came = await bring(home, 'claude', join(GOLDEN, 'claude-2.1.197/projects'))
    const session = await home.engine().open(came.sessions.at(-1)!)
    const { path, report } = await give(session, { to, ...giving(home) })
    await assert.rejects(give(session, { to, ...giving(home), output: path }), { code: 'EEXIST' })
    const root = join(home.path, 'user', to === 'claude' ? '.claude/projects' : '.codex')
    const back = await bring(home, to, root)
    assert.deepEqual(await talkOf(home, back), await talkOf(home, came))
    const { thinking, usage, images, 'sub-agents': subAgents } = report.kinds
    assert.deepEqual(
      [thinking, images?.lost, usage?.lost],
      [{ kept: 1, changed: 0, lost: 0 }, 0, 0],
    )
    assert.equal(subAgents?.changed, 1)
  })
}

test('what is given to the Copilot CLI is a file in its own interchange', async () => {
  await using home = await openHome()
  const came = await bring(home, 'claude', join(GOLDEN, 'claude-2.1.197/projects'))
  const session = await home.engine().open(came.sessions[0]!)
  const output = join(home.path, 'out.jsonl')
  const { goOn } = await give(session, { to: 'copilot', ...giving(home), output })
  assert.equal(goOn, `copilot sessions import --working-directory ${giving(home).cwd} ${output}`)
  const lines = (await readFile(output, 'utf8')).trim().split('\n')
  const records = lines.map((each) => JSON.parse(each) as Record<string, unknown>)
  assert.deepEqual(records[0], {
    type: 'session',
    version: 1,
    externalId: session.id,
    createdAt: '2026-11-17T19:04:35.217Z',
  })
  assert.deepEqual(
    records.slice(1, 7).map(({ type, role }) => role ?? type),
    ['user', 'assistant', 'tool-call', 'tool-call', 'tool-result', 'tool-result'],
  )
})

for (const [agent, root] of [
  ['pi', 'pi-0.74.2/sessions'],
  ['copilot', 'copilot-1.0.102'],
] as const)
  test(`pictures of prompts of ${agent} lie beside what is given to the Copilot CLI`, async () => {
    await using home = await openHome()
    const came = await bring(home, agent, join(GOLDEN, root))
    const session = await home.engine().open(came.sessions[0]!)
    const output = join(home.path, 'out.jsonl')
    const { report } = await give(session, { to: 'copilot', ...giving(home), output })
    assert.deepEqual(report.kinds.images, { kept: 1, changed: 0, lost: 0 })
    assert.match(
      await readFile(output, 'utf8'),
      /\{"type":"attachment","path":"out\.attachments\/1\.png","mediaType":"image\/png"\}/,
    )
    const picture = await readFile(join(home.path, 'out.attachments/1.png'))
    assert.equal(picture.subarray(1, 4).toString(), 'PNG')
  })

test('the Copilot CLI is given failures with words, and calls with names of their own', async () => {
  const round = (n: number): Retold[] => [
    { kind: 'prompt', id: `p${n}`, at: '', text: 'go', images: [] },
    {
      kind: 'answer',
      id: `a${n}`,
      at: '',
      text: '',
      calls: [{ id: 'call_0', name: '', args: {} }],
    },
    { kind: 'result', id: `r${n}`, at: '', callId: 'call_0', isError: true, text: '', images: [] },
  ]
  const told = (async function* () {
    yield* [...round(1), ...round(2)]
  })()
  const given = { externalId: 'x', createdAt: '', attach: async () => undefined }
  const lines = await Array.fromAsync(writeCopilot(told, given, createTally()))
  assert.deepEqual(
    lines.flatMap((line) => {
      const { type, id, name, toolCallId, error, content } = line as Record<string, unknown>
      return type === 'tool-call'
        ? [[id, name]]
        : type === 'tool-result'
          ? [[toolCallId, error, content]]
          : []
    }),
    [
      ['call_0', 'tool'],
      ['call_0', { message: 'It failed.' }, undefined],
      ['a2-call_0', 'tool'],
      ['a2-call_0', { message: 'It failed.' }, undefined],
    ],
  )
})

type Part = {
  readonly id: string
  readonly type: string
  readonly text?: string
  readonly tool?: string
  readonly callID?: string
  readonly state?: {
    readonly status: string
    readonly output?: string
    readonly error?: string
    readonly attachments?: readonly unknown[]
  }
}
type Document = {
  readonly info: { readonly id: string; readonly directory: string }
  readonly messages: readonly {
    readonly info: {
      readonly id: string
      readonly role: string
      readonly summary?: boolean
      readonly tokens?: { readonly input: number; readonly output: number }
    }
    readonly parts: readonly Part[]
  }[]
}

test('what is given to opencode is what its own import takes, call and result as one', async () => {
  await using home = await openHome()
  const came = await bring(home, 'claude', join(GOLDEN, 'claude-2.1.197/projects'))
  const session = await home.engine().open(came.sessions.at(-1)!)
  const output = join(home.path, 'out.json')
  await mkdir(join(home.path, 'user/.config/opencode'), { recursive: true })
  const chosen = '{ "model": "mine/large" }'
  await writeFile(join(home.path, 'user/.config/opencode/opencode.json'), chosen)
  const { goOn } = await give(session, { to: 'opencode', ...giving(home), output })
  const { info, messages } = JSON.parse(await readFile(output, 'utf8')) as Document
  assert.match(info.id, /^ses_[0-9a-f]{12}\w{14}$/)
  assert.ok(goOn.endsWith(`opencode import ${output} && opencode --session ${info.id}`), goOn)
  const ids = messages.map((each) => each.info.id)
  assert.deepEqual(ids, ids.toSorted())
  assert.ok(messages.every((each) => JSON.stringify(each.info).includes('"mine"')))
  const talk = messages.flatMap(({ info: { role, summary, tokens }, parts }): unknown[] => {
    const text = parts.find(({ type }) => type === 'text')?.text ?? ''
    const images = parts.filter(({ type }) => type === 'file').length
    if (summary === true || parts.some(({ type }) => type === 'compaction')) return []
    if (role === 'user') return [{ content: text, images: images || undefined }]
    const tools = parts.filter(({ type }) => type === 'tool')
    const thought = parts.find(({ type }) => type === 'reasoning')?.text
    return [
      { content: text, calls: tools.map(({ tool }) => tool), thought },
      { inputTokens: tokens?.input, outputTokens: tokens?.output },
      ...tools.map(({ callID, state }) => ({
        shown: state?.attachments?.length ?? 0,
        toolCallId: callID,
        success: state?.status === 'completed',
        text: state?.output ?? state?.error,
      })),
    ]
  })
  assert.deepEqual(talk, await talkOf(home, came))
})

const PICTURE = { mimeType: 'image/png', data: 'aGVsbG8=' }
const at = '2026-01-01T00:00:00.000Z'
const SHOT: readonly Retold[] = [
  { kind: 'prompt', id: 'p', at, text: 'Take a picture.', images: [] },
  {
    kind: 'answer',
    id: 'a',
    at,
    text: '',
    calls: [{ id: 'c', name: 'shot', args: {} }],
    model: 'gpt-9',
    thinking: 'Which one?',
    sealed: 'theirs alone',
  },
  { kind: 'result', id: 'r', at, callId: 'c', isError: false, text: 'here', images: [PICTURE] },
]

test('a picture that a tool gave goes along, and thoughts that another vendor sealed do not', async () => {
  async function* told() {
    yield* SHOT
  }
  const about = { sessionId: 's', cwd: '/p', startedAt: at, provider: 'openai' }
  const model = { providerID: 'p', modelID: 'm' }
  const unique = () => '0'.repeat(14)
  const written = {
    claude: (tally) => writeClaude(told(), { ...about, isTheirs: true }, tally),
    codex: (tally) => writeCodex(told(), about, tally),
    opencode: (tally) =>
      writeOpencode(told(), { ...about, title: 't', version: '1', model, unique }, tally),
  } satisfies Record<string, (tally: ReturnType<typeof createTally>) => AsyncIterable<object>>
  for (const [to, write] of Object.entries(written)) {
    const tally = createTally()
    const lines = JSON.stringify(await Array.fromAsync(write(tally)))
    assert.ok(lines.includes(PICTURE.data), to)
    assert.ok(!lines.includes('theirs alone'), to)
    assert.deepEqual(tally.report.kinds.images, { kept: 1, changed: 0, lost: 0 }, to)
    assert.equal(tally.report.kinds.thinking?.lost, to === 'claude' ? 1 : 0, to)
  }
  const tally = createTally()
  const given = { externalId: 's', createdAt: at, attach: async () => undefined }
  await Array.fromAsync(writeCopilot(told(), given, tally))
  assert.deepEqual(tally.report.notes, [
    'Pictures in results of tools are left out: it has no place for them.',
  ])
})
