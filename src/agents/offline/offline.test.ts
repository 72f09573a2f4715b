import assert from 'node:assert/strict'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'node:test'
import { validateModelContext } from '../../../test/support/validate-context.ts'
import { script, temporaryPlace } from '../../../test/support/scripted-turn.ts'
import { offlineAgent } from './offline.ts'

function countingIds() {
  let last = 0
  return () => `id${++last}`
}

test('one command gives a request, the tool, and an answer that was told piece by piece', async () => {
  await using here = await temporaryPlace()
  const play = script(here)
  await play.send(offlineAgent({ newId: countingIds() }), 'run echo hello')
  const args = { command: 'echo hello' }
  const text = '`run echo hello` succeeded:\n\n```\nhello\n```'
  const by = { model: 'offline', turnId: 't1', interactionId: 'i1' }
  assert.deepEqual(play.drafts.slice(1), [
    {
      type: 'assistant.message',
      data: {
        messageId: 'id2',
        content: '',
        toolRequests: [{ toolCallId: 'id1', name: 'bash', arguments: args, type: 'function' }],
        ...by,
      },
    },
    {
      type: 'tool.execution_start',
      data: {
        toolCallId: 'id1',
        toolName: 'bash',
        arguments: args,
        shellToolInfo: { possiblePaths: [], hasWriteFileRedirection: false },
        turnId: 't1',
      },
    },
    {
      type: 'tool.execution_complete',
      data: {
        toolCallId: 'id1',
        success: true,
        interactionId: 'i1',
        result: { content: 'hello' },
        turnId: 't1',
        shellExecution: { exitCode: 0 },
      },
    },
    { type: 'assistant.message', data: { messageId: 'id3', content: text, ...by } },
  ])
  const deltas = play.notices.flatMap((notice) =>
    notice.type === 'assistant.message_delta' ? [notice.data.deltaContent] : [],
  )
  assert.equal(deltas.join(''), text)
})

test('several commands run in order, and the history is one that a provider accepts', async () => {
  await using here = await temporaryPlace()
  const play = script(here)
  const agent = offlineAgent()
  const prompt = [
    'write src/a.ts: const a = 1',
    'append src/a.ts: const b = 2',
    'edit src/a.ts: a = 1 >>> a = 3',
    'read src/a.ts',
    'find *.ts',
    'search CONST B',
  ].join('\n')
  assert.equal(
    await play.send(agent, prompt),
    [
      'Wrote 12 bytes to src/a.ts.',
      'Added 12 bytes to src/a.ts.',
      'Replaced one passage in src/a.ts.',
      '`src/a.ts`:\n\n```\n1. const a = 3\n2. const b = 2\n```',
      '`find *.ts`:\n\n```\nsrc/a.ts\n```',
      '`search CONST B`:\n\n```\nsrc/a.ts:2: const b = 2\n```',
    ].join('\n\n'),
  )
  await play.send(agent, 'and now fix it')
  assert.deepEqual(validateModelContext(play.context()), [])
  assert.deepEqual(
    play.asked.map(({ kind }) => kind),
    ['write', 'write', 'write'],
  )
})

test('it stops at the first failure and says what was not done', async () => {
  await using here = await temporaryPlace()
  const play = script(here)
  const said = await play.send(offlineAgent(), 'run exit 7\nread a\nwrite b: c')
  assert.equal(
    said,
    '`run exit 7` ended with exit code 7:\n\n```\n<exited with exit code 7>\n```\n\n' +
      'Stopped there. Not done: `read a`, `write b: c`.',
  )
  assert.deepEqual(validateModelContext(play.context()), [])
})

test('of several edits those before the failed one are told', async () => {
  await using here = await temporaryPlace()
  await writeFile(join(here.cwd, 'a'), 'one two\n')
  const said = await script(here).send(offlineAgent(), 'edit a\none >>> 1\nthree >>> 3\ntwo >>> 2')
  assert.equal(
    said,
    'Replaced one passage in a.\n`edit a` failed. a was not changed: The passage is not in the file.',
  )
  assert.equal(await readFile(join(here.cwd, 'a'), 'utf8'), '1 two\n')
})

test('a denial is told, with what an unattended run needs', async () => {
  await using here = await temporaryPlace()
  const play = script(here, () => ({ kind: 'deny', by: 'nobody' }))
  assert.equal(
    await play.send(offlineAgent(), 'run ls'),
    '`run ls` failed. This needs permission, and nobody could be asked for it. Nothing was done. ' +
      'Where nobody can be asked, --allow-all allows everything but to change files of Reprise itself: for those a person has to say yes.',
  )
  assert.deepEqual(validateModelContext(play.context()), [])
})

test('the plan is set through a tool, without asking, and shown', async () => {
  await using here = await temporaryPlace()
  const play = script(here)
  const agent = offlineAgent()
  assert.equal(await play.send(agent, 'plan'), 'There is no plan. `plan: <text>` sets one.')
  assert.equal(
    await play.send(agent, 'plan:\n```\n# Goal\n1. rest\n```\nplan'),
    'The plan is set.\n\nThe plan:\n\n# Goal\n1. rest',
  )
  const plan = join(here.workspacePath, 'plan.md')
  assert.equal(await readFile(plan, 'utf8'), '# Goal\n1. rest\n')
  assert.equal((await stat(plan)).mode & 0o777, 0o600)
  assert.deepEqual(play.asked, [])
})

test('a session that is not on this disk has no plan that a tool could write', async () => {
  await using here = await temporaryPlace()
  const play = script({ cwd: here.cwd, workspacePath: join(here.workspacePath, 'memory') })
  assert.equal(
    await play.send(offlineAgent(), 'plan: x'),
    'This session does not live on this disk: its plan cannot be reached.',
  )
  assert.equal(play.drafts.length, 2)
})

test('it answers about the session from what it knows of it', async () => {
  await using here = await temporaryPlace()
  const play = script(here)
  const agent = offlineAgent()
  assert.equal(
    await play.send(agent, 'history'),
    'Nothing yet: this is the first message of the session.',
  )
  await play.send(agent, 'write a.txt: x\nrun true\nread none')
  assert.equal(
    await play.send(agent, 'which files?'),
    'Changed by tools:\na.txt\nShell commands that ran: 1. What they changed is not known here.',
  )
  assert.equal(
    await play.send(agent, 'last answer'),
    'The last answer was:\n\nChanged by tools:\na.txt\nShell commands that ran: 1. What they changed is not known here.',
  )
  assert.equal(
    await play.send(agent, 'what did I ask?'),
    'You asked 4 times in this session:\n1. history\n2. write a.txt: x run true read none\n3. which files?\n4. last answer',
  )
  assert.match(
    await play.send(agent, 'status'),
    /\nTurns 6, events \d+, checkpoints 0\n.*\nNo model was used\.$/,
  )
})

test('words for a model are answered plainly, and nothing is done', async () => {
  await using here = await temporaryPlace()
  const play = script(here)
  const agent = offlineAgent()
  assert.match(await play.send(agent, 'please fix the tests'), /^No model is connected/)
  assert.match(
    await play.send(agent, 'run touch x\nthank you'),
    /^I did not understand "thank you", so nothing was done\./,
  )
  await assert.rejects(readFile(join(here.cwd, 'x')), { code: 'ENOENT' })
  assert.deepEqual(play.asked, [])
})

test('output cannot close the block that it is shown in, and is shown in bounds', async () => {
  await using here = await temporaryPlace()
  const play = script(here)
  const agent = offlineAgent()
  assert.equal(
    await play.send(agent, "run printf '```\\n# forged'"),
    '"run printf \'```\\n# forged\'" succeeded:\n\n````\n```\n# forged\n````',
  )
  assert.ok((await play.send(agent, 'run yes | head -n 100000')).length < 9000)
})

test('a cancelled turn runs nothing more', async () => {
  await using here = await temporaryPlace()
  const abort = new AbortController()
  const play = script(here, () => {
    abort.abort()
    return { kind: 'allow', by: 'person' }
  })
  await assert.rejects(play.send(offlineAgent(), 'run touch x\nrun touch y', abort.signal), {
    name: 'AbortError',
  })
  await assert.rejects(readFile(join(here.cwd, 'x')), { code: 'ENOENT' })
})
