/** What sessions in a folder would find, asked of the server without a session. */
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { makeRpcPlace } from './place.ts'

test('custom agents, instruction files and hooks are found without a session', async () => {
  await using place = makeRpcPlace()
  const { project, home, env } = place
  const put = (path: string, text: string) => {
    mkdirSync(join(path, '..'), { recursive: true })
    writeFileSync(path, text)
  }
  const agents = join(project, '.github/agents')
  put(join(agents, 'reviewer.agent.md'), '---\ndescription: reviews\n---\nReview.')
  put(join(env['HOME'] ?? '', '.copilot/agents/mine.md'), 'Mine.')
  put(join(project, 'AGENTS.md'), 'Be brief.')
  put(join(home, '.reprise/config.json'), '{"hooks":{"preToolUse":[{"command":"true"}]}}')
  const client = place.client()
  await client.start()
  const { rpc } = client
  const found = await rpc.agents.discover({ projectPaths: [project] })
  assert.deepEqual(
    found.agents.map(({ name, source, description }) => [name, source, description]),
    [
      ['reviewer', 'project', 'reviews'],
      ['mine', 'user', ''],
    ],
  )
  const without = await rpc.agents.discover({ projectPaths: [project], excludeHostAgents: true })
  assert.deepEqual(
    without.agents.map(({ name }) => name),
    ['reviewer'],
  )
  assert.deepEqual((await rpc.agents.discover({})).agents.length, 1)
  const { paths } = await rpc.agents.getDiscoveryPaths({ projectPaths: [project] })
  assert.deepEqual(paths[0], {
    path: agents,
    scope: 'project',
    preferredForCreation: true,
    projectPath: project,
  })
  const { sources } = await rpc.instructions.discover({ projectPaths: [project] })
  assert.deepEqual(
    sources.map(({ id, content, projectPath }) => [id, content, projectPath]),
    [['model-agents-md', 'Be brief.', project]],
  )
  const places = await rpc.instructions.getDiscoveryPaths({ projectPaths: [project] })
  assert.ok(places.paths.some(({ path }) => path === join(project, 'AGENTS.md')))
  assert.deepEqual(await rpc.hooks.discover({}), {
    hooks: [
      {
        id: 'user:preToolUse:0',
        hookType: 'preToolUse',
        origin: 'user',
        source: 'true',
        enabled: true,
      },
    ],
    warnings: [],
    errors: [],
  })
})
