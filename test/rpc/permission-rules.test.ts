/** Permissions that a program sets for its session: each is seen in what is asked, and in what is done. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import type { CopilotSession } from '@github/copilot-sdk'
import { startModelServer } from '../model-server/server.ts'
import { makeRpcPlace, type RpcPlace } from './place.ts'

/** Calls what the last message spells out: the name of a tool, and its arguments in JSON. */
const obedient = () =>
  startModelServer(({ body }) => {
    const last = (body['messages'] as { role: string; content: unknown }[]).at(-1)
    const said = typeof last?.content === 'string' ? last.content : JSON.stringify(last?.content)
    const [, name, args] = /(bash|view|create) (\{.*\})/s.exec(said) ?? []
    if (last?.role !== 'user' || name === undefined) return { text: 'ok' }
    return { calls: [{ name, arguments: JSON.parse(args ?? '{}') as unknown }] }
  })

type Opened = {
  readonly session: CopilotSession
  /** How often a person was asked, and whether it was done. */
  tried(name: string, args: object): Promise<readonly [number, boolean]>
}

async function open(place: RpcPlace, baseUrl: string): Promise<Opened> {
  let asked = 0
  const session = await place.client().createSession({
    model: 'm',
    provider: { type: 'openai', baseUrl },
    workingDirectory: place.project,
    onPermissionRequest: () => {
      asked += 1
      return { kind: 'reject', feedback: 'no' }
    },
  })
  return {
    session,
    async tried(name, args) {
      asked = 0
      let isDone = false
      const stop = session.on('tool.execution_complete', ({ data }) => void (isDone = data.success))
      await session.sendAndWait(`${name} ${JSON.stringify(args)}`)
      stop()
      return [asked, isDone]
    },
  }
}

test('what is allowed for all, by rules, by directories and by reading is not asked; a denial is not asked either', async () => {
  await using model = await obedient()
  await using place = makeRpcPlace()
  const { session, tried } = await open(place, model.baseUrl)
  const { permissions } = session.rpc
  const touch = (name: string) => tried('bash', { command: `touch ${name}` })
  assert.deepEqual(await touch('a'), [1, false])

  await permissions.setApproveAll({ enabled: true })
  assert.deepEqual(await touch('a'), [0, true])
  await permissions.setApproveAll({ enabled: false })
  assert.deepEqual(await touch('b'), [1, false])

  const rule = { kind: 'shell', argument: 'touch:*' }
  await permissions.modifyRules({ scope: 'session', add: [rule] })
  assert.deepEqual(await touch('c'), [0, true])
  await permissions.modifyRules({ scope: 'session', remove: [rule] })
  assert.deepEqual(await touch('c'), [1, false])

  const shell = (argument: string) => ({ kind: 'shell', argument })
  await permissions.configure({ rules: { approved: [shell('touch')], denied: [shell('touch d')] } })
  assert.deepEqual(await touch('e'), [0, true])
  assert.deepEqual(await touch('d'), [0, false])
  const boundless = { kind: 'write', argument: '{a,b}'.repeat(30) }
  await assert.rejects(permissions.configure({ rules: { approved: [boundless], denied: [] } }))
  assert.deepEqual(await touch('f'), [0, true])
  await permissions.configure({ rules: { approved: [], denied: [] } })
  assert.deepEqual(await touch('g'), [1, false])

  const other = join(dirname(place.project), 'other')
  mkdirSync(other)
  const look = () => tried('view', { path: other })
  assert.deepEqual(await look(), [1, false])
  assert.deepEqual(await permissions.paths.isPathWithinAllowedDirectories({ path: other }), {
    allowed: false,
  })
  await permissions.paths.add({ path: other })
  assert.deepEqual(await look(), [0, true])
  assert.deepEqual(await permissions.paths.isPathWithinAllowedDirectories({ path: `${other}/x` }), {
    allowed: true,
  })
  const { directories, primary } = await permissions.paths.list()
  assert.equal(primary, place.project)
  assert.deepEqual(directories, [place.project, session.workspacePath, other])
  const inside = { path: join(session.workspacePath ?? '', 'plan.md') }
  assert.deepEqual(await permissions.paths.isPathWithinWorkspace(inside), { allowed: true })
  await assert.rejects(permissions.paths.add({ path: join(other, 'none') }), /does not exist/)

  await permissions.configure({ approveAllReadPermissionRequests: true })
  assert.deepEqual(await tried('view', { path: dirname(place.project) }), [0, true])
  await permissions.setRequired({ required: false })
  assert.deepEqual(await touch('h'), [0, false])
  await permissions.setRequired({ required: true })
  assert.deepEqual(await touch('h'), [1, false])
  await permissions.paths.updatePrimary({ path: other })
  assert.equal((await permissions.paths.list()).primary, other)
})

test('what is allowed for a place holds in its other sessions, and is taken back; a trusted folder stays one', async () => {
  await using model = await obedient()
  await using place = makeRpcPlace()
  execFileSync('git', ['init', '-q'], { cwd: place.project })
  mkdirSync(join(place.project, 'sub'))
  const first = await open(place, model.baseUrl)
  const { locations, folderTrust } = first.session.rpc.permissions
  const found = await locations.resolve({ workingDirectory: join(place.project, 'sub') })
  assert.deepEqual(found, { locationKey: place.project, locationType: 'repo' })
  const { locationKey } = found
  await locations.addToolApproval({ locationKey, approval: { kind: 'write' } })
  const create = (name: string) => ({ path: join(place.project, name), file_text: 'x' })
  assert.deepEqual(await first.tried('create', create('a.txt')), [0, true])
  assert.equal(existsSync(join(place.home, 'permissions-config.json')), false)

  const second = await open(place, model.baseUrl)
  assert.deepEqual(await second.tried('create', create('b.txt')), [0, true])
  const own = second.session.rpc.permissions
  const { appliedRules, changed } = await own.locations.apply({ workingDirectory: place.project })
  assert.deepEqual([appliedRules, changed], [[{ kind: 'write', argument: null }], false])
  await own.resetSessionApprovals({ includeLocation: true })
  assert.deepEqual(await second.tried('create', create('c.txt')), [1, false])

  const path = place.project
  assert.deepEqual(await folderTrust.isTrusted({ path }), { trusted: false })
  await folderTrust.addTrusted({ path })
  assert.deepEqual(await folderTrust.isTrusted({ path: join(path, 'sub') }), { trusted: true })
  const config = '// managed\n{"trustedFolders":["/usr"]}\n'
  writeFileSync(join(place.home, 'config.json'), config)
  assert.deepEqual(await folderTrust.isTrusted({ path: '/usr/lib' }), { trusted: true })
})
