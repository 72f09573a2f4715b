/** Lists the system calls by which an operation changes a home, and cuts it short at one of them. */
import assert from 'node:assert/strict'
import { cp, mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { SessionId } from '../../src/format/ids.ts'
import { requireWholeSessions } from './kill-rounds.ts'
import type { Scenario } from './scenarios.ts'
import { startWriter } from './start-writer.ts'
import { attach, readTrace, type Call } from './strace.ts'
import { acknowledgedBy, bytesOf, requireSurvival, withEngine } from './survivors.ts'

/** The nth call of this name in its thread. */
export type Point = { readonly name: string; readonly nth: number; readonly path: string }

export type Stage = {
  readonly scenario: Scenario
  readonly id: SessionId
  readonly folder: string
  readonly template: string
  readonly before: Buffer
}

export type Played = {
  readonly home: string
  readonly lines: readonly string[]
  readonly calls: readonly Call[]
  readonly wasKilled: boolean
}

/** Prepares a home that every run of the operation starts from. */
export async function openStage(scenario: Scenario, folder: string): Promise<Stage> {
  const id = crypto.randomUUID() as SessionId
  const template = join(folder, `${scenario.operation}-template`)
  await mkdir(template)
  const before = await withEngine(template, async (engine) => {
    await scenario.prepare(engine, id)
    await engine.stop()
    const isThere = (await engine.list()).length > 0
    if (isThere) return bytesOf(engine, id)
    const [trashed] = await engine.trash()
    return Buffer.from((trashed && (await engine.fs.read(`${trashed.path}/events.jsonl`))) ?? [])
  })
  return { scenario, id, folder, template, before }
}

/** Runs the operation on a fresh copy, with faults as strace spells them. */
export async function play(
  stage: Stage,
  faults: readonly string[],
  check: (played: Played) => Promise<void>,
): Promise<void> {
  const home = join(stage.folder, `${stage.scenario.operation}-${crypto.randomUUID()}`)
  const output = `${home}.trace`
  try {
    await cp(stage.template, home, { recursive: true })
    await using writer = startWriter(home, 'once', stage.id, [stage.scenario.operation])
    await writer.line('ready')
    const tracing = await attach(writer.pid, output, faults)
    writer.begin()
    const { signal } = await writer.ended()
    await tracing.ended
    const calls = await readTrace(output)
    await check({ home, lines: writer.lines, calls, wasKilled: signal === 'SIGKILL' })
  } finally {
    await rm(home, { recursive: true, force: true })
    await rm(output, { force: true })
  }
}

export async function listPoints(stage: Stage): Promise<readonly Point[]> {
  const points = new Map<string, Point>()
  await play(stage, [], async ({ home, lines, calls }) => {
    assert.match(lines.at(-1) ?? '', /^done /)
    for (const call of calls) {
      const path = changedPath(call, home)
      if (path !== undefined)
        points.set(`${call.name} ${call.nth}`, { name: call.name, nth: call.nth, path })
    }
  })
  return [...points.values()]
}

/** What a call changes below the home; undefined when it changes nothing there. */
function changedPath({ name, args, result }: Call, home: string): string | undefined {
  const at = args.indexOf(home)
  if (at === -1 || result === undefined || result < 0) return undefined
  if (name === 'openat' && !args.includes('O_CREAT')) return undefined
  return /^[^">]*/.exec(args.slice(at + home.length))?.[0]
}

export async function killAt(stage: Stage, { name, nth }: Point): Promise<void> {
  const { scenario, id, before } = stage
  await play(stage, [`${name}:signal=KILL:when=${nth}`], async ({ home, lines, wasKilled }) => {
    assert.ok(wasKilled, 'the operation did not come to this call')
    assert.deepEqual(
      lines.filter((line) => line.startsWith('failed')),
      [],
    )
    const isDone = lines.some((line) => line.startsWith('done '))
    await scenario.check({ home, id, before, isDone })
    await requireSurvival(home, id, acknowledgedBy(lines))
    await requireWholeSessions(home)
  })
}
