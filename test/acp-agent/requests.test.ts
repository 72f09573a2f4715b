/** What a real ACP process asks of its client is done under the permissions of every other tool, and recorded. */
import assert from 'node:assert/strict'
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import type { PermissionPolicy, PermissionRequest } from '../../src/engine/agent.ts'
import { ask, known, openPlace, said } from './place.ts'
import { converse } from '../support/engine.ts'

/** Decides always the same and remembers what it was asked. */
function deciding(kind: 'allow' | 'deny' | 'allow-for-session') {
  const asked: PermissionRequest[] = []
  const policy: PermissionPolicy = (request) => {
    asked.push(request)
    return { kind, by: 'policy' }
  }
  return { asked, policy }
}

for (const [kind, optionId] of [
  ['allow', 'once'],
  ['allow-for-session', 'once'],
  ['deny', 'no'],
] as const) {
  test(`a decision to ${kind} chooses the option "${optionId}": the agent is never told "always"`, async () => {
    await using place = await openPlace()
    const { asked, policy } = deciding(kind)
    const engine = place.engine({ policy })
    const id = await place.begin(engine)
    const answer = await ask(engine, id, '<<permission ls -l>>')
    assert.deepEqual(JSON.parse(answer), { outcome: { outcome: 'selected', optionId } })
    const [request] = asked
    assert.deepEqual(
      [request?.kind, (request as { fullCommandText?: string }).fullCommandText],
      ['shell', 'ls -l'],
    )
    const types = (await known(engine, id)).map(({ type }) => type)
    assert.deepEqual(types.slice(types.indexOf('assistant.message')), [
      'assistant.message',
      'tool.execution_start',
      'permission.requested',
      'permission.completed',
      'tool.execution_complete',
      'assistant.message',
      'assistant.turn_end',
    ])
  })
}

test('a question dies with its agent: the log says that it is lost, and what helps', async () => {
  await using place = await openPlace()
  const engine = place.engine({ policy: () => 'ask' })
  const session = await engine.open(await place.begin(engine))
  const asked = (async () => {
    let said = ''
    for await (const item of session.follow()) {
      if (item.kind === 'notice' && item.notice.type === 'assistant.message_delta')
        said += item.notice.data.deltaContent
      if (item.kind === 'event' && item.event.type === 'permission.requested')
        return Number(/pid (\d+)/.exec(said)?.[1])
    }
    throw new Error('Nothing was asked.')
  })()
  const { ended } = await session.send({ prompt: '<<pid>><<permission ls -l>>' })
  process.kill(await asked, 'SIGKILL')
  assert.equal((await ended).status, 'failed')
  const events = await known(engine, session.id)
  const lost = events.find((event) => event.type === 'session.warning')
  assert.equal(
    lost?.data.message,
    'A question was lost before it was answered, with the process that asked. Nothing was done for it. /retry sends the message again, so that it is asked again.',
  )
  assert.deepEqual(await session.pending(), { requests: [], questions: [] })
})

test('a file of the project is read without leave, one outside needs it, however its path is spelled', async () => {
  await using place = await openPlace()
  const { asked, policy } = deciding('deny')
  const engine = place.engine({ policy })
  const id = await place.begin(engine)
  await writeFile(join(place.project, 'inside.txt'), 'line 1\nline 2\n')
  await mkdir(join(place.agentHome, 'secret'))
  await writeFile(join(place.agentHome, 'secret/key'), 'hidden')
  await symlink(join(place.agentHome, 'secret'), join(place.project, 'link'))
  assert.deepEqual(
    JSON.parse(await ask(engine, id, `<<read ${join(place.project, 'inside.txt')}>>`)),
    {
      content: 'line 1\nline 2\n',
    },
  )
  assert.deepEqual(asked, [])
  const refused = await ask(engine, id, `<<read ${join(place.project, 'link/key')}>>`)
  assert.match(refused, /denied this. Nothing was done/)
  assert.deepEqual(
    asked.map(({ kind }) => kind),
    ['read'],
  )
})

test('what the agent writes through us is asked for with its diff, written, and recorded within its call', async () => {
  await using place = await openPlace()
  const { asked, policy } = deciding('allow')
  const engine = place.engine({ policy })
  const id = await place.begin(engine)
  const path = join(place.project, 'new.txt')
  assert.equal(await ask(engine, id, `<<write ${path}|fresh text>>`), '{}')
  assert.equal(await readFile(path, 'utf8'), 'fresh text')
  assert.match((asked[0] as { diff?: string }).diff ?? '', /\+fresh text/)
  const events = await known(engine, id)
  const starts = events.flatMap((event) =>
    event.type === 'tool.execution_start' ? [event.data] : [],
  )
  assert.deepEqual(
    starts.map(({ toolName, parentToolCallId }) => [toolName, parentToolCallId]),
    [
      ['edit', undefined],
      ['create', starts[0]?.toolCallId],
    ],
  )
})

test('a change that was shown and allowed is not asked for again; another change is', async () => {
  await using place = await openPlace()
  const { asked, policy } = deciding('allow')
  const engine = place.engine({ policy })
  const id = await place.begin(engine)
  const path = join(place.project, 'a.txt')
  await writeFile(path, 'one two three')
  await ask(engine, id, `<<shown ${path}|two|2|one 2 three>>`)
  assert.equal(await readFile(path, 'utf8'), 'one 2 three!')
  assert.deepEqual(
    asked.map(({ kind }) => kind),
    ['write', 'write'],
  )
})

test('a write that is denied changes nothing, and the agent is told why', async () => {
  await using place = await openPlace()
  const engine = place.engine({ policy: () => ({ kind: 'deny', by: 'policy' }) })
  const id = await place.begin(engine)
  const path = join(place.project, 'new.txt')
  assert.match(await ask(engine, id, `<<write ${path}|x>>`), /Nothing was done/)
  await assert.rejects(readFile(path))
})

test('a command runs in a terminal of ours, with leave, and its output is in the log', async () => {
  await using place = await openPlace()
  const { asked, policy } = deciding('allow')
  const engine = place.engine({ policy })
  const id = await place.begin(engine)
  const answer = await ask(engine, id, '<<terminal echo out; echo err >&2; exit 3>>')
  assert.deepEqual(JSON.parse(answer), {
    exit: { exitCode: 3, signal: null },
    output: { output: 'out\nerr\n', truncated: false, exitStatus: { exitCode: 3, signal: null } },
  })
  assert.equal(
    (asked[0] as { fullCommandText?: string }).fullCommandText,
    'echo out; echo err >&2; exit 3',
  )
  const ends = (await known(engine, id)).flatMap((event) =>
    event.type === 'tool.execution_complete' ? [event.data] : [],
  )
  assert.deepEqual(
    ends.map(({ result, shellExecution }) => [result?.content, shellExecution?.exitCode]),
    [
      ['out\nerr', 3],
      ['out\nerr', 3],
    ],
  )
})

test('a command that is denied does not run', async () => {
  await using place = await openPlace()
  const engine = place.engine({ policy: () => ({ kind: 'deny', by: 'nobody' }) })
  const id = await place.begin(engine)
  assert.match(await ask(engine, id, '<<terminal touch made>>'), /nobody could be asked/)
  await assert.rejects(readFile(join(place.project, 'made')))
})

test('a form is put to a person field by field', async () => {
  await using place = await openPlace()
  const engine = place.engine({ answersQuestions: true })
  const id = await place.begin(engine)
  await ask(engine, id, 'hello')
  const turn = converse(engine, id, { prompt: '<<ask Which one?>>' })
  for await (const item of (await engine.open(id)).follow()) {
    if (item.kind !== 'notice' || item.notice.type !== 'user_input.requested') continue
    assert.deepEqual(item.notice.data.choices, ['red', 'blue'])
    await (await engine.open(id)).answerQuestion(item.notice.data.requestId, 'blue')
    break
  }
  await turn
  assert.match(
    said(await known(engine, id)),
    /\{"action":"accept","content":\{"colour":"blue"\}\}$/,
  )
})

test('a form that nobody answers is declined', async () => {
  await using place = await openPlace()
  const engine = place.engine()
  const id = await place.begin(engine)
  assert.equal(await ask(engine, id, '<<ask Which one?>>'), '{"action":"decline"}')
})

test('a request that we do not offer is refused, and the turn goes on', async () => {
  await using place = await openPlace()
  const engine = place.engine()
  const id = await place.begin(engine)
  assert.equal(await ask(engine, id, '<<unknown _vendor/thing>>'), '_vendor/thing is not offered.')
})

test('the model and the mode of the session are asked of the agent', async () => {
  await using place = await openPlace()
  const engine = place.engine({ can: 'models,modes' })
  const id = await place.begin(engine)
  await ask(engine, id, 'one')
  await (await engine.open(id)).setModel({ model: 'large' })
  await (await engine.open(id)).setMode('plan')
  await ask(engine, id, 'two')
  await (await engine.open(id)).setModel({ model: 'gigantic' })
  await ask(engine, id, 'three')
  const set = (await place.asked()).filter(({ method }) => method.startsWith('session/set_'))
  assert.deepEqual(
    set.map(({ method, params }) => [method, params['modeId'] ?? params['modelId']]),
    [
      ['session/set_mode', 'plan'],
      ['session/set_model', 'large'],
    ],
  )
  const warnings = (await known(engine, id)).flatMap((event) =>
    event.type === 'session.warning' ? [event.data.message] : [],
  )
  assert.deepEqual(warnings, ['scripted has no model "gigantic" and answers with large.'])
})
