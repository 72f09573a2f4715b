/** The sandbox of commands as people meet it: what it keeps, how a command leaves it, and what is told where there is none. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as later } from 'node:timers/promises'
import { createEngine } from '../../src/engine/engine.ts'
import type { PermissionDecision } from '../../src/engine/agent.ts'
import { offlineAgent } from '../../src/agents/offline/offline.ts'
import { openDisk } from '../../src/fs/disk.ts'
import { rulesPolicy } from '../../src/engine/turn/permission-rules.ts'
import { systemSandbox } from '../../src/lib/sandbox/system-sandbox.ts'
import { PROGRAM } from '../support/program.ts'
import { makePlace, type Place } from './cli.ts'

const sandbox = await systemSandbox()
const options = 'missing' in sandbox ? { skip: sandbox.missing } : {}

/** Where nothing but the sandbox forbids to write. */
const outside = (place: Place) => {
  const folder = join(place.home, '..', 'outside')
  mkdirSync(folder, { recursive: true })
  return folder
}

/** Places of tests lie in the temporary folder, which commands may write. */
const elsewhere = (place: Place) => ({ TMPDIR: place.project })

test(
  'with everything allowed a command still writes no file of Reprise, no hook of git and no other key',
  options,
  async () => {
    using place = makePlace()
    const { home, project, run } = place
    execFileSync('git', ['init', '-q', project])
    await run(['config', 'set', 'permissions.deny', '["read(**/*.pem)"]'])
    mkdirSync(join(project, 'deep'))
    writeFileSync(join(project, 'deep/a.pem'), 'sesame')
    const told = async (command: string) =>
      (await run(['--allow-all', '-p', `run ${command}`])).stdout
    const config = `.reprise/conf''ig.json`
    assert.match(await told(`cd ${home}/..; d=home; cat $d/${config}`), /Permission denied/)
    assert.match(await told('f=$(printf ../ho%s/x me); echo x > "$f"'), /Read-only file system/)
    assert.match(await told('d=.git; echo x > $d/hooks/pre-commit'), /Read-only file system/)
    assert.match(await told('echo one > a && cat a'), /one/)
    assert.doesNotMatch(await told('grep -r sesame . ; cat deep/*'), /^sesame|:sesame/m)
    assert.equal(existsSync(join(project, '.git/hooks/pre-commit')), false)
  },
)

test(
  'a command that is refused, with nobody to ask, says what was refused and ends with code 10',
  options,
  async () => {
    using place = makePlace()
    const { code, stdout, stderr } = await place.run(
      ['--allow-all', '-p', 'run touch /usr/reprise-was-here'],
      { env: elsewhere(place) },
    )
    assert.equal(code, 10)
    assert.match(
      stdout,
      /<the sandbox refused this, and nobody let it out: .*\/usr\/reprise-was-here/,
    )
    assert.match(stderr, /outside of the sandbox \(nobody to ask; a rule outside\(program\)/)
  },
)

test(
  'an answer lets one command out, "always" its program, and that is listed and taken back',
  options,
  async () => {
    using place = makePlace()
    const target = join(outside(place), 'made')
    const asked: string[] = []
    let answer: PermissionDecision = { kind: 'deny', by: 'person' }
    const engine = createEngine({
      fs: openDisk(place.home),
      cwd: place.project,
      agent: offlineAgent(),
      trackFiles: false,
      rules: { deny: [`write(${realpathSync(outside(place))}/**)`] },
      sandbox: { setting: 'on', env: process.env },
      policy: rulesPolicy({}, (request, { leavesSandbox }) => {
        if (leavesSandbox !== true) return { kind: 'allow', by: 'policy' }
        asked.push(request.kind === 'shell' ? (request.requestSandboxBypassReason ?? '') : '')
        return answer
      }),
    })
    const { id } = await engine.create({})
    const session = await engine.open(id)
    const send = async (prompt: string) => (await session.send({ prompt })).ended
    try {
      await send(`run d=${target}; touch "$d"`)
      assert.deepEqual([existsSync(target), asked.length], [false, 1])
      assert.match(asked[0] ?? '', /Read-only file system/)
      answer = { kind: 'allow', by: 'person' }
      await send(`run d=${target}; touch "$d"`)
      assert.deepEqual([existsSync(target), asked.length], [true, 2])
      answer = { kind: 'allow-for-session', by: 'person' }
      await send(`run touch ${target}2 2>&1`)
      const { grants } = await session.permissions()
      assert.deepEqual(
        grants.map(({ says }) => says),
        ['touch outside of the sandbox, with whatever it runs'],
      )
      answer = { kind: 'deny', by: 'person' }
      const before = asked.length
      await send(`run touch ${target}3`)
      assert.deepEqual([existsSync(`${target}3`), asked.length], [true, before])
      await session.revoke('all')
      await send(`run touch ${target}4`)
      assert.deepEqual([existsSync(`${target}4`), asked.length], [false, before + 1])
    } finally {
      await engine.stop()
    }
  },
)

/** In a sandbox in which bubblewrap is no program. */
const without = (place: Place, args: readonly string[]) => {
  const given = ['--dev-bind', '/', '/', '--ro-bind', '/dev/null', '/usr/bin/bwrap']
  const env = {
    ...process.env,
    HOME: place.project,
    REPRISE_HOME: place.home,
    REPRISE_AGENT: 'offline',
  }
  try {
    const stdio = ['ignore', 'pipe', 'pipe'] as const
    const command = [...given, '--', PROGRAM, ...args, '2>&1']
    return execFileSync(
      '/bin/sh',
      ['-c', 'exec "$0" "$@" 2>&1', '/usr/bin/bwrap', ...command.slice(0, -1)],
      {
        cwd: place.project,
        env,
        stdio: [...stdio],
      },
    ).toString()
  } catch (error) {
    return String((error as { stdout?: Buffer }).stdout)
  }
}

test(
  'where there is none, auto runs commands and says so once, on runs none, and lists tell why',
  options,
  () => {
    using place = makePlace()
    const auto = without(place, ['--allow-all', '-p', 'run echo a-$((1 + 1))'])
    assert.match(auto, /a-2/)
    assert.equal(auto.split('Commands run without a sandbox').length, 2)
    const on = without(place, ['--sandbox', 'on', '--allow-all', '-p', 'run touch ran'])
    assert.match(on, /bwrap is not installed\. Install it/)
    assert.equal(existsSync(join(place.project, 'ran')), false)
    assert.match(without(place, ['features']), /sandbox: off/)
    assert.match(
      without(place, ['doctor']),
      /Commands run without a sandbox: bwrap is not installed/,
    )
    assert.doesNotMatch(
      without(place, ['--sandbox', 'off', '--allow-all', '-p', 'run echo b']),
      /without a sandbox/,
    )
  },
)

test('what a command leaves in the background ends with the program', options, async () => {
  using place = makePlace()
  const command =
    'run setsid sh -c "while :; do date +%s%N > beat; sleep 0.05; done" >/dev/null 2>&1 &'
  await place.run(['--allow-all', '-p', command])
  const beat = () => readFileSync(join(place.project, 'beat'), 'utf8')
  const isOver = async () => {
    const before = beat()
    await later(500)
    return beat() === before
  }
  for (let tries = 0; !(await isOver()); tries++) assert.ok(tries < 20, 'it goes on')
})
