/** Slash commands over JSON-RPC beyond those of the table: of the agent, of the user's files and of the client. */
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { approveAll } from '@github/copilot-sdk'
import { AGENT } from '../acp-agent/place.ts'
import { makeRpcPlace } from './place.ts'

const agent = `"${process.execPath}" --no-warnings "${AGENT}" --can commands`

test("the list has the commands of the agent, of the user's files and of clients, and each does what it says", async () => {
  await using place = makeRpcPlace()
  const folder = join(place.project, '.claude/commands')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'greet.md'), '---\ndescription: Greets\n---\n<<say Hello $ARGUMENTS>>')
  const asked: string[] = []
  const session = await place.client({}, ['--agent', agent]).createSession({
    onPermissionRequest: approveAll,
    commands: [
      {
        name: 'deploy',
        description: 'Deploys',
        handler: ({ args }) => void asked.push(args),
      },
    ],
  })
  const { commands } = await session.rpc.commands.list()
  const beside = commands.filter(({ name }) => ['review', 'greet', 'deploy', 'undo'].includes(name))
  assert.deepEqual(
    beside.map(({ name, kind, description }) => [name, kind, description]),
    [
      ['undo', 'builtin', commands.find(({ name }) => name === 'undo')?.description],
      ['review', 'builtin', 'Reviews what was done'],
      ['greet', 'skill', 'Greets'],
      ['deploy', 'client', 'Deploys'],
    ],
  )
  const few = await session.rpc.commands.list({ includeBuiltins: false, includeSkills: false })
  assert.deepEqual(
    few.commands.map(({ name }) => name),
    ['deploy'],
  )

  const invoke = (name: string, input: string) => session.rpc.commands.invoke({ name, input })
  assert.deepEqual(await invoke('deploy', 'now'), { kind: 'completed' })
  assert.deepEqual(asked, ['now'])
  assert.deepEqual(await invoke('review', 'it all'), {
    kind: 'agent-prompt',
    prompt: '/review it all',
    displayPrompt: '/review it all',
  })
  const refusal: unknown = await invoke('greet', 'Ann').catch((error: unknown) => error)
  const [, digest] = /\/greet comes with this project .* add "(\w{64})"/.exec(String(refusal)) ?? []
  const config = join(place.home, '.reprise/config.json')
  mkdirSync(dirname(config), { recursive: true })
  writeFileSync(config, JSON.stringify({ projectCommands: { allowed: [digest] } }))
  const greeting = await invoke('greet', 'Ann')
  assert.ok(greeting.kind === 'agent-prompt')
  assert.equal(greeting.displayPrompt, '/greet Ann')
  assert.equal((await session.sendAndWait(greeting.prompt))?.data.content, 'Hello Ann')
  await assert.rejects(invoke('gret', ''), /There is no \/gret\. Did you mean \/greet\?/)

  // As with the Copilot CLI, what is sent is a message, whatever it begins with.
  await session.sendAndWait('/greet Ann')
  const last = (await session.getEvents()).findLast((event) => event.type === 'user.message')
  assert.equal(last?.data.content, '/greet Ann')
})
