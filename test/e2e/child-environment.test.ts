/** Which variables reach the programs that a session starts: seen by those programs themselves. */
import assert from 'node:assert/strict'
import { chmodSync, existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { connect } from '../../src/agents/model/mcp-connection.ts'
import { makePlace, type Place } from './cli.ts'

const WORD = 'zebra-made-up-4711'
const variables = {
  OPENAI_API_KEY: `${WORD}-openai`,
  GH_TOKEN: `${WORD}-gh`,
  INNOCENT: `${WORD}-innocent`,
  HTTPS_PROXY: `http://me:${WORD}-proxy@127.0.0.1:9`,
  SSH_AUTH_SOCK: '/tmp/agent.sock',
}
type Name = keyof typeof variables

/** Which of them stand in what `env` wrote. */
const namesIn = (text: string): Name[] =>
  (Object.keys(variables) as Name[]).filter((name) => text.includes(`${name}=${variables[name]}`))

const hooked = (place: Place, file: string) =>
  JSON.stringify({ sessionStart: [{ command: `env > ${join(place.project, file)}` }] })

test('a command and a hook are given the ordinary variables, and what the configuration passes', async () => {
  using place = makePlace()
  const { run, project } = place
  await run(['config', 'set', 'hooks', hooked(place, 'hook')])
  const args = ['--allow-all', '-p', 'run env > tool']
  await run(args, { env: variables })
  const seen = () =>
    ['tool', 'hook'].map((file) => namesIn(readFileSync(join(project, file), 'utf8')))
  const ordinary: Name[] = ['INNOCENT', 'HTTPS_PROXY', 'SSH_AUTH_SOCK']
  assert.deepEqual(seen(), [ordinary, ordinary])
  await run(['config', 'set', 'environment.pass', '["GH_*"]'])
  await run(args, { env: variables })
  assert.deepEqual(seen(), [
    ['GH_TOKEN', ...ordinary],
    ['GH_TOKEN', ...ordinary],
  ])
})

test('a failing command says which setting lets a variable through that it missed', async () => {
  using place = makePlace()
  const { run, project } = place
  writeFileSync(join(project, 'gh'), '#!/bin/sh\necho "run gh auth login" >&2\nexit 4\n')
  chmodSync(join(project, 'gh'), 0o755)
  const env = { ...variables, PATH: `${project}:${process.env['PATH']}` }
  const { stdout } = await run(['--allow-all', '--json', '-p', 'run gh pr list'], { env })
  assert.match(stdout, /GH_TOKEN; the user can let it through: reprise config set environment.pass/)
})

test('--secret-env-vars keeps a variable from commands, hooks and wrapped agents, and its value out of the home', async () => {
  using place = makePlace()
  const { run, project, home } = place
  writeFileSync(join(project, 'value'), variables.INNOCENT)
  await run(['config', 'set', 'hooks', hooked(place, 'hook')])
  await run(['config', 'set', 'environment.pass', '["INNOCENT"]'])
  const flag = '--secret-env-vars=INNOCENT,GH_TOKEN'
  const said = ['-p', 'run env > tool; echo got [$INNOCENT]; cat value']
  const { stdout, stderr } = await run([flag, '--allow-all', ...said], { env: variables })
  assert.match(stdout, /got \[\]/)
  const agent = `sh -c "env > ${join(project, 'agent')}"`
  const asked = ['--agent', agent, '--allow-all', '-p', 'hi']
  await run([flag, ...asked], { env: variables })
  const seen = ['tool', 'hook', 'agent'].map((file) =>
    namesIn(readFileSync(join(project, file), 'utf8')),
  )
  const ordinary: Name[] = ['HTTPS_PROXY', 'SSH_AUTH_SOCK']
  assert.deepEqual(seen, [ordinary, ordinary, ['OPENAI_API_KEY', ...ordinary]])
  // The file of the project held it, the command printed it.
  const kept = readdirSync(home, { recursive: true, withFileTypes: true }).flatMap((entry) => {
    const path = join(entry.parentPath, entry.name)
    return entry.isFile() && readFileSync(path).includes(variables.INNOCENT) ? [path] : []
  })
  assert.deepEqual(
    [stdout, stderr].filter((text) => text.includes(variables.INNOCENT)),
    [],
  )
  assert.deepEqual(kept, [])
})

test('--secret-env-vars is refused where a value could not be hidden', async () => {
  using place = makePlace()
  const short = await place.run(['--secret-env-vars=PIN', '-p', 'run env'], {
    env: { PIN: '1234' },
  })
  assert.equal(short.code, 2)
  assert.match(short.stderr, /PIN has fewer than 8 characters.*Nothing was started/)
  const none = await place.run(['--secret-env-vars', '-p', 'run env'])
  assert.deepEqual([none.code, existsSync(join(place.home, 'session-state'))], [2, false])
})

test('a shell reads no file of BASH_ENV under --no-bash-env', async () => {
  using place = makePlace()
  const { run, project } = place
  const file = join(project, 'before')
  writeFileSync(file, 'echo read before\n')
  const said = ['--allow-all', '-p', 'run echo done']
  const given = { env: { BASH_ENV: file } }
  assert.match((await run(said, given)).stdout, /read before/)
  for (const flags of [['--no-bash-env'], ['--bash-env=off']])
    assert.doesNotMatch((await run([...flags, ...said], given)).stdout, /read before/)
})

test('a tool server is given the ordinary variables, and those that its entry names', async () => {
  using place = makePlace()
  const file = join(place.project, 'server')
  const before = { ...process.env }
  Object.assign(process.env, variables)
  try {
    const server = {
      command: '/bin/sh',
      args: ['-c', `env > ${file}`],
      env: { GH_TOKEN: variables.GH_TOKEN },
    }
    await assert.rejects(
      connect(
        'x',
        server,
        () => {},
        {},
        () => ({}),
        5000,
      ),
    )
    assert.deepEqual(namesIn(readFileSync(file, 'utf8')), [
      'GH_TOKEN',
      'INNOCENT',
      'HTTPS_PROXY',
      'SSH_AUTH_SOCK',
    ])
  } finally {
    for (const name of Object.keys(variables)) delete process.env[name]
    Object.assign(process.env, before)
  }
})
