import assert from 'node:assert/strict'
import { spawnSync, type SpawnSyncReturns } from 'node:child_process'
import { mkdir, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'node:test'
import { temporaryPlace } from '../../../test/support/scripted-turn.ts'
import type { Editor } from '../../engine/agent.ts'
import { askUser } from './ask-user.ts'
import { persistentBash } from './bash.ts'
import { plan } from './plan.ts'
import { research } from './research.ts'
import type { Tool, ToolContext } from './tool.ts'

const signal = new AbortController().signal

async function content<Args>(tool: Tool<Args>, args: Args, context: ToolContext): Promise<string> {
  const running = tool.run(args, context)
  if (!(Symbol.asyncIterator in running)) return (await running).content
  for (;;) {
    const next = await running.next()
    if (next.done) return next.value.content
  }
}

test('a shell goes on where the last command left it, for each session by itself', async () => {
  await using place = await temporaryPlace()
  await using other = await temporaryPlace()
  const here = { ...place, signal }
  await mkdir(join(here.cwd, "it's $HOME"))
  const bash = persistentBash()
  const run = (command: string, context: ToolContext = here) => content(bash, { command }, context)
  const inside = join(here.cwd, "it's $HOME")
  assert.equal(
    await run(`cd "it's \\$HOME"; export A='x\ny' B=; C=lost; exit 3`),
    `<exited with exit code 3>\n<the shell is now in ${inside}>`,
  )
  assert.equal(await run('pwd; echo "$A|$B|$C"; cd ..'), `${inside}\nx\ny||`)
  assert.equal(await run('unset A; pwd'), here.cwd)
  assert.equal(await run('echo "$A."'), '.')
  assert.equal(await run('echo "$B$A."; pwd', { ...other, signal }), `.\n${other.cwd}`)
})

test('a command that was killed, or became another program, leaves the shell where it stood', async () => {
  await using place = await temporaryPlace()
  const here = { ...place, signal }
  await mkdir(join(here.cwd, 'sub'))
  const bash = persistentBash()
  const run = (command: string) => content(bash, { command }, here)
  await run('cd sub')
  await run('cd ..; kill -9 $$')
  await run('cd ..; exec true')
  assert.match(await run('pwd'), /sub\n<the shell is now in .*sub>$/)
  assert.equal(
    await run('cd ..; rm -r sub; mkdir sub; cd sub; rmdir ../sub; true').then(() => run('pwd')),
    here.cwd,
  )
})

test('a terminal of the editor shows the command alone, and the shell goes on all the same', async () => {
  await using place = await temporaryPlace()
  const shown: unknown[] = []
  let ran: SpawnSyncReturns<string> | undefined
  type Given = { readonly command: string; readonly args: readonly string[]; readonly cwd: string }
  const editor: Editor = {
    offered: () => ({ readsFiles: false, writesFiles: false, terminals: true }),
    tell: () => {},
    async ask(method, params) {
      if (method === 'terminal/wait_for_exit') return { exitCode: ran?.status }
      if (method === 'terminal/output') return { output: ran?.stdout }
      if (method !== 'terminal/create') return {}
      const { command, args, cwd } = params as Given
      const more = (params['env'] ?? []) as readonly { name: string; value: string }[]
      const env = Object.fromEntries(more.map(({ name, value }) => [name, value]))
      shown.push(args)
      ran = spawnSync(command, args, { cwd, env: { ...process.env, ...env }, encoding: 'utf8' })
      return { terminalId: 't' }
    },
  }
  const here = { ...place, signal, editor }
  await mkdir(join(here.cwd, 'sub'))
  const bash = persistentBash()
  const run = (command: string) => content(bash, { command }, here)
  await run('cd sub; export WORD=kept')
  const said = await run('echo "$WORD ${BASH_ENV-unseen}"; basename "$PWD"')
  assert.match(said, /^kept unseen\nsub\n/)
  assert.deepEqual(shown, [
    ['-c', 'cd sub; export WORD=kept'],
    ['-c', 'echo "$WORD ${BASH_ENV-unseen}"; basename "$PWD"'],
  ])
})

test('nothing of a shell is left on the disk', async () => {
  await using place = await temporaryPlace()
  const { TMPDIR } = process.env
  process.env['TMPDIR'] = place.workspacePath
  try {
    const told = await content(persistentBash(), { command: 'ls "$TMPDIR"' }, { ...place, signal })
    assert.match(told, /^reprise-shell-\w+$/)
  } finally {
    if (TMPDIR === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = TMPDIR
  }
  assert.deepEqual(await readdir(place.workspacePath), [])
})

test('permission for a command names the directory that it runs in', async () => {
  await using place = await temporaryPlace()
  const here = { ...place, signal }
  await mkdir(join(here.cwd, 'sub'))
  const bash = persistentBash()
  await content(bash, { command: 'cd sub' }, here)
  const deed = await bash.permission({ command: 'ls' }, here)
  assert.ok(deed !== undefined && 'kind' in deed && deed.kind === 'shell')
  assert.equal(deed.resolvedWorkingDirectory, join(here.cwd, 'sub'))
})

test('the plan is read and written in the folder of the session, for its owner alone', async () => {
  await using place = await temporaryPlace()
  const here = { ...place, signal }
  assert.equal(await content(plan, {}, here), 'There is no plan yet.')
  assert.equal(await content(plan, { text: '# Plan\n' }, here), 'The plan is written.')
  assert.equal(await content(plan, {}, here), '# Plan\n')
  assert.equal((await stat(join(here.workspacePath, 'plan.md'))).mode & 0o777, 0o600)
  await assert.rejects(content(plan, {}, { ...here, workspacePath: 'memory:x' }), {
    message: 'This session does not live on this disk: its plan cannot be reached.',
  })
})

test('what was found out is kept as notes in research/ of the session, and listed', async () => {
  await using place = await temporaryPlace()
  const here = { ...place, signal }
  assert.equal(await content(research, {}, here), 'There are no notes yet.')
  assert.equal(await content(research, { name: 'a.md' }, here), 'There is no note a.md yet.')
  assert.equal(await content(research, { name: 'a.md', text: '# A\n' }, here), 'a.md is written.')
  assert.equal(await content(research, { name: 'a.md' }, here), '# A\n')
  assert.equal(await content(research, {}, here), 'a.md')
  assert.equal((await stat(join(here.workspacePath, 'research', 'a.md'))).mode & 0o777, 0o600)
  for (const name of ['../plan.md', '.hidden', 'a/b'])
    assert.equal(research.args.safeParse({ name }).success, false, name)
})

test('a question that nobody answers does not stop the work', async () => {
  await using place = await temporaryPlace()
  const nobody = 'Nobody answered. Go on with what seems best, and say what you assumed.'
  assert.equal(await content(askUser, { question: 'Red?' }, { ...place, signal }), nobody)
  const ask = async () => 'blue'
  assert.equal(
    await content(askUser, { question: 'Red?' }, { ...place, signal, ask }),
    'The user answered: blue',
  )
})
