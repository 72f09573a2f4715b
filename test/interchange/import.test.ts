import assert from 'node:assert/strict'
import { appendFile, cp, mkdir, readFile, readdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { keepInner } from '../../src/agents/acp/agent-file.ts'
import type { EventId, SessionId } from '../../src/format/ids.ts'
import { fieldsOf } from '../../src/lib/fields.ts'
import type { AgentName } from '../../src/importers/convert/port.ts'
import { agentAt, importAll } from '../../src/importers/import-all.ts'
import { importedId } from '../../src/importers/ids.ts'
import type { Came } from '../../src/importers/import.ts'
import { converse, eventsOf, openHome, promptsOf, type Home } from '../support/engine.ts'

const GOLDEN = fileURLToPath(new URL('golden', import.meta.url))
const STORES = [
  'codex-0.169.0/sessions',
  'copilot-1.0.102/session-state',
  'opencode-1.18.33/opencode.db',
]
const ID = '5e551000-0000-4000-8000-00000000c1a0'

/** Claude Code's projects in a folder of their own, so that they can be changed. */
async function claudeProjects(home: Home): Promise<{ root: string; file: string }> {
  const root = join(home.path, 'claude')
  await mkdir(join(root, 'p'), { recursive: true })
  return { root, file: join(root, 'p', `${ID}.jsonl`) }
}

async function bring(
  home: Home,
  root: string,
  more: { again?: boolean; agent?: AgentName } = {},
): Promise<Came[]> {
  const all: Came[] = []
  const { agent = 'claude', ...options } = more
  await importAll(home.engine(), {
    agents: [agent],
    around: { env: {}, home: '/nowhere', root },
    now: () => new Date(),
    onCame: (came) => void all.push(came),
    ...options,
  })
  return all.sort((a, b) => (a.nativeId < b.nativeId ? -1 : 1))
}

type Line = { readonly uuid: string; readonly parentUuid: string | null }

const line = (type: 'user' | 'assistant', text: string, before: string | null, at = 1): string =>
  `${JSON.stringify({
    type,
    uuid: text,
    parentUuid: before,
    sessionId: ID,
    cwd: '/somewhere/else',
    timestamp: `2026-01-0${at}T00:00:00.000Z`,
    message:
      type === 'user'
        ? { role: 'user', content: text }
        : { id: `m-${text}`, role: 'assistant', model: 'm', content: [{ type: 'text', text }] },
  } satisfies Line & Record<string, unknown>)}\n`

const turn = (name: string, before: string | null, at?: number) =>
  line('user', `ask ${name}`, before, at) + line('assistant', `say ${name}`, `ask ${name}`, at)

const only = ([came]: readonly Came[]): SessionId => came?.sessions[0] ?? assert.fail('none came')

test('a session comes with its times, its place and its agent, and is listed by its age', async () => {
  await using home = await openHome()
  const { root, file } = await claudeProjects(home)
  await writeFile(file, turn('one', null))
  const id = only(await bring(home, root))
  const engine = home.engine()
  const summary = await engine.summary(id)
  assert.deepEqual(
    [summary?.importedFrom, summary?.clientName, summary?.cwd, summary?.turns, summary?.modifiedAt],
    ['Claude Code', 'claude', '/somewhere/else', 1, '2026-01-01T00:00:00.000Z'],
  )
  await converse(engine, id, { prompt: 'go on' })
  assert.deepEqual(await promptsOf(engine, id), ['ask one', 'go on'])
})

test('what has grown makes the session longer, and the raw copy too; the same changes nothing', async () => {
  await using home = await openHome()
  const { root, file } = await claudeProjects(home)
  await writeFile(file, turn('one', null))
  const id = only(await bring(home, root))
  assert.equal((await bring(home, root))[0]?.outcome, 'unchanged')
  const before = await eventsOf(home.engine(), id)
  await appendFile(file, turn('two', 'say one', 2))
  const [came] = await bring(home, root)
  assert.deepEqual([came?.outcome, came?.sessions], ['extended', [id]])
  const after = await eventsOf(home.engine(), id)
  assert.deepEqual(after.slice(0, before.length), before)
  assert.deepEqual(await promptsOf(home.engine(), id), ['ask one', 'ask two'])
  assert.equal((await rescued(home, id)).length, 1)
})

test('what was changed there makes a branch, and what people said here stays', async () => {
  await using home = await openHome()
  const { root, file } = await claudeProjects(home)
  await writeFile(file, turn('one', null))
  const id = only(await bring(home, root))
  await writeFile(file, turn('other', null))
  const [came] = await bring(home, root)
  assert.equal(came?.outcome, 'branched')
  assert.notEqual(only([came]), id)
  assert.deepEqual(await promptsOf(home.engine(), id), ['ask one'])
  assert.deepEqual(await promptsOf(home.engine(), only([came])), ['ask other'])
  assert.equal((await rescued(home, id)).length, 2, 'both raw copies are kept')
})

test('a session that was gone on with here is not written over when its source grows', async () => {
  await using home = await openHome()
  const { root, file } = await claudeProjects(home)
  await writeFile(file, turn('one', null))
  const id = only(await bring(home, root))
  const engine = home.engine()
  await converse(engine, id, { prompt: 'here' })
  await engine.stop()
  await appendFile(file, turn('there', 'say one', 2))
  const [came] = await bring(home, root)
  assert.equal(came?.outcome, 'branched')
  assert.deepEqual(await promptsOf(home.engine(), id), ['ask one', 'here'])
  assert.deepEqual(await promptsOf(home.engine(), only([came])), ['ask one', 'ask there'])
})

test('what was said from here in the own session of the agent is not taken over again', async () => {
  await using home = await openHome()
  const { root, file } = await claudeProjects(home)
  await writeFile(file, turn('one', null))
  const id = only(await bring(home, root))
  const engine = home.engine()
  await converse(engine, id, { prompt: 'ask here' })
  await engine.stop()
  await appendFile(file, turn('here', 'say one', 2))
  const outcomes = async () => (await bring(home, root)).map(({ outcome }) => outcome)
  assert.deepEqual(await outcomes(), ['own'])
  assert.deepEqual(await outcomes(), ['unchanged'])
  await appendFile(file, turn('there', 'say here', 3))
  assert.deepEqual(await outcomes(), ['branched'], 'what was said there alone comes in')
})

test('a session that an agent has because it answered here is not imported', async () => {
  await using home = await openHome()
  const { root, file } = await claudeProjects(home)
  const engine = home.engine()
  const { id } = await engine.create({ cwd: home.path })
  await converse(engine, id, { prompt: 'ask one' })
  const [event] = (await eventsOf(engine, id)).filter(({ type }) => type === 'user.message')
  await engine.stop()
  const eventId = event?.id ?? assert.fail('nothing was said')
  // It was answered in one session of the agent, then in another.
  for (const inner of [ID, 'later']) await answeredIn(home, id, inner, eventId)
  const given = 'say a\n<conversation trust="untrusted" id="m">before</conversation>\nand now?'
  await writeFile(file, line('user', given, null) + turn('one', given))
  const [came] = await bring(home, root)
  assert.deepEqual([came?.outcome, came?.sessions], ['own', [id]])
  assert.deepEqual(await rescued(home, importedId('claude', ID)), [])
  await appendFile(file, turn('there', 'say one', 2))
  assert.equal((await bring(home, root))[0]?.outcome, 'imported')
})

/** The agent answered it in a session of its own. */
const answeredIn = (home: Home, id: SessionId, innerSessionId: string, eventId: EventId) =>
  keepInner(join(home.path, 'session-state', id), 'claude', {
    of: id,
    innerSessionId,
    cwd: home.path,
    since: eventId,
    knows: eventId,
    isSettled: true,
    rung: 'new',
    turns: [{ eventId, prompts: 1 }],
    capabilities: {},
  })

test('what was said from here and taken back, or deleted, does not come back from the agent', async () => {
  await using home = await openHome()
  const { root, file } = await claudeProjects(home)
  const engine = home.engine()
  const { id } = await engine.create({ cwd: home.path })
  for (const prompt of ['ask one', 'ask two']) await converse(engine, id, { prompt })
  const [one, two] = (await eventsOf(engine, id)).filter(({ type }) => type === 'user.message')
  await answeredIn(home, id, ID, one?.id ?? assert.fail('nothing was said'))
  await (await engine.open(id)).rewind(two?.id ?? assert.fail('nothing was said'))
  await engine.stop()
  await writeFile(file, turn('one', null) + turn('two', 'say one'))
  const outcome = async () => (await bring(home, root))[0]?.outcome
  assert.equal(await outcome(), 'own')
  await home.engine().remove([id])
  await appendFile(file, '\n')
  assert.equal(await outcome(), 'deleted', 'it is in the trash')
  await home.engine().remove([id], { now: true })
  await appendFile(file, '\n')
  assert.equal(await outcome(), 'deleted', 'it is gone for good')
  assert.equal((await bring(home, root, { again: true }))[0]?.outcome, 'imported')
})

test('a rewind there is told as it stands, and what it left is a session beside it', async () => {
  await using home = await openHome()
  const { root, file } = await claudeProjects(home)
  await writeFile(file, turn('one', null) + turn('left', 'say one'))
  const id = only(await bring(home, root))
  await appendFile(file, turn('new', 'say one', 2))
  const [came] = await bring(home, root)
  assert.equal(came?.outcome, 'extended')
  assert.deepEqual(await promptsOf(home.engine(), id), ['ask one', 'ask new'])
  const beside = came?.sessions[1] ?? assert.fail('no session beside it')
  assert.deepEqual(await promptsOf(home.engine(), beside), ['ask one', 'ask left'])
  assert.equal((await home.engine().summary(beside))?.forkedFrom, id)
})

test('one that was deleted here does not come back by itself, and does when it is asked for', async () => {
  await using home = await openHome()
  const { root, file } = await claudeProjects(home)
  await writeFile(file, turn('one', null))
  const id = only(await bring(home, root))
  for (const now of [false, true]) {
    await home.engine().remove([id], { now })
    await appendFile(file, '\n')
    assert.equal((await bring(home, root))[0]?.outcome, 'deleted')
  }
  assert.deepEqual(await rescued(home, id), [], 'deleted for good, its raw copy is gone as well')
  assert.equal((await bring(home, root, { again: true }))[0]?.outcome, 'imported')
})

test('damaged, foreign, empty and hostile files are named, and the rest comes in', async () => {
  await using home = await openHome()
  const { root, file } = await claudeProjects(home)
  const at = (n: number) => join(root, 'p', `00000000-0000-4000-8000-00000000000${n}.jsonl`)
  await writeFile(file, turn('one', null))
  await writeFile(at(1), `${turn('two', null)}{"torn`)
  await writeFile(at(2), Buffer.from([0, 1, 2, 255, 254, 10, 0]))
  await writeFile(at(3), '{"some":"other program"}\n')
  await writeFile(at(4), '')
  await writeFile(at(5), '{"type":"mode","mode":"normal"}\n')
  await symlink('/etc/passwd', at(6))
  await writeFile(
    at(7),
    `{"__proto__":{"polluted":1},"type":"user","uuid":"a","parentUuid":"a","message":{"role":"user","content":"its own parent\u2028\\ud800"}}\n${'['.repeat(5000)}\n`,
  )
  const all = await bring(home, root)
  assert.deepEqual(
    all.map(({ outcome }) => outcome),
    ['imported', 'failed', 'failed', 'empty', 'empty', 'imported', 'imported'],
  )
  assert.equal(all[0]?.report?.damaged[0]?.offset, Buffer.byteLength(turn('two', null)))
  assert.match(all[1]?.why ?? '', /not JSON/)
  assert.match(all[2]?.why ?? '', /nothing in it is known/)
  assert.deepEqual(await promptsOf(home.engine(), only(all.slice(5))), [
    'its own parent\u2028\ufffd',
  ])
  assert.equal('polluted' in {}, false)
})

test('a folder that is there and cannot be looked into is named, one that is not there is not', async () => {
  await using home = await openHome()
  const round = join(home.path, 'round')
  await symlink(round, round)
  const look = (root: string) =>
    importAll(home.engine(), {
      agents: ['claude'],
      around: { env: {}, home: '/nowhere', root },
      now: () => new Date(),
    })
  const [found, ...more] = await look(round)
  assert.deepEqual([found?.path, more], [round, []])
  assert.match(found?.why ?? '', /too many symbolic links/)
  assert.deepEqual(await look(join(home.path, 'none')), [])
})

test('a call without a result is open at the end, and interrupted where the talk went on', async () => {
  await using home = await openHome()
  const { root, file } = await claudeProjects(home)
  const call = (id: string, before: string) =>
    `${JSON.stringify({
      type: 'assistant',
      uuid: id,
      parentUuid: before,
      timestamp: '2026-01-01T00:00:00.000Z',
      message: {
        id,
        model: 'm',
        content: [{ type: 'tool_use', id, name: 'Bash', input: { command: 'rm -rf /' } }],
      },
    })}\n`
  await writeFile(
    file,
    line('user', 'a', null) + call('c1', 'a') + line('user', 'b', 'c1') + call('c2', 'b'),
  )
  const [came] = await bring(home, root)
  const events = await eventsOf(home.engine(), only([came!]))
  const ended = events.flatMap(({ type, data }) =>
    type === 'tool.execution_complete' ? [(data as { toolCallId: string }).toolCallId] : [],
  )
  assert.deepEqual([ended, came?.report?.interrupted], [['c1'], 1])
})

test('a text that is forgotten is gone from the raw copy as well', async () => {
  await using home = await openHome()
  const { root, file } = await claudeProjects(home)
  await writeFile(file, turn('hunter2-secret', null))
  const id = only(await bring(home, root))
  await home.engine().forget({ text: 'hunter2-secret' }, { dryRun: false })
  for (const path of [...(await rescued(home, id)), join('session-state', id, 'events.jsonl')])
    assert.ok(!(await readFile(join(home.path, path), 'utf8')).includes('hunter2-secret'), path)
})

test('a folder of the Copilot CLI is taken byte for byte, under its own id, and grows', async () => {
  await using there = await openHome()
  const engine = there.engine()
  const { id } = await engine.create({ name: 'work' })
  await converse(engine, id, { prompt: 'first' })
  await (await engine.open(id)).writePlan('# plan')
  await engine.stop()
  await using home = await openHome()
  const options = { agent: 'copilot' as const }
  assert.equal((await bring(home, there.path, options))[0]?.outcome, 'imported')
  const log = (of: Home) => readFile(join(of.path, 'session-state', id, 'events.jsonl'), 'utf8')
  assert.equal(await log(home), await log(there))
  assert.equal(await readFile(join(home.path, 'session-state', id, 'plan.md'), 'utf8'), '# plan')
  assert.equal((await bring(home, there.path, options))[0]?.outcome, 'unchanged')
  await converse(there.engine(), id, { prompt: 'second' })
  assert.equal((await bring(home, there.path, options))[0]?.outcome, 'extended')
  assert.equal(await log(home), await log(there))
  const here = home.engine()
  await converse(here, id, { prompt: 'here' })
  await here.stop()
  await converse(there.engine(), id, { prompt: 'third' })
  const [came] = await bring(home, there.path, options)
  assert.equal(came?.outcome, 'branched')
  assert.deepEqual(await promptsOf(home.engine(), only([came!])), ['first', 'second', 'third'])
  assert.deepEqual(await promptsOf(home.engine(), id), ['first', 'second', 'here'])
})

test('nothing of the source is touched, and no hard link to it is made', async () => {
  await using home = await openHome()
  const root = join(home.path, 'claude')
  await cp(join(GOLDEN, 'claude-2.1.197/projects'), root, { recursive: true })
  const [project = ''] = await readdir(root)
  const path = join(root, project, `${ID}.jsonl`)
  const before = await readFile(path)
  const id = only(await bring(home, root))
  await writeFile(path, '')
  const kept = await rescued(home, id)
  const raw = await Promise.all(kept.map((each) => readFile(join(home.path, each))))
  assert.ok(raw.some((bytes) => bytes.equals(before)))
})

/** Raw copies of a session, below the home. */
async function rescued(home: Home, id: SessionId): Promise<string[]> {
  const folder = join('.reprise/rescued', id)
  const names = await readdir(join(home.path, folder)).catch(() => [])
  return names.filter((name) => name !== 'about.json').map((name) => join(folder, name))
}

test('a file that lies elsewhere under another name is the same session, and so is one of its folder', async () => {
  await using home = await openHome()
  const { root, file } = await claudeProjects(home)
  await writeFile(file, turn('one', null))
  const backup = join(home.path, 'my backup.jsonl')
  await cp(file, backup)
  const around = { env: {}, home: '/nowhere' }
  const own = only(await bring(home, root))
  for (const path of [backup, file, join(root, 'p')]) {
    const found = await agentAt(path, around)
    assert.equal(found?.agent, 'claude', path)
    const came: Came[] = []
    await importAll(home.engine(), {
      agents: ['claude'],
      around: found.around,
      now: () => new Date(),
      onCame: (each) => void came.push(each),
    })
    assert.deepEqual(
      came.map(({ nativeId, sessions }) => [nativeId, ...sessions]),
      [[ID, own]],
      path,
    )
  }
})

test('the folder or the database that an agent keeps its sessions in is named as well as what is around it', async () => {
  const around = { env: {}, home: '/nowhere' }
  for (const path of STORES) {
    const found = await agentAt(join(GOLDEN, path), around)
    assert.equal(found?.agent, path.split('-')[0])
    assert.equal(found?.around.root, join(GOLDEN, path, '..'))
  }
  const wrong = join(GOLDEN, 'claude-2.1.197/projects/nothing')
  assert.equal(await agentAt(wrong, around), undefined)
})

test('a look at a session of the same format says that it is here already', async () => {
  await using home = await openHome()
  const root = join(GOLDEN, 'copilot-1.0.102')
  const outcomes: string[] = []
  for (const dryRun of [true, false, true])
    await importAll(home.engine(), {
      agents: ['copilot'],
      around: { env: {}, home: '/nowhere', root },
      now: () => new Date(),
      dryRun,
      onCame: ({ outcome }) => void outcomes.push(outcome),
    })
  assert.deepEqual(outcomes, ['found', 'imported', 'unchanged'])
})

test('the first lines of a file say whose it is', async () => {
  await using home = await openHome()
  const first = {
    codex: { type: 'session_meta', payload: { id: 'x', cwd: '/p' } },
    gemini: { sessionId: 'x', projectHash: 'h', startTime: '2026-01-01T00:00:00Z' },
    pi: { type: 'session', version: 3, id: 'x', cwd: '/p' },
    qwen: { uuid: '1', parentUuid: null, sessionId: 'x', message: { parts: [] } },
    claude: { uuid: '1', parentUuid: null, sessionId: 'x', message: { content: '' } },
  } as const
  for (const [agent, record] of Object.entries(first)) {
    const path = join(home.path, `${agent}-copy.jsonl`)
    // A picture makes a line as long as it is.
    for (const padding of ['', 'x'.repeat(3_000_000)])
      for (const before of ['', `{"type":"mode","of":"${padding}"}\n`]) {
        await writeFile(path, `${before}${JSON.stringify({ padding, ...record })}\n`)
        assert.equal((await agentAt(path, { env: {}, home: '/nowhere' }))?.agent, agent)
      }
  }
  const other = join(home.path, 'other.jsonl')
  await writeFile(other, '{"nothing":"known"}\n')
  assert.equal(await agentAt(other, { env: {}, home: '/nowhere' }), undefined)
  assert.equal((await agentAt(other, { env: {}, home: '/nowhere' }, 'claude'))?.agent, 'claude')
})

test('an answer of Claude Code without an id, without a model or as a plain text comes, and an unknown form is named', async () => {
  await using home = await openHome()
  const { root, file } = await claudeProjects(home)
  const answer = (uuid: string, before: string, message: Readonly<Record<string, unknown>>) =>
    `${JSON.stringify({
      type: 'assistant',
      uuid,
      parentUuid: before,
      sessionId: ID,
      timestamp: '2026-01-01T00:00:00.000Z',
      message: { role: 'assistant', ...message },
    })}\n`
  await writeFile(
    file,
    line('user', 'ask', null) +
      answer('a', 'ask', { model: 'm', content: [{ type: 'text', text: 'without an id' }] }) +
      answer('b', 'a', { id: 'm-b', content: 'as a plain text' }) +
      answer('c', 'b', {
        id: 'm-c',
        model: 'm',
        content: [{ type: 'essay', words: 'of a new form' }],
      }),
  )
  const came = await bring(home, root)
  const events = await eventsOf(home.engine(), only(came))
  assert.deepEqual(
    events.flatMap(({ type, data }) =>
      type === 'assistant.message' ? [fieldsOf(data)['content']] : [],
    ),
    ['without an id', 'as a plain text'],
  )
  assert.equal(came[0]?.report?.unknown['assistant part essay'], 1)
})
