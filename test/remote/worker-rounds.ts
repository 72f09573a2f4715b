/**
 * A task of several steps, whose workers are killed one after the other. The model does each step with a command that must
 * not run twice, and looks before it repeats one that was interrupted. Two homes take turns: the log comes from the server.
 */
import assert from 'node:assert/strict'
import { execFileSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startNode, type Client } from '../control/node.ts'
import { makePlace, type Place } from '../e2e/cli.ts'
import type { Asked, Reply } from '../model-server/reply.ts'
import { startModelServer } from '../model-server/server.ts'

/** A repository that workers may clone, with one commit, and the folder of a person who works in it. */
export function makeRepository(): Disposable & { readonly folder: string; readonly work: string } {
  const folder = mkdtempSync(join(tmpdir(), 'reprise-origin-'))
  const work = join(folder, 'work')
  const run = (cwd: string, ...args: string[]) => execFileSync('git', args, { cwd, stdio: 'pipe' })
  run(folder, 'init', '-q', '--bare', '-b', 'main', 'origin.git')
  run(folder, 'init', '-q', '-b', 'main', work)
  writeFileSync(join(work, 'a.txt'), 'one\n')
  writeFileSync(join(work, '.gitignore'), '.env\n')
  run(work, 'add', '-A')
  run(work, '-c', 'user.name=a', '-c', 'user.email=a@localhost', 'commit', '-qm', 'one')
  run(work, 'remote', 'add', 'origin', join(folder, 'origin.git'))
  run(work, 'push', '-q', 'origin', 'main')
  return {
    folder,
    work,
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  }
}

const DEADLINE_MS = 240_000

export type ToldTask = {
  readonly id: string
  readonly session: string
  readonly state: string
  readonly attempts: number
  readonly reason: string | null
  readonly result: {
    readonly diff?: string
    readonly branch?: string
    readonly answer?: string
    readonly leftOut?: readonly { readonly path: string }[]
  } | null
}

export async function taskUntil(
  client: Client,
  id: string,
  isSo: (task: ToldTask) => boolean,
): Promise<ToldTask> {
  for (const end = Date.now() + DEADLINE_MS; Date.now() < end; await sleep(100)) {
    const { body } = await client.ask('GET', `/api/tasks/${id}`)
    const task = body as ToldTask
    if (isSo(task)) return task
  }
  return assert.fail('the task did not come so far')
}

export async function joinAs(
  place: Place,
  url: string,
  client: Client,
  local: string,
): Promise<void> {
  for (const args of [
    ['remote', 'login', url, '--token', client.token],
    ['config', 'set', 'worker.localRepositories', JSON.stringify([local])],
  ])
    assert.equal((await place.run(args)).code, 0, args.join(' '))
}

const STEP = /\bdone-(\d+)\b/g

/** The next step that is not done yet, after a look at what was interrupted. */
function nextReply({ body }: Asked, steps: number): Reply {
  const messages = (body['messages'] ?? []) as { role: string; content: unknown }[]
  const results = messages
    .filter(({ role }) => role === 'tool')
    .map(({ content }) => JSON.stringify(content))
  const done = new Set<number>()
  for (const result of results) {
    for (const [, step] of result.matchAll(STEP)) done.add(Number(step))
    const seen = /seen:([^"\\]*)/.exec(result)?.[1] ?? ''
    for (const [, step] of seen.matchAll(/step-(\d+)/g)) done.add(Number(step))
  }
  const last = results.at(-1) ?? 'done-0'
  const isUnclear = !/done-\d|seen:/.test(last)
  const call = (command: string): Reply => ({
    calls: [{ name: 'bash', arguments: { command, description: 'a step' } }],
  })
  if (isUnclear) return call('sleep 1; echo seen: $(cat steps.txt 2>/dev/null) end')
  const next = Array.from({ length: steps }, (_, at) => at + 1).find((step) => !done.has(step))
  return next === undefined
    ? { text: 'All is done.' }
    : call(
        `echo step-${next} >> steps.txt; rm ../sharp 2>/dev/null && kill -9 $PPID; sleep 0.4; echo done-${next}`,
      )
}

type Rounds = { readonly kills: number; readonly steps: number; readonly random: () => number }

/** Fails when a step was done twice or not at all. How many workers began with it. */
export async function workerRounds({ kills, steps, random }: Rounds): Promise<number> {
  await using model = await startModelServer((asked) => nextReply(asked, steps))
  await using node = await startNode(undefined, { taskLeaseMs: 1500 })
  using repository = makeRepository()
  using one = makePlace()
  using other = makePlace()
  const client = await node.person('ann')
  for (const place of [one, other]) {
    await joinAs(place, node.url, client, repository.folder)
    const settings = { provider: 'openai-compatible', name: 'fake', baseUrl: model.baseUrl }
    await place.run(['config', 'set', 'model', JSON.stringify(settings)])
  }
  const url = join(repository.folder, 'origin.git')
  const wish = { prompt: 'do all steps', repository: { url, branch: 'main' } }
  const { body } = await client.ask('POST', '/api/tasks', wish)
  const { id, session } = body as ToldTask
  const projects = join(repository.folder, 'projects')
  mkdirSync(join(projects, 'tasks'), { recursive: true })
  const start = (at: number): ChildProcess =>
    (at % 2 === 0 ? one : other).start(
      // A step kills its worker from within, which the sandbox would not let it.
      ['worker', '--projects', projects, '--agent', 'model', '--allow-all', '--sandbox', 'off'],
      { env: { REPRISE_AGENT: 'model' } },
    )
  for (let at = 0; at < kills; at += 1) {
    const worker = start(at)
    const before = (await taskUntil(client, id, ({ attempts }) => attempts > at)).attempts
    assert.equal(before, at + 1)
    const gone = once(worker, 'exit', { signal: AbortSignal.timeout(DEADLINE_MS) })
    // Either right behind what a step does, before anything more is written, or at any time.
    if (random() < 0.5) writeFileSync(join(projects, 'tasks', 'sharp'), '')
    else {
      await sleep(600 + random() * 1500)
      worker.kill('SIGKILL')
    }
    await gone
  }
  const last = start(kills)
  try {
    const task = await taskUntil(
      client,
      id,
      ({ state }) => state !== 'running' && state !== 'queued',
    )
    assert.equal(task.state, 'done', task.reason ?? '')
    const added = (task.result?.diff ?? '').match(/^\+step-\d+$/gm)
    assert.deepEqual(
      added,
      Array.from({ length: steps }, (_, at) => `+step-${at + 1}`),
    )
    const { body: log } = await client.ask('GET', `/api/sessions/${session}`)
    const { stream } = log as { stream: string }
    const events = (await client.ask('GET', `${stream}?offset=-1`)).body as {
      type: string
      data: { source?: string }
    }[]
    const prompts = events.filter(
      ({ type, data }) => type === 'user.message' && data.source === `task-${id}`,
    )
    assert.equal(prompts.length, 1, 'it was asked once')
    return task.attempts
  } finally {
    last.kill()
    await once(last, 'exit')
  }
}
