/** Instruction files reach the model as named sources, and people switch each of them off and on. */
import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'node:test'
import { instructions } from '../../src/commands/guidance.ts'
import type { CommandContext } from '../../src/commands/command.ts'
import { converse } from '../support/engine.ts'
import { openPlace } from './place.ts'
import type { Asked } from '../model-server/reply.ts'

const systemOf = ({ body }: Asked): string => {
  const [first] = body['messages'] as readonly { role: string; content: string }[]
  return first?.role === 'system' ? first.content : ''
}

/** The paths of the instruction files that a request names, and what they say. */
const given = (asked: Asked | undefined) =>
  asked === undefined
    ? []
    : [
        ...systemOf(asked).matchAll(
          /<(?:project|user)_instructions path="([^"]*)">\n(.*)\n<\/(?:project|user)_instructions>/g,
        ),
      ].map(([, path, text]) => `${path}: ${text}`)

async function openProject() {
  const place = await openPlace(() => ({ text: 'done' }))
  const user = join(place.home.path, 'user')
  const team = join(place.home.path, 'team')
  for (const folder of [join(user, '.copilot'), team, join(place.cwd, '.github')])
    await mkdir(folder, { recursive: true })
  await writeFile(join(place.cwd, 'AGENTS.md'), 'of the project')
  await writeFile(join(place.cwd, 'CLAUDE.md'), 'for Claude')
  await writeFile(join(place.cwd, '.github/copilot-instructions.md'), 'for Copilot')
  await writeFile(join(user, '.copilot/copilot-instructions.md'), 'of the user')
  await writeFile(join(team, 'AGENTS.md'), 'of the team')
  const guidance = { userHome: user, instructionDirectories: [team] }
  return Object.assign(place, { guidance, team: join(team, 'AGENTS.md') })
}

test('every instruction file reaches the model under its path, and a setting leaves some out', async () => {
  await using place = await openProject()
  const { guidance, team } = place
  const all = place.engine({ guidance })
  const { id: one } = await all.create({ cwd: place.cwd })
  await converse(all, one, { prompt: 'go' })
  assert.deepEqual(given(place.server.requests[0]), [
    '~/.copilot/copilot-instructions.md: of the user',
    'AGENTS.md: of the project',
    'CLAUDE.md: for Claude',
    '.github/copilot-instructions.md: for Copilot',
    `${team}: of the team`,
  ])
  const some = place.engine({
    guidance: { ...guidance, instructionsOff: ['CLAUDE.md', 'repo-copilot', team] },
  })
  const { id: two } = await some.create({ cwd: place.cwd })
  await converse(some, two, { prompt: 'go' })
  assert.deepEqual(given(place.server.requests[1]), [
    '~/.copilot/copilot-instructions.md: of the user',
    'AGENTS.md: of the project',
  ])
})

test('a person switches one off in a session: seen in the list, kept over a resume, taken back by undo', async () => {
  await using place = await openProject()
  const { guidance } = place
  const first = place.engine({ guidance })
  const { id } = await first.create({ cwd: place.cwd })
  const session = await first.open(id)
  const command = (session_ = session) => ({ session: async () => session_ }) as CommandContext
  await converse(first, id, { prompt: 'one' })
  await converse(first, id, { prompt: 'two' })
  const listed = await instructions.run(command(), { name: 'CLAUDE.md', to: 'off' })
  assert.deepEqual(listed.map(({ path, tokens, isOn }) => [path, tokens, isOn]).slice(1, 4), [
    ['AGENTS.md', 4, true],
    ['CLAUDE.md', 3, false],
    ['.github/copilot-instructions.md', 3, true],
  ])
  await first.stop()

  const second = place.engine({ guidance })
  await converse(second, id, { prompt: 'three' })
  const [, before, after] = place.server.requests
  assert.ok(given(before).includes('CLAUDE.md: for Claude'))
  assert.ok(!given(after).includes('CLAUDE.md: for Claude'))
  assert.ok(given(after).includes('AGENTS.md: of the project'))

  const again = await second.open(id)
  await again.undo({ turns: 2 })
  const { instructions: now } = await again.guidance()
  assert.deepEqual(
    now.filter(({ isOn }) => !isOn),
    [],
  )
})

test('an instruction file that is not there is refused in words, and nothing is recorded', async () => {
  await using place = await openProject()
  const engine = place.engine()
  const { id } = await engine.create({ cwd: place.cwd })
  const session = await engine.open(id)
  await assert.rejects(
    session.switchGuidance({ kind: 'instructions', name: 'NONE.md', isOn: false }),
    /There is no instruction file NONE\.md\. Nothing was changed\./,
  )
  assert.equal((await session.state()).switches, undefined)
})

test('what was switched off before the first message is off in the first request', async () => {
  await using place = await openProject()
  const engine = place.engine()
  const { id } = await engine.create({ cwd: place.cwd })
  const session = await engine.open(id)
  await session.switchGuidance({ kind: 'instructions', name: 'AGENTS.md', isOn: false })
  await converse(engine, id, { prompt: 'go' })
  assert.deepEqual(given(place.server.requests[0]), [
    'CLAUDE.md: for Claude',
    '.github/copilot-instructions.md: for Copilot',
  ])
})

test('a resumed session sends the same bytes again before what is new', async () => {
  await using place = await openProject()
  const { guidance } = place
  const first = place.engine({ guidance })
  const { id } = await first.create({ cwd: place.cwd })
  await converse(first, id, { prompt: 'one' })
  await first.stop()
  await converse(place.engine({ guidance }), id, { prompt: 'two' })
  const [one, two] = place.server.requests.map(({ body }) => body['messages'] as unknown[])
  assert.deepEqual(two?.slice(0, 2), one)
})
