/** Plugins, objectives, reports and fleets of programs: what they change is seen by other calls and by the model. */
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { approveAll } from '@github/copilot-sdk'
import { startModelServer } from '../model-server/server.ts'
import { ask, makeRpcPlace } from './place.ts'

/** A folder that lists one plugin with one skill. */
function makeShop() {
  const shop = mkdtempSync(join(tmpdir(), 'reprise-shop-'))
  const put = (path: string, text: string) => {
    mkdirSync(join(shop, path, '..'), { recursive: true })
    writeFileSync(join(shop, path), text)
  }
  const greeter = { name: 'greeter', source: './greeter', description: 'greets', version: '1.0.0' }
  put('.claude-plugin/marketplace.json', JSON.stringify({ name: 'shop', plugins: [greeter] }))
  put('greeter/plugin.json', JSON.stringify({ name: 'greeter', version: '1.0.0' }))
  put('greeter/skills/hi/SKILL.md', '---\nname: hi\ndescription: says hi SKILLMARK\n---\nHi.\n')
  put('other/plugin.json', JSON.stringify({ name: 'other', version: '0.1.0' }))
  put('other/agents/kind.agent.md', '---\nname: kind\ndescription: is kind\n---\nKINDMARK\n')
  return { shop, put, [Symbol.dispose]: () => rmSync(shop, { recursive: true, force: true }) }
}

test('a plugin is installed from a marketplace, works in new sessions, is updated, switched off and taken away', async () => {
  await using place = makeRpcPlace()
  using made = makeShop()
  const { shop } = made
  await using model = await startModelServer(() => ({ text: 'ok' }))
  const client = place.client()
  await client.start()
  const { plugins } = client.rpc
  assert.deepEqual(await plugins.list(), { plugins: [] })
  assert.deepEqual(await plugins.marketplaces.add({ source: shop }), { name: 'shop' })
  await assert.rejects(plugins.marketplaces.add({ source: shop }), /there already/)
  await assert.rejects(plugins.marketplaces.add({ source: join(shop, 'none') }), /marketplace.json/)
  assert.deepEqual(await plugins.marketplaces.browse({ name: 'shop' }), {
    plugins: [{ name: 'greeter', description: 'greets', version: '1.0.0' }],
  })
  await assert.rejects(plugins.install({ source: 'nosuch@shop' }), /lists no plugin "nosuch"/)
  const installed = await plugins.install({ source: 'greeter@shop' })
  assert.equal(installed.skillsInstalled, 1)
  const greeter = { name: 'greeter', marketplace: 'shop', version: '1.0.0', enabled: true }
  assert.deepEqual(await plugins.list(), { plugins: [greeter] })
  const config = {
    onPermissionRequest: approveAll,
    model: 'test-model',
    provider: { type: 'openai' as const, baseUrl: model.baseUrl, apiKey: 'key' },
  }
  const isTold = async () => {
    const session = await client.createSession(config)
    await session.sendAndWait('hello')
    const told = JSON.stringify(model.requests.at(-1)?.body)
    await session.disconnect()
    return told.includes('SKILLMARK')
  }
  assert.equal(await isTold(), true)
  made.put('greeter/plugin.json', JSON.stringify({ name: 'greeter', version: '1.1.0' }))
  const { previousVersion, newVersion } = await plugins.update({ name: 'greeter' })
  assert.deepEqual([previousVersion, newVersion], ['1.0.0', '1.1.0'])
  await plugins.disable({ names: ['greeter'] })
  assert.equal((await plugins.list()).plugins[0]?.enabled, false)
  assert.equal(await isTold(), false)
  await plugins.install({ source: join(shop, 'other') })
  const { results } = await plugins.updateAll()
  assert.deepEqual(
    results.map(({ name, success }) => [name, success]),
    [
      ['other', true],
      ['greeter', true],
    ],
  )
  await plugins.uninstall({ name: 'greeter' })
  await plugins.uninstall({ name: 'other' })
  assert.deepEqual(await plugins.list(), { plugins: [] })
  assert.equal(existsSync(join(place.home, 'installed-plugins/shop/greeter')), false)
  await plugins.marketplaces.remove({ name: 'shop' })
  assert.deepEqual(await plugins.marketplaces.list(), { marketplaces: [] })
})

test('folders of plugins that a client names count for new sessions, their hooks at once', async () => {
  await using place = makeRpcPlace()
  using made = makeShop()
  await using model = await startModelServer(() => ({ text: 'ok' }))
  const hooked = join(made.shop, 'hooked')
  const bash = `echo ran >> ${hooked}`
  const hooks = { userPromptSubmitted: [{ type: 'command', bash }] }
  made.put('greeter/hooks.json', JSON.stringify({ version: 1, hooks }))
  const client = place.client()
  await client.start()
  const { plugins, sessions } = client.rpc
  const open = () =>
    client.createSession({
      onPermissionRequest: approveAll,
      model: 'test-model',
      provider: { type: 'openai', baseUrl: model.baseUrl, apiKey: 'key' },
    })
  const seenIn = async (session: Awaited<ReturnType<typeof open>>) => {
    await session.sendAndWait('hello')
    const skill = JSON.stringify(model.requests.at(-1)?.body).includes('SKILLMARK')
    const hook = existsSync(hooked)
    rmSync(hooked, { force: true })
    return { skill, hook }
  }
  await assert.rejects(plugins.builtin.set({ paths: ['greeter'] }), /must be absolute/)
  await plugins.builtin.set({ paths: [join(made.shop, 'greeter')] })
  const first = await open()
  assert.deepEqual((await first.rpc.plugins.list()).plugins, [
    { name: 'greeter', marketplace: '', version: '1.0.0', enabled: true },
  ])
  assert.deepEqual(await seenIn(first), { skill: true, hook: true })
  const [skill] = (await first.rpc.skills.list()).skills
  assert.deepEqual(
    [skill?.name, skill?.commandName, skill?.source, skill?.pluginName],
    ['hi', 'greeter:hi', 'plugin', 'greeter'],
  )
  await assert.rejects(plugins.builtin.set({ paths: [] }), /Sessions are open/)
  await first.disconnect()
  await plugins.builtin.set({ paths: [] })
  const second = await open()
  assert.deepEqual(await seenIn(second), { skill: false, hook: false })
  const at = { marketplace: '', installed_at: '2026-01-01T00:00:00.000Z' }
  const greeter = { name: 'greeter', ...at, cache_path: join(made.shop, 'greeter') }
  await sessions.setAdditionalPlugins({ plugins: [{ ...greeter, enabled: true }] })
  assert.deepEqual(await seenIn(second), { skill: false, hook: false })
  await sessions.reloadPluginHooks({ sessionId: second.sessionId })
  assert.deepEqual(await seenIn(second), { skill: false, hook: true })
  assert.deepEqual(await seenIn(await open()), { skill: true, hook: true })
  await sessions.setAdditionalPlugins({ plugins: [{ ...greeter, enabled: false }] })
  assert.deepEqual(await seenIn(await open()), { skill: false, hook: false })
})

test('policies and settings choose a model only where a session has none', async () => {
  await using place = makeRpcPlace()
  await using model = await startModelServer(() => ({ text: 'ok' }))
  const provider = { type: 'openai' as const, baseUrl: model.baseUrl, apiKey: 'key' }
  const client = place.client()
  const overlay = ({ sessionId }: { readonly sessionId: string }) =>
    ask(client, 'session.model.applyStartupOverlay', {
      sessionId,
      repoModel: 'repo',
      cliModel: 'cli',
    })
  assert.deepEqual(await overlay(await client.createSession({ model: 'mine', provider })), {
    status: 'unchanged',
    deferred: false,
    modelId: 'mine',
  })
  const bare = await client.createSession({})
  assert.deepEqual(await overlay(bare), {
    status: 'applied',
    deferred: false,
    modelId: 'cli',
    deprecationWarnings: [],
    modelState: { modelId: 'cli' },
  })
  assert.deepEqual(await bare.rpc.model.getCurrent(), { modelId: 'cli' })
})

test('an objective is kept, a fleet is sent, and a report holds no secret', async () => {
  await using place = makeRpcPlace()
  await using model = await startModelServer(() => ({ text: 'ok' }))
  const client = place.client()
  const session = await client.createSession({
    onPermissionRequest: approveAll,
    model: 'test-model',
    provider: { type: 'openai', baseUrl: model.baseUrl, apiKey: 'key' },
  })
  const { rpc } = session
  const content = JSON.stringify({ version: 1, objective: 'all green', status: 'paused' })
  const { operation } = await rpc.workspaces.writeAutopilotObjective({ content })
  assert.equal(operation, 'create')
  const { state } = await rpc.autopilotObjective.getState()
  assert.deepEqual([state?.objective, state?.status], ['all green', 'paused'])
  assert.deepEqual(await rpc.workspaces.readAutopilotObjective(), { content })
  assert.deepEqual(await rpc.workspaces.deleteAutopilotObjective(), { deleted: true })
  assert.deepEqual(await rpc.workspaces.autopilotObjectiveExists(), { exists: false })

  assert.deepEqual(await rpc.fleet.start({ prompt: 'mend it', wait: true }), { started: true })
  const asked = (await session.getEvents()).flatMap((event) =>
    event.type === 'user.message' ? [event.data.content] : [],
  )
  assert.deepEqual(asked, ['Fleet deployed: mend it'])
  assert.match(JSON.stringify(model.requests.at(-1)?.body), /todo_deps[^]*mend it/)

  const token = `ghp_${'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7cF0xR3bL6'}`
  await session.sendAndWait(`my token is ${token}`)
  const extra = join(place.project, 'own.log')
  writeFileSync(extra, `with ${token}\n`)
  const outputDirectory = join(place.project, 'report')
  const report = await rpc.debug.collectLogs({
    destination: { kind: 'directory', outputDirectory },
    additionalEntries: [
      { kind: 'file', path: extra, bundlePath: 'own.log' },
      { kind: 'file', path: '/nowhere', bundlePath: 'none.log' },
      { kind: 'file', path: extra, bundlePath: '../out.log' },
    ],
  })
  assert.deepEqual(
    report.entries.map(({ bundlePath }) => bundlePath),
    ['events.jsonl', 'own.log'],
  )
  assert.equal(report.skippedEntries?.length, 2)
  const events = readFileSync(join(outputDirectory, 'events.jsonl'), 'utf8')
  assert.match(events, /my token is/)
  assert.doesNotMatch(events + readFileSync(join(outputDirectory, 'own.log'), 'utf8'), /ghp_aB3/)
  const outputPath = join(place.project, 'report.tgz')
  const archive = { kind: 'archive' as const, outputPath, noOverwrite: true }
  assert.equal((await rpc.debug.collectLogs({ destination: archive })).path, outputPath)
  const second = await rpc.debug.collectLogs({ destination: archive })
  assert.equal(second.path, join(place.project, 'report (1).tgz'))
  assert.deepEqual(await rpc.visibility.get(), { synced: false })
})

const EXTENSION = (name: string, more = '') => `
import { joinSession } from '@github/copilot-sdk/extension'
const session = await joinSession({
  tools: [{ name: 'tool_${name}', description: 'd', parameters: { type: 'object', properties: {} }, handler: () => 'DONE_${name} ' + process.env.SOME_TOKEN + ' ' + process.env.PLAIN }],
  commands: [{ name: 'cmd_${name}', description: 'c', handler: ({ args }) => session.log('ran ${name} ' + args) }],
  ${more}
})
`

test('extensions of the home, the project and a plugin join a session that asks for them, and end with it', async () => {
  await using place = makeRpcPlace()
  using made = makeShop()
  const put = (root: string, name: string, text: string) => {
    mkdirSync(join(root, name), { recursive: true })
    writeFileSync(join(root, name, 'extension.mjs'), text)
  }
  const hooks = "hooks: { onUserPromptSubmitted: () => ({ additionalContext: 'FROMHOOK' }) },"
  put(join(place.home, 'extensions'), 'mine', EXTENSION('mine', hooks))
  put(join(place.home, 'extensions'), 'twin', 'throw new Error("the project has one of this name")')
  put(join(place.home, 'extensions'), 'broken', 'throw new Error("no")')
  const asks = "requestedEnvironmentVariables: ['SOME_TOKEN'],"
  put(join(place.project, '.github', 'extensions'), 'twin', EXTENSION('twin', asks))
  put(join(made.shop, 'other', 'extensions'), 'plug', EXTENSION('plug', hooks))
  const call = { name: 'tool_twin', arguments: {} }
  await using model = await startModelServer(({ index }) =>
    index === 0 ? { calls: [call] } : { text: 'ok' },
  )
  Object.assign(place.env, { SOME_TOKEN: 'withheld', PLAIN: 'plain' })
  const client = place.client()
  await client.start()
  await client.rpc.plugins.install({ source: join(made.shop, 'other') })
  const { agents } = await client.rpc.agents.discover({})
  assert.deepEqual(
    agents.map(({ id, displayName, source, tools }) => [id, displayName, source, tools]),
    [['other:kind', 'kind', 'plugin', ['*']]],
  )
  const asked: string[] = []
  const said: string[] = []
  const session = await client.createSession({
    agent: 'other:kind',
    requestExtensions: true,
    model: 'test-model',
    provider: { type: 'openai', baseUrl: model.baseUrl, apiKey: 'key' },
    onPermissionRequest(request) {
      if (request.kind.startsWith('extension-'))
        asked.push(`${request.kind} ${(request as { extensionName?: string }).extensionName}`)
      // What is denied does not join.
      const isDenied = JSON.stringify(request).includes('plugin:other')
      return { kind: isDenied ? 'reject' : 'approve-once' }
    },
    onEvent({ type, data }) {
      if (type === 'session.info') said.push((data as { message: string }).message)
    },
  })
  await session.sendAndWait('hello')
  assert.deepEqual(asked.toSorted(), [
    'extension-env-access project:twin',
    'extension-permission-access plugin:other:plug',
    'extension-permission-access user:mine',
  ])
  const { extensions } = await session.rpc.extensions.list()
  assert.deepEqual(
    extensions.map(({ id, status }) => `${id} ${status}`),
    ['plugin:other:plug failed', 'user:broken failed', 'user:mine running', 'project:twin running'],
  )
  const told = JSON.stringify(model.requests.at(-1)?.body)
  assert.match(told, /DONE_twin withheld plain/)
  assert.match(told, /FROMHOOK/)
  assert.match(told, /KINDMARK/)
  // By its own name alone, too, as long as there is one of it.
  await session.rpc.agent.deselect()
  await session.rpc.agent.select({ name: 'kind' })
  assert.equal((await session.rpc.agent.getCurrent()).agent?.name, 'other:kind')
  assert.match(told, /tool_mine/)
  assert.doesNotMatch(told, /tool_plug/)

  // The command of one client is its own: this one would answer that it does not know it.
  await session.rpc.commands.invoke({ name: 'cmd_mine', input: 'now' })
  assert.deepEqual(said, ['ran mine now'])

  await session.rpc.extensions.disable({ id: 'user:mine' })
  const after = (await session.rpc.extensions.list()).extensions
  assert.deepEqual(after.find(({ id }) => id === 'user:mine')?.status, 'disabled')
  const { tools } = await session.rpc.tools.getCurrentMetadata()
  const names = (tools ?? []).map(({ name }) => name).filter((name) => name.startsWith('tool_'))
  assert.deepEqual(names, ['tool_twin'])
  const pid = after.find(({ id }) => id === 'project:twin')?.pid ?? 0
  assert.ok(existsSync(`/proc/${pid}`))
  await session.disconnect()
  assert.ok(!existsSync(`/proc/${pid}`))

  await client.rpc.extensions.disable({ ids: ['user:mine'] })
  const found = (await client.rpc.extensions.discover()).extensions
  assert.equal(found.find(({ id }) => id === 'user:mine')?.enabled, false)
  const plain = await client.createSession({ onPermissionRequest: approveAll })
  assert.deepEqual(await plain.rpc.extensions.list(), { extensions: [] })
  await assert.rejects(plain.rpc.extensions.reload(), /Extensions not available/)
})
