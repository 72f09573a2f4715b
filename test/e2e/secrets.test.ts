/** A secret that a tool prints is in no sink that redacts: not in the index, and not in the log when that is asked for. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { promptHistory } from '../../src/engine/sessions/prompt-history.ts'
import { sessionDir } from '../../src/engine/session-dir.ts'
import { inSession } from '../../src/format/paths.ts'
import { openConfiguredEngine } from '../../src/wiring/open-engine.ts'
import { lookThrough } from '../forget/look-through.ts'
import { makePlace } from './cli.ts'

const SECRET = ['hunter', '2-is-not', '-a-good-one'].join('')
const env = { DEPLOY_PASSWORD: SECRET }
/** Commands are not given it otherwise. */
const pass = ['config', 'set', 'environment.pass', '["DEPLOY_PASSWORD"]']

/** Whether any file below a folder holds the text. */
const holds = (folder: string, text: string): boolean => {
  try {
    return execFileSync('grep', ['-rlaF', '--', text, folder]).length > 0
  } catch {
    return false
  }
}

test('with persist on, a known secret reaches neither the log nor the index', async () => {
  using place = makePlace()
  await place.run(pass)
  await place.run(['config', 'set', 'redaction.persist', 'on'])
  const { code, stderr } = await place.run(['-p', 'run printenv DEPLOY_PASSWORD', '--allow-all'], {
    env,
  })
  assert.equal(code, 0, stderr)
  assert.equal(holds(place.home, SECRET), false)
  assert.equal(holds(place.home, '[REDACTED:'), true)
})

test('with persist on, nothing that was typed holds a secret on disk: history, queue, names, plan, forks', async () => {
  using place = makePlace()
  await place.run(['config', 'set', 'redaction.persist', 'on'])
  process.env['DEPLOY_PASSWORD'] = SECRET
  const { home, project } = place
  const engine = openConfiguredEngine({
    home,
    cwd: project,
    agent: 'offline',
    launch: {},
    policy: () => ({ kind: 'allow', by: 'policy' }),
  })
  try {
    const { id, send, rename, writePlan, fork } = await engine.create({
      cwd: project,
      name: `about ${SECRET}`,
    })
    await promptHistory(engine).add(`use ${SECRET} here`)
    const first = await send({ prompt: `run sleep 2 # ${SECRET}` })
    const second = await send(
      { prompt: `then ${SECRET}`, displayPrompt: `say ${SECRET}` },
      { whenBusy: 'enqueue' },
    )
    const queue = join(home, inSession(sessionDir(id), 'queue'))
    assert.equal(second.how, 'queued')
    assert.ok(existsSync(queue))
    assert.deepEqual(lookThrough([home], SECRET), [])
    await Promise.all([first.ended, second.ended])
    assert.match(await rename(`Deploy with ${SECRET}`), /^Deploy with \[REDACTED:known:/)
    await writePlan(`1. log in with ${SECRET}`)
    await fork({ name: `fork with ${SECRET}` })
    assert.match((await promptHistory(engine).load()).join(), /^use \[REDACTED:known:\w+\] here$/)
    assert.deepEqual(lookThrough([home], SECRET), [])
  } finally {
    delete process.env['DEPLOY_PASSWORD']
    await engine.stop()
  }
})

test('with persist on, a file that holds a secret is not copied, and an undo leaves it alone', async () => {
  using place = makePlace()
  await place.run(['config', 'set', 'redaction.persist', 'on'])
  const file = (name: string) => join(place.project, name)
  writeFileSync(file('with.txt'), `password = ${SECRET}\n`)
  writeFileSync(file('without.txt'), 'nothing\n')
  const change = 'run for f in with without; do echo more >> $f.txt; done; cp with.txt new.txt'
  await place.run(['-n', 'first', '-p', 'run echo hello', '--allow-all'], { env })
  const { code, stderr } = await place.run(['--resume', 'first', '-p', change, '--allow-all'], {
    env,
  })
  assert.equal(code, 0, stderr)
  assert.deepEqual(lookThrough([place.home], SECRET), [])
  const undone = await place.run(['sessions', 'undo', 'first'], { env })
  assert.equal(undone.code, 0, undone.stderr)
  assert.equal(readFileSync(file('without.txt'), 'utf8'), 'nothing\n')
  // What could not be brought back by a redo is not taken away.
  for (const name of ['with.txt', 'new.txt']) {
    assert.equal(readFileSync(file(name), 'utf8'), `password = ${SECRET}\nmore\n`)
    assert.match(undone.stdout, new RegExp(name))
  }
  assert.deepEqual(lookThrough([place.home], SECRET), [])
  // The log's copy of a name is the person's own; the index has none of it.
  const name = ['Deploy with', SECRET].join(' ')
  await place.run(['sessions', 'rename', 'first', name], { env })
  assert.equal((await place.run(['reindex', '--force'], { env })).code, 0)
  assert.equal(
    globSync('session-store.db*', { cwd: place.home }).some((each) =>
      readFileSync(join(place.home, each)).includes(SECRET),
    ),
    false,
  )
})

test('by default the log keeps what was said, and the index does not', async () => {
  using place = makePlace()
  await place.run(pass)
  await place.run(['-p', 'run printenv DEPLOY_PASSWORD', '--allow-all'], { env })
  const { stdout } = await place.run(['sql', '--json', 'SELECT output FROM reprise_tool_calls'], {
    env,
  })
  assert.match(stdout, /\[REDACTED:/)
  assert.equal(stdout.includes(SECRET), false)
  assert.equal(holds(`${place.home}/session-state`, SECRET), true)
})

test('every way out of a session hides the same secrets', async () => {
  using place = makePlace()
  await place.run(pass)
  // One letter more than a key of this kind has, and values that only the name beside them gives away.
  const key = ['AI', 'za', 'SyA1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7'].join('')
  const phrase = ['correct', 'horse', 'battery'].join(' ')
  const prompt = `run echo ${key}; echo 'password: "${phrase}"'; printenv DEPLOY_PASSWORD`
  const id = await place.session(prompt)
  const { code } = await place.run(['--resume', id, '-p', '/share out'], { env })
  assert.equal(code, 0)
  const texts = {
    share: readFileSync(join(place.home, 'session-state', id, 'files', 'out.md'), 'utf8'),
    markdown: (await place.run(['export', id, '--markdown'], { env })).stdout,
    html: (await place.run(['export', id, '--html'], { env })).stdout,
    json: (await place.run(['export', id, '--json'], { env })).stdout,
  }
  // By what stands for the value: its kind is looked for within a time, and may be told less exactly.
  const marks = (text: string) =>
    [...new Set(Array.from(text.matchAll(/\[REDACTED:[\w-]+:(\w+)\]/g), ([, id]) => id))].sort()
  for (const [name, text] of Object.entries(texts)) {
    for (const secret of [key, phrase, SECRET]) assert.equal(text.includes(secret), false, name)
    assert.deepEqual(marks(text), marks(texts.json), name)
  }
  assert.ok(marks(texts.json).length >= 2)
})
