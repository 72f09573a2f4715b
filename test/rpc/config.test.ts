/** What a client says of a session when it opens it: prompt, tools, hooks, compaction, files, by the real SDK. */
import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { ToolSet, approveAll, defineTool, type SessionConfig } from '@github/copilot-sdk'
import { startModelServer, type ModelServer } from '../model-server/server.ts'
import { makeRpcPlace, nextEvent } from './place.ts'

const config = ({ baseUrl }: ModelServer): SessionConfig => ({
  onPermissionRequest: approveAll,
  model: 'test-model',
  provider: { type: 'openai', baseUrl, apiKey: 'key' },
})

type Said = { readonly role: string; readonly content: string }
const systemIn = (model: ModelServer, nth: number): string => {
  const said = model.requests[nth]?.body['messages'] as readonly Said[]
  return said.find(({ role }) => role === 'system')?.content ?? ''
}
const toolsIn = (model: ModelServer, nth: number): string[] => {
  const tools = (model.requests[nth]?.body['tools'] ?? []) as { function: { name: string } }[]
  return tools.map((tool) => tool.function.name)
}

test('a system message is added, stands in place of ours, or changes its sections', async () => {
  await using model = await startModelServer([{ text: 'a' }, { text: 'b' }, { text: 'c' }])
  await using place = makeRpcPlace()
  const client = place.client()
  const say = async (systemMessage: NonNullable<SessionConfig['systemMessage']>) =>
    (await client.createSession({ ...config(model), systemMessage })).sendAndWait('Hi')
  await say({ mode: 'append', content: 'Speak in verse.' })
  await say({ mode: 'replace', content: 'You are a clock.' })
  await say({
    mode: 'customize',
    content: 'And be kind.',
    sections: {
      identity: { action: 'replace', content: 'You are a bell.' },
      environment_context: { action: 'remove' },
      tone: { action: 'append', content: 'Loud.' },
    },
  })
  assert.match(systemIn(model, 0), /You are a coding agent[^]*Speak in verse\./)
  assert.equal(systemIn(model, 1), 'You are a clock.')
  assert.match(systemIn(model, 2), /^You are a bell\.[^]*And be kind\.[^]*Loud\.$/)
  assert.doesNotMatch(systemIn(model, 2), /coding agent|Working directory/)
})

test('only the tools that a client wants are offered, and its own stands in for one of ours', async () => {
  await using model = await startModelServer([
    { text: 'a' },
    { text: 'b' },
    { calls: [{ name: 'grep', arguments: { pattern: 'x' } }] },
    { text: 'c' },
  ])
  await using place = makeRpcPlace()
  const client = place.client()
  const own = (name: string, overridesBuiltInTool = false) =>
    defineTool(name, { description: `Mine: ${name}.`, overridesBuiltInTool, handler: () => 'ours' })
  const only = await client.createSession({
    ...config(model),
    tools: [own('weather'), own('news')],
    availableTools: new ToolSet().addBuiltIn(['view', 'grep']).addCustom('*'),
    excludedTools: ['news'],
  })
  await only.sendAndWait('Hi')
  assert.deepEqual(toolsIn(model, 0).sort(), ['grep', 'view', 'weather'])

  const without = await client.createSession({ ...config(model), excludedTools: ['bash'] })
  await without.sendAndWait('Hi')
  assert.equal(toolsIn(model, 1).includes('bash'), false)
  assert.equal(toolsIn(model, 1).includes('view'), true)

  const instead = await client.createSession({ ...config(model), tools: [own('grep', true)] })
  await instead.sendAndWait('Hi')
  assert.equal(toolsIn(model, 2).filter((name) => name === 'grep').length, 1)
  assert.match(JSON.stringify(model.requests[2]?.body['tools']), /Mine: grep\./)
  assert.match(JSON.stringify(model.requests[3]?.body['messages']), /"ours"/)
})

test('hooks of a client change the message, the arguments of a tool and its result', async () => {
  await using model = await startModelServer([
    { calls: [{ name: 'bash', arguments: { command: 'echo asked' } }] },
    { text: 'Done.' },
  ])
  await using place = makeRpcPlace()
  let asked = 0
  const heard: unknown[] = []
  const session = await place.client().createSession({
    ...config(model),
    onPermissionRequest: (request, invocation) => {
      asked += 1
      return approveAll(request, invocation)
    },
    hooks: {
      onUserPromptSubmitted: ({ prompt }) => ({ modifiedPrompt: `${prompt}, please` }),
      onPreToolUse: () => ({
        permissionDecision: 'allow',
        modifiedArgs: { command: 'echo changed' },
        additionalContext: 'a note',
      }),
      onPostToolUse: ({ toolArgs, toolResult }) => {
        heard.push(toolArgs, toolResult.textResultForLlm)
        return { modifiedResult: { textResultForLlm: 'rewritten', resultType: 'success' } }
      },
    },
  })
  await session.sendAndWait('Say it')
  assert.equal(asked, 0)
  const [args, result] = heard
  assert.deepEqual(args, { command: 'echo changed' })
  assert.match(String(result), /changed/)
  const events = await session.getEvents()
  const start = events.find(({ type }) => type === 'tool.execution_start')
  assert.deepEqual(start?.type === 'tool.execution_start' && start.data.arguments, {
    command: 'echo changed',
  })
  const told = JSON.stringify(model.requests[1]?.body['messages'])
  assert.match(told, /Say it, please/)
  assert.match(told, /rewritten\\n\\na note/)
  assert.doesNotMatch(told, /exit|"changed\\n/)
})

test('a hook may insist that a person is asked', async () => {
  await using model = await startModelServer([
    { calls: [{ name: 'bash', arguments: { command: 'echo hi' } }] },
    { text: 'Done.' },
  ])
  await using place = makeRpcPlace()
  const kinds: string[] = []
  const session = await place.client({}, ['--allow-all']).createSession({
    ...config(model),
    onPermissionRequest: ({ kind }) => {
      kinds.push(kind)
      return { kind: 'reject', feedback: 'not now' }
    },
    hooks: { onPreToolUse: () => ({ permissionDecision: 'ask' }) },
  })
  await session.sendAndWait('Say it')
  assert.deepEqual(kinds, ['shell'])
  assert.match(JSON.stringify(model.requests[1]?.body['messages']), /denied this/)
})

test('a hook keeps the agent at work until it lets it stop, and is told of errors', async () => {
  await using model = await startModelServer([
    { text: 'Done.' },
    { text: 'Tested.' },
    { status: 400, body: { error: { message: 'no such thing' } } },
  ])
  await using place = makeRpcPlace()
  const stops: unknown[] = []
  const errors = Promise.withResolvers<string>()
  const session = await place.client().createSession({
    ...config(model),
    hooks: {
      onAgentStop: ({ stopHookActive }) => {
        stops.push(stopHookActive)
        return stopHookActive === true ? undefined : { decision: 'block', reason: 'Run the tests.' }
      },
      onErrorOccurred: ({ error }) => errors.resolve(error),
    },
  })
  const answer = await session.sendAndWait('Do it')
  assert.equal(answer?.data.content, 'Tested.')
  assert.deepEqual(stops, [false, true])
  assert.match(JSON.stringify(model.requests[1]?.body['messages']), /Done\.[^]*Run the tests\./)
  const told = (await session.getEvents()).filter(({ type }) => type === 'user.message')
  assert.deepEqual(
    told.map(({ data }) => (data as { source?: string }).source),
    [undefined, 'agent-stop'],
  )
  await assert.rejects(session.sendAndWait('And this'), /no such thing/)
  assert.match(await errors.promise, /no such thing/)
  assert.equal(stops.length, 2)
})

test('a session is compacted where its client wants, and not at all when it says so', async () => {
  await using model = await startModelServer([
    { text: 'x'.repeat(4000) },
    { text: '<overview>Short.</overview>' },
    { text: 'y'.repeat(4000) },
  ])
  await using place = makeRpcPlace()
  const client = place.client()
  const small = {
    ...config(model),
    provider: { ...config(model).provider!, maxContextWindowTokens: 8000 },
  }
  const early = await client.createSession({
    ...small,
    infiniteSessions: { backgroundCompactionThreshold: 0.1 },
  })
  const compacted = nextEvent(early, 'session.compaction_complete')
  await early.sendAndWait('Hi')
  const { data } = await compacted
  assert.equal((data as { success: boolean }).success, true)

  const never = await client.createSession({ ...small, infiniteSessions: { enabled: false } })
  await never.sendAndWait('Hi')
  await never.disconnect()
  assert.equal(model.requests.length, 3)
})

test('what tools change is recorded for a rewind unless the client says no, until it says yes', async () => {
  await using place = makeRpcPlace()
  const file = join(place.project, 'a.txt')
  await writeFile(file, 'before\n')
  const client = place.client()
  const session = await client.createSession({
    onPermissionRequest: approveAll,
    enableFileChangeTracking: false,
  })
  await session.sendAndWait('run echo one > a.txt')
  const untracked = await session.rpc.history.listRewindPoints()
  assert.equal(untracked.fileChangeTrackingEnabled, false)
  const refused = await session.rpc.history.rewind({
    eventId: untracked.points[0]!.eventId,
    mode: 'conversation-and-files',
  })
  assert.equal(refused.outcome, 'file-change-tracking-disabled')
  await session.disconnect()

  const again = await client.resumeSession(session.sessionId, {
    onPermissionRequest: approveAll,
    enableFileChangeTracking: true,
  })
  await again.sendAndWait('run echo two > a.txt')
  assert.equal(await readFile(file, 'utf8'), 'two\n')
  const { points } = await again.rpc.history.listRewindPoints()
  assert.match(points.at(-1)?.userMessage ?? '', /two/)
  const { eventId } = points.at(-1)!
  await again.rpc.history.rewind({ eventId, mode: 'conversation-and-files' })
  assert.equal(await readFile(file, 'utf8'), 'one\n')
})

test('a command of a person is run without asking the agent, and recorded', async () => {
  await using place = makeRpcPlace()
  const session = await place.client().createSession({ onPermissionRequest: approveAll })
  await session.sendAndWait({ prompt: 'echo by hand', agentMode: 'shell' })
  const events = await session.getEvents()
  assert.match(
    JSON.stringify(events.find(({ type }) => type === 'tool.execution_complete')),
    /by hand/,
  )
  assert.equal(
    events.some(({ type }) => type === 'assistant.message'),
    false,
  )
})

test('a message may be shown to people otherwise than the model is given it', async () => {
  await using model = await startModelServer([{ text: 'Yes.' }])
  await using place = makeRpcPlace()
  const session = await place.client().createSession(config(model))
  await session.sendAndWait({ prompt: 'the long form', displayPrompt: '/short' })
  assert.match(JSON.stringify(model.requests[0]?.body['messages']), /the long form/)
  const said = (await session.getEvents()).find(({ type }) => type === 'user.message')
  assert.equal(said?.type === 'user.message' && said.data.content, '/short')
})
