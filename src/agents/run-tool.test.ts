import assert from 'node:assert/strict'
import { readFile, symlink, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'node:test'
import type { PermissionDecision, Turn } from '../engine/agent.ts'
import type { Payload } from '../format/event.ts'
import { runTool } from './run-tool.ts'
import { script, temporaryPlace, type Script } from '../../test/support/scripted-turn.ts'
import { applyPatch } from './tools/apply-patch.ts'
import { bash } from './tools/bash.ts'
import { create } from './tools/create.ts'
import { view } from './tools/view.ts'
import type { Tool } from './tools/tool.ts'

const never = new AbortController().signal

const start = (toolName: string, args: unknown) => ({
  type: 'tool.execution_start',
  data: {
    toolCallId: 'c1',
    toolName,
    arguments: args,
    ...(toolName === 'bash' && {
      shellToolInfo: { possiblePaths: [], hasWriteFileRedirection: false },
    }),
    turnId: 't1',
  },
})

const completed = (rest: Partial<Payload<'tool.execution_complete'>>) => ({
  type: 'tool.execution_complete',
  data: { toolCallId: 'c1', interactionId: 'i1', turnId: 't1', ...rest },
})

async function call(play: Script, tool: Tool, args: unknown, signal = never) {
  const turn = play.turn('go')
  await play.take(runTool(turn, tool, { toolCallId: 'c1', arguments: args }, signal))
  return play.drafts.slice(1)
}

test('an allowed command is asked for, told while it runs, and completed with its output', async () => {
  await using here = await temporaryPlace()
  const play = script(here)
  const args = { command: 'echo hello; exit 4' }
  assert.deepEqual(await call(play, bash, args), [
    start('bash', args),
    completed({
      success: true,
      result: { content: 'hello\n<exited with exit code 4>' },
      shellExecution: { exitCode: 4 },
    }),
  ])
  assert.deepEqual(play.asked, [
    {
      kind: 'shell',
      toolCallId: 'c1',
      intention: 'Run echo hello; exit 4',
      fullCommandText: 'echo hello; exit 4',
      commands: [{ identifier: 'echo', readOnly: false }],
      possiblePaths: [],
      possibleUrls: [],
      hasWriteFileRedirection: false,
      canOfferSessionApproval: true,
      resolvedWorkingDirectory: here.cwd,
    },
  ])
  assert.deepEqual(play.notices, [
    { type: 'tool.execution_partial_result', data: { toolCallId: 'c1', partialOutput: 'hello\n' } },
  ])
})

test('a tool that needs no leave asks nobody', async () => {
  await using here = await temporaryPlace()
  await writeFile(join(here.cwd, 'a'), 'x\n')
  const play = script(here)
  assert.deepEqual(await call(play, view, { path: 'a' }), [
    start('view', { path: 'a' }),
    completed({ success: true, result: { content: '1. x' } }),
  ])
  assert.deepEqual(play.asked, [])
})

test('a denied call does nothing and says who denied it', async () => {
  const denials: [PermissionDecision, string][] = [
    [
      { kind: 'deny', by: 'person', feedback: 'not now' },
      'A person denied this. Nothing was done. They said: not now',
    ],
    [{ kind: 'deny', by: 'policy' }, 'A rule of the host denied this. Nothing was done.'],
    [
      { kind: 'deny', by: 'nobody' },
      'This needs permission, and nobody could be asked for it. Nothing was done.',
    ],
  ]
  for (const [decision, message] of denials) {
    await using here = await temporaryPlace()
    const play = script(here, () => decision)
    const args = { path: 'a', file_text: '' }
    assert.deepEqual(await call(play, create, args), [
      start('create', args),
      completed({ success: false, error: { message, code: 'denied' } }),
    ])
    await assert.rejects(readFile(join(here.cwd, 'a')), { code: 'ENOENT' })
  }
})

test('wrong arguments are told before anything is asked', async () => {
  await using here = await temporaryPlace()
  const play = script(here)
  const [, end] = await call(play, bash, { command: 7 })
  assert.deepEqual(
    end,
    completed({
      success: false,
      error: {
        message:
          'The arguments of bash are not right:\n✖ Invalid input: expected string, received number\n  → at command',
        code: 'invalid_arguments',
      },
    }),
  )
  assert.deepEqual(play.asked, [])
  const [, cut] = await call(script(here), create, '{"path": "a.t')
  const message = 'The arguments of create are not right:\nThey are no whole JSON object.'
  assert.deepEqual(
    cut,
    completed({ success: false, error: { message, code: 'invalid_arguments' } }),
  )
})

test('a command that takes too long fails with what it had written', async () => {
  await using here = await temporaryPlace()
  const [, end] = await call(script(here), bash, { command: 'echo begun; sleep 300', timeout: 0.3 })
  assert.deepEqual(
    end,
    completed({
      success: false,
      result: { content: 'begun\n' },
      error: {
        message:
          'The command did not end within 0.3 seconds and was stopped. It had written:\nbegun',
        code: 'timeout',
      },
      shellExecution: { exitCode: 143 },
    }),
  )
})

test('a cancelled call ends its command and leaves its settling to the engine', async () => {
  await using here = await temporaryPlace()
  const abort = new AbortController()
  const play = script(here)
  const items = runTool(
    play.turn('go'),
    bash,
    { toolCallId: 'c1', arguments: { command: 'echo $$; sleep 300' } },
    abort.signal,
  )
  await items.next()
  const told = await items.next()
  assert.ok(!told.done && 'notice' in told.value)
  const gone = assert.rejects(items.next(), { name: 'AbortError' })
  abort.abort()
  await gone
  const { partialOutput } = told.value.notice.data as { partialOutput: string }
  assert.throws(() => process.kill(Number(partialOutput), 0), { code: 'ESRCH' })
})

test('a caller that walks away from a running call ends its command', async () => {
  await using here = await temporaryPlace()
  const items = runTool(
    script(here).turn('go'),
    bash,
    { toolCallId: 'c1', arguments: { command: 'echo $$; exec sleep 300' } },
    never,
  )
  await items.next()
  const told = await items.next()
  assert.ok(!told.done && 'notice' in told.value)
  await items.return({ success: true, result: { content: '' } })
  const { partialOutput } = told.value.notice.data as { partialOutput: string }
  assert.throws(() => process.kill(Number(partialOutput), 0), { code: 'ESRCH' })
})

test('10 MB of output are kept as their first and last MiB', async () => {
  await using here = await temporaryPlace()
  const [, end] = await call(script(here), bash, {
    command: 'echo first; head -c 10000000 /dev/zero | tr "\\0" x; echo; echo last',
  })
  assert.ok(end?.type === 'tool.execution_complete')
  const { content = '' } = end.data.result ?? {}
  assert.match(content, /^first\nx+\n… 7902860 bytes left out …\nx+\nlast$/)
  assert.ok(content.length < 2.1 * 1024 * 1024)
})

test('a command that no shell can take fails like any other tool', async () => {
  await using here = await temporaryPlace()
  const [, end] = await call(script(here), bash, { command: `: ${'x'.repeat(4_000_000)}` })
  const message = `No shell could be started in ${here.cwd}: The command is too long.`
  assert.deepEqual(end, completed({ success: false, error: { message, code: 'failed' } }))
})

test('names that look like options, shell or patterns are only names', async () => {
  await using here = await temporaryPlace()
  for (const path of [
    '-rf',
    '$(touch evil)',
    '`x`',
    '*',
    'a b',
    "'",
    '"; rm -rf ~',
    '..\\x',
    'ü€😀',
    '%s',
  ]) {
    await call(script(here), create, { path, file_text: path })
    assert.equal(await readFile(join(here.cwd, path), 'utf8'), path)
  }
})

test('permission for one thing is none for what it became meanwhile', async () => {
  await using here = await temporaryPlace()
  const target = join(here.cwd, 'a')
  const elsewhere = join(here.workspacePath, 'events.jsonl')
  await writeFile(target, 'old\n')
  await writeFile(elsewhere, 'log\n')
  const play = script(here, async () => {
    await unlink(target)
    await symlink(elsewhere, target)
    return { kind: 'allow', by: 'person' }
  })
  const [, end] = await call(play, create, { path: 'a', file_text: 'new\n' })
  assert.deepEqual(
    end,
    completed({
      success: false,
      error: {
        message: 'What would be done changed while permission was asked for. Nothing was done.',
        code: 'failed',
      },
    }),
  )
  assert.equal(await readFile(elsewhere, 'utf8'), 'log\n')
})

test('a question that could not be put is not a failure of the tool', async () => {
  await using here = await temporaryPlace()
  const play = script(here, () => Promise.reject(new Error('the log is full')))
  await assert.rejects(call(play, bash, { command: 'ls' }), { message: 'the log is full' })
  assert.deepEqual(play.drafts.slice(1), [start('bash', { command: 'ls' })])
})

test('every deed of a call is asked for by itself, and one denial stops all of it', async () => {
  await using here = await temporaryPlace()
  const play = script(here, (request) =>
    request.kind === 'write' && request.fileName === 'b'
      ? { kind: 'deny', by: 'person' }
      : { kind: 'allow', by: 'person' },
  )
  const patch = '*** Begin Patch\n*** Add File: a\n+x\n*** Add File: b\n+y\n*** End Patch'
  const [, end] = await call(play, applyPatch as Tool, { patch })
  assert.equal(end?.type === 'tool.execution_complete' && end.data.error?.code, 'rejected')
  assert.deepEqual(
    play.asked.map((request) => request.kind === 'write' && request.fileName),
    ['a', 'b'],
  )
  await assert.rejects(readFile(join(here.cwd, 'a')), { code: 'ENOENT' })
})

test('a hook that denies is asked before a person, and what hooks say stands after the result', async () => {
  await using here = await temporaryPlace()
  const play = script(here)
  const hooked = (hook: Turn['hook']) => ({ ...play.turn('go'), hook })
  const run = async (hook: Turn['hook']) => {
    const args = { toolCallId: 'c1', arguments: { command: 'echo hi' } }
    const outcome = await play.take(runTool(hooked(hook), bash, args, never))
    return outcome.success
      ? outcome.result.content
      : [outcome.failure.code, outcome.failure.message]
  }
  assert.deepEqual(await run(async () => ({ denied: 'too early', notes: ['Try at noon.'] })), [
    'denied',
    'A hook denied this: too early. Nothing was done.\n\nTry at noon.',
  ])
  assert.deepEqual(play.asked, [])
  const seen: unknown[] = []
  const said = await run(async (hook) => {
    seen.push(hook)
    return { notes: [`${hook.type} was here.`] }
  })
  assert.equal(said, 'hi\n\npreToolUse was here.\n\npostToolUse was here.')
  const told = { toolName: 'bash', toolCallId: 'c1', arguments: { command: 'echo hi' } }
  assert.deepEqual(seen, [
    { type: 'preToolUse', ...told },
    { type: 'postToolUse', ...told, success: true, result: 'hi' },
  ])
})
