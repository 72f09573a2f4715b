/** What hosts do: files of their own, several clients on one server, clients that die, work that waits for an answer. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { approveAll, defineTool, type CopilotClient } from '@github/copilot-sdk'
import { z } from 'zod'
import { memoryProvider } from '../../support/memory-provider.ts'
import { ask, outcome, type Stage, type Things } from './thing.ts'

const TOKEN = 'tok'

/** A server over TCP with one client, and the way to further ones. */
async function server({ another }: Stage) {
  const first = another({}, { token: TOKEN })
  await first.start()
  const { runtimePort: port } = first as unknown as { runtimePort: number }
  return { first, join: () => another({}, { token: TOKEN, port }) }
}

const store = (dir: string) => ({
  sessionFs: {
    initialCwd: dir,
    sessionStatePath: '/state',
    conventions: 'posix' as const,
  },
})

const eventOf = (client: CopilotClient, type: string) =>
  new Promise<unknown>((resolve) => {
    const off = client.onLifecycle((event) => {
      if (event.type !== type) return
      off()
      resolve(event)
    })
  })

export const hostThings: Things = {
  'files in a store of the client': async (stage) => {
    const { another, config, dir, model } = stage
    const provider = memoryProvider({ renames: true })
    const client = another(store(dir))
    const session = await client.createSession({
      ...config,
      createSessionFsProvider: () => provider,
    })
    model.say({ text: 'one' })
    await session.sendAndWait('first')
    await session.rpc.plan.update({ content: '# plan' })
    await session.rpc.workspaces.createFile({ path: 'a.txt', content: 'x' })
    await session.disconnect()
    return [...provider.files.keys()]
      .filter((path) =>
        /^\/state\/(?:events\.jsonl|plan\.md|files\/a\.txt|workspace\.yaml)$/.test(path),
      )
      .toSorted()
  },
  'a provider may not be changed under sessions': async (stage) => {
    const { another, config, dir, model } = stage
    const provider = memoryProvider({ renames: true })
    const client = another(store(dir))
    const session = await client.createSession({
      ...config,
      createSessionFsProvider: () => provider,
    })
    model.say({ text: 'one' })
    await session.sendAndWait('first')
    return ask(client, 'sessionFs.setProvider', {
      initialCwd: dir,
      sessionStatePath: '/other',
      conventions: 'posix',
    })
  },
  'a permission outlives its client': async (stage) => {
    const { config, model } = stage
    const { first, join } = await server(stage)
    const lost = join()
    const session = await lost.createSession({
      ...config,
      onPermissionRequest: () => ({ kind: 'no-result' }),
    })
    const asked = new Promise<string>((resolve) =>
      session.on('permission.requested', ({ data }) => resolve(data.requestId)),
    )
    model.say(
      { tools: [['bash', { command: 'echo late', description: 'x' }]] },
      { text: 'answered' },
    )
    await session.send('go')
    const requestId = await asked
    await lost.forceStop()
    const again = await first.resumeSession(session.sessionId, {
      ...config,
      continuePendingWork: true,
      onPermissionRequest: () => ({ kind: 'no-result' }),
    })
    const idle = new Promise((resolve) => again.on('session.idle', resolve))
    const { success } = await again.rpc.permissions.handlePendingPermissionRequest({
      requestId,
      result: { kind: 'approve-once' },
    })
    await idle
    const said = (await again.getEvents()).flatMap((event) =>
      event.type === 'assistant.message' && event.data.content !== '' ? [event.data.content] : [],
    )
    return [success, said]
  },
  'a tool call outlives its client': async (stage) => {
    const { config, model } = stage
    const { first, join } = await server(stage)
    const lost = join()
    const declared = defineTool('later', {
      description: 'later',
      parameters: z.object({}),
    } as never)
    const session = await lost.createSession({ ...config, tools: [declared] })
    const asked = new Promise<string>((resolve) =>
      session.on('external_tool.requested', ({ data }) => resolve(data.requestId)),
    )
    model.say({ tools: [['later', {}]] }, { text: 'answered' })
    await session.send('go')
    const requestId = await asked
    await lost.forceStop()
    const again = await first.resumeSession(session.sessionId, {
      ...config,
      tools: [declared],
      continuePendingWork: true,
    })
    const idle = new Promise((resolve) => again.on('session.idle', resolve))
    const { success } = await again.rpc.tools.handlePendingToolCall({
      requestId,
      result: 'LATE',
    } as never)
    await idle
    return [success, JSON.stringify(model.asked.at(-1)?.messages).includes('LATE')]
  },
  'two clients see the same': async (stage) => {
    const { config, model } = stage
    const { first, join } = await server(stage)
    const one = await first.createSession(config)
    const second = join()
    const two = await second.resumeSession(one.sessionId, config)
    const seen: Record<'one' | 'two', string[]> = { one: [], two: [] }
    one.on('assistant.message', ({ data }) => void seen.one.push(data.content))
    two.on('assistant.message', ({ data }) => void seen.two.push(data.content))
    const idle = new Promise((resolve) => two.on('session.idle', resolve))
    model.say({ text: 'both' })
    await one.sendAndWait('hello')
    await idle
    return seen
  },
  'the first answer counts': async (stage) => {
    const { config, model } = stage
    const { first, join } = await server(stage)
    const answers = { one: 0, two: 0 }
    const one = await first.createSession({
      ...config,
      onPermissionRequest: () => {
        answers.one++
        return { kind: 'no-result' }
      },
    })
    const second = join()
    await second.resumeSession(one.sessionId, {
      ...config,
      onPermissionRequest: () => {
        answers.two++
        return { kind: 'approve-once' }
      },
    })
    model.say({ tools: [['bash', { command: 'echo x', description: 'x' }]] }, { text: 'ok' })
    const answer = await one.sendAndWait('go')
    return [answer?.data.content, answers]
  },
  'tools come and go with their client': async (stage) => {
    const { config, model } = stage
    const { first, join } = await server(stage)
    const one = await first.createSession(config)
    const second = join()
    const two = await second.resumeSession(one.sessionId, {
      ...config,
      tools: [
        defineTool('theirs', { description: 't', parameters: z.object({}), handler: () => 'x' }),
      ],
    })
    const names = () => (model.asked.at(-1)?.tools ?? []).map((each) => each.function.name)
    model.say({ text: 'a' }, { text: 'b' })
    await one.sendAndWait('first')
    const during = names().includes('theirs')
    await two.disconnect()
    await second.stop()
    await one.sendAndWait('second')
    return [during, names().includes('theirs')]
  },
  'a wrong token, an absent one': async (stage) => {
    const { first } = await server(stage)
    const { runtimePort: port } = first as unknown as { runtimePort: number }
    const wrong = stage.another({}, { token: 'wrong', port })
    const none = stage.another({}, { port })
    return [await outcome(wrong.start()), await outcome(none.start())]
  },
  'sessions of others are told': async (stage) => {
    const { config } = stage
    const { first, join } = await server(stage)
    const second = join()
    await second.start()
    const created = eventOf(second, 'session.created')
    const session = await first.createSession(config)
    await created
    const deleted = eventOf(second, 'session.deleted')
    stage.model.say({ text: 'x' })
    await session.sendAndWait('x')
    await session.disconnect()
    await first.deleteSession(session.sessionId)
    await deleted
    return 'told'
  },
  'a server that dies': async ({ another, config, model }) => {
    const client = another()
    const session = await client.createSession({ ...config, onPermissionRequest: approveAll })
    model.say({ text: 'one' })
    await session.sendAndWait('first')
    await client.forceStop()
    const next = another()
    const again = await next.resumeSession(session.sessionId, config)
    model.say({ text: 'two' })
    const answer = await again.sendAndWait('second')
    return [answer?.data.content, model.asked.at(-1)?.messages.map(({ role }) => role)]
  },
  'an extension of the project brings a tool, a command and a hook': async (stage) => {
    const { another, config, dir, model } = stage
    const folder = join(dir, '.github', 'extensions', 'mine')
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'extension.mjs'), EXTENSION)
    execFileSync('git', ['init', '-q'], { cwd: dir })
    const asked: string[] = []
    const session = await another().createSession({
      ...config,
      workingDirectory: dir,
      requestExtensions: true,
      onPermissionRequest: ({ kind }) => {
        asked.push(kind)
        return { kind: 'approve-once' }
      },
    })
    model.say({ tools: [['from_extension', {}]] }, { text: 'end' })
    const answer = await session.sendAndWait('first')
    const told = JSON.stringify(model.asked.at(-1)?.messages)
    const { commands } = await session.rpc.commands.list({ includeClientCommands: true })
    const { extensions } = await session.rpc.extensions.list()
    await session.disconnect()
    return {
      asked,
      answer: answer?.data.content,
      result: told.includes('FROM EXTENSION'),
      hook: told.includes('FROM HOOK'),
      command: commands.some(({ name, kind }) => name === 'mine' && kind === 'client'),
      extensions: extensions.map(({ id, name, source, status }) => ({ id, name, source, status })),
    }
  },
  'a running command is stopped as a task': async ({ another, config, dir, model }) => {
    const session = await another().createSession({
      ...config,
      workingDirectory: dir,
      onPermissionRequest: approveAll,
    })
    const command = 'echo begun; sleep 60'
    model.say({ tools: [['bash', { command, description: 'waits', initial_wait: 60 }]] })
    model.say({ text: 'went on' })
    const shown = new Promise<void>((resolve) => {
      session.on('tool.execution_start', () => resolve())
    })
    const answer = session.sendAndWait('first')
    await shown
    const running = async () =>
      (await session.rpc.tasks.list()).tasks.find(({ type }) => type === 'shell')
    let task = await running()
    for (let tries = 0; tries < 400 && task === undefined; tries++) {
      await pause(25)
      task = await running()
    }
    const { cancelled } = await session.rpc.tasks.cancel({ id: task?.id ?? '' })
    return [task?.status, cancelled, (await answer)?.data.content]
  },
}

const EXTENSION = `
import { joinSession } from '@github/copilot-sdk/extension'
await joinSession({
  tools: [{ name: 'from_extension', description: 'd', parameters: { type: 'object', properties: {} }, handler: () => 'FROM EXTENSION' }],
  commands: [{ name: 'mine', description: 'c', handler: () => {} }],
  hooks: { onUserPromptSubmitted: () => ({ additionalContext: 'FROM HOOK' }) },
})
`
