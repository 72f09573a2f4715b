/** What the genuine CLI is asked to write: a session with as many kinds of events as it makes offline. */
import type { SessionId } from '../../src/format/ids.ts'
import type { Copilot } from './copilot.ts'

export const NAME = 'Made by the CLI'
export const PLAN = '# Plan\n\n- write it down\n'
export const PROMPTS = ['First turn.', 'Second turn.', 'Third turn.', 'Fourth turn.'] as const

const [first, second, third, fourth] = PROMPTS

/** Two turns, a plan, a file and a name, a compaction, two more turns. */
export async function writeGenuine(copilot: Copilot, cwd: string): Promise<SessionId> {
  const sessionId = crypto.randomUUID() as SessionId
  await copilot.create(sessionId, cwd)
  const write = JSON.stringify({
    command: 'echo from the CLI | tee made.txt',
    description: 'Write a file',
  })
  await copilot.send(sessionId, `${first} <<call bash ${write}>> <<answer one>>`)
  await copilot.request('session.plan.update', { sessionId, content: PLAN })
  const file = { sessionId, path: 'notes.md', content: 'a note\n' }
  await copilot.request('session.workspaces.createFile', file)
  await copilot.request('session.name.set', { sessionId, name: NAME })
  await copilot.send(sessionId, `${second} <<answer two>>`)
  await copilot.request('session.history.compact', { sessionId })
  await copilot.send(
    sessionId,
    `${third} <<call view {"path":"${cwd}/absent.txt"}>> <<answer three>>`,
  )
  await copilot.send(sessionId, `${fourth} <<answer four>>`)
  return sessionId
}

/** Begins a turn whose tool does not end, and is killed in it. */
export async function leaveInTheMiddle(copilot: Copilot, cwd: string): Promise<SessionId> {
  const sessionId = crypto.randomUUID() as SessionId
  await copilot.create(sessionId, cwd)
  await copilot.send(sessionId, 'Before. <<answer fine>>')
  const allowed = copilot.event(sessionId, 'permission.completed')
  const turn = copilot
    .send(sessionId, `During. <<call bash ${JSON.stringify(SLOW)}>>`)
    .catch(() => {})
  await allowed
  await copilot.kill()
  await turn
  return sessionId
}

const SLOW = { command: 'sleep 5', description: 'Wait' }

type Rarities = { readonly sessionId: SessionId; readonly refused: readonly string[] }

/** Kinds of events that an ordinary conversation does not make. Which of them failed is told, not judged. */
export async function writeRarities(copilot: Copilot, cwd: string): Promise<Rarities> {
  const sessionId = crypto.randomUUID() as SessionId
  await copilot.create(sessionId, cwd)
  await copilot.send(sessionId, 'Begin. <<answer begun>>')
  const refused: string[] = []
  const ask = (method: string, params: object) =>
    copilot
      .request(method, { sessionId, ...params })
      .catch((error: Error) => refused.push(`${method}: ${error.message}`))
  const call = (name: string, args: object) =>
    copilot
      .send(sessionId, `Use it. <<call ${name} ${JSON.stringify(args)}>> <<answer used>>`)
      .catch((error: Error) => refused.push(`${name}: ${error.message}`))
  await ask('session.mode.set', { mode: 'plan' })
  await ask('session.mode.set', { mode: 'interactive' })
  await ask('session.model.switchTo', { modelId: 'fake-model', reasoningEffort: 'high' })
  await ask('session.log', { message: 'a remark', level: 'info' })
  await ask('session.permissions.setMode', { mode: 'allow-all' })
  await ask('session.plan.update', { content: '# A' })
  await ask('session.plan.delete', {})
  await ask('session.shell.executeUserRequested', {
    command: 'echo by the user',
    requestId: crypto.randomUUID(),
  })
  await ask('session.remote.notifySteerableChanged', { remoteSteerable: true })
  await call('create', { path: `${cwd}/created.txt`, file_text: 'created\n' })
  await call('edit', { path: `${cwd}/created.txt`, old_str: 'created', new_str: 'edited' })
  await call('view', { path: `${cwd}/created.txt` })
  await call('grep', { pattern: 'edited', path: cwd })
  await call('glob', { pattern: '*.txt' })
  await call('sql', { query: 'select 1', description: 'One' })
  await call('task', {
    agent_type: 'explore',
    name: 'look',
    mode: 'sync',
    description: 'Look',
    prompt: 'Look around.',
  })
  await call('no_such_tool', {})
  const [begun, stopped] = [copilot.event(sessionId, 'tool.execution_start'), call('bash', SLOW)]
  await begun
  await ask('session.abort', {})
  await stopped
  return { sessionId, refused }
}
