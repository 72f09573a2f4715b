/**
 * What people do to sessions beside talking, each as the whole command: compact, delete, delete for good, reindex and
 * forget. Killed at any system call, the home has it before or after; said again, the command comes to its end.
 */
import assert from 'node:assert/strict'
import { readFileSync, rmSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Engine } from '../../src/engine/engine.ts'
import type { SessionId } from '../../src/format/ids.ts'
import { lookThrough } from '../forget/look-through.ts'
import { promptsOf } from '../support/engine.ts'
import { dumpStore, type Dump } from '../support/store-dump.ts'
import type { Point } from './crash-points.ts'
import { requireWholeSessions } from './kill-rounds.ts'
import {
  keepTemplate,
  listProgramPoints,
  openProgramStage,
  play,
  run,
  type ProgramStage,
} from './program-stage.ts'
import { bytesOf, exists, requireSurvival, withEngine } from './survivors.ts'

/** Letters and digits, so that an index keeps each in one piece. */
const GONE = 'zq7vanishing4kx'
const STAYS = 'zq7remaining4kx'

export type OperationStage = ProgramStage & {
  readonly id: SessionId
  readonly other: SessionId
  /** The logs of both as they were. */
  readonly log: Buffer
  readonly otherLog: Buffer
}

export type Operation = {
  readonly name: string
  readonly words: (id: SessionId) => readonly string[]
  /** `isDone`: the command ended with success, so everything that it says has happened. */
  readonly check: (stage: OperationStage, found: { readonly isDone: boolean }) => Promise<void>
}

export const programOperations: readonly Operation[] = [
  {
    name: 'compact',
    words: (id) => ['sessions', 'compact', id],
    check: (stage, { isDone }) =>
      withEngine(stage.home, async (engine) => {
        const found = await bytesOf(engine, stage.id)
        assert.ok(found.subarray(0, stage.log.length).equals(stage.log), 'the log was changed')
        const session = await engine.open(stage.id)
        const { checkpoints } = (await session.state()).compaction
        if (isDone) assert.equal(checkpoints.length, 1)
        for (const { number } of checkpoints)
          assert.notEqual(await session.readCheckpoint(number), '')
      }),
  },
  {
    name: 'delete',
    words: (id) => ['sessions', 'delete', id, '--yes'],
    check: (stage, { isDone }) =>
      withEngine(stage.home, async (engine) => {
        const isThere = await exists(engine, stage.id)
        if (isDone) assert.ok(!isThere)
        assert.equal((await engine.trash()).length, isThere ? 0 : 1)
        if (!isThere) await engine.restore(stage.id)
        assert.ok((await bytesOf(engine, stage.id)).equals(stage.log), 'the log was changed')
      }),
  },
  {
    name: 'delete-now',
    words: (id) => ['sessions', 'delete', id, '--now', '--yes'],
    async check(stage, { isDone }) {
      const { home, id, log } = stage
      const isLeft = await withEngine(home, async (engine) => {
        const isThere = await exists(engine, id)
        const trashed = (await engine.trash()).map(({ path }) => path)
        assert.ok(trashed.length + (isThere ? 1 : 0) <= 1)
        // In the trash it is whole: it could be brought back.
        for (const path of trashed) await requireWhole(engine, stage, path)
        if (isThere) assert.ok((await bytesOf(engine, id)).equals(log), 'the log was changed')
        return isThere || trashed.length > 0
      })
      if (isDone) assert.ok(!isLeft)
      if (isLeft) run(stage, ['sessions', 'delete', id, '--now', '--yes'])
      else if (!isDone) run(stage, ['doctor', '--repair'])
      requireGone(stage)
      assert.ok(!(await withEngine(home, (engine) => exists(engine, id))))
    },
  },
  { name: 'reindex', words: () => ['reindex', '--force'], check: async () => {} },
  {
    name: 'forget',
    words: () => ['forget', GONE, '--yes'],
    async check(stage, { isDone }) {
      const { home, id, log } = stage
      const has = (bytes: Uint8Array) => Buffer.from(bytes).includes(GONE)
      await withEngine(home, async (engine) => {
        await (await engine.open(id)).close()
        const found = await bytesOf(engine, id)
        // It stands there as before or nowhere; nothing moved.
        if (has(found)) assert.ok(found.subarray(0, log.length).equals(log), 'the log is half')
        assert.equal(found.subarray(0, log.length).length, log.length)
        if (isDone) assert.ok(!has(found))
      })
      if (!isDone) {
        // Said again; where the logs have it no more the code is that of a text that stands nowhere.
        run(stage, ['forget', GONE, '--yes'], [0, 3])
      }
      requireGone(stage)
      await withEngine(home, async (engine) =>
        assert.equal((await promptsOf(engine, id)).length, 2, 'a turn is missing'),
      )
    },
  },
]

export function openOperationStage(folder: string): OperationStage {
  const stage = openProgramStage(folder)
  const [id, other] = [crypto.randomUUID() as SessionId, crypto.randomUUID() as SessionId]
  const say = (session: SessionId, prompt: string) =>
    run(stage, ['--resume', session, '--allow-all', '-p', prompt])
  say(other, `run echo ${STAYS}; echo ${STAYS} > stays.txt`)
  say(id, `run echo ${GONE}; seq 3000 | sed s/^/${GONE}/`)
  say(id, `write gone.txt: ${GONE}`)
  say(id, `run echo ${GONE} > gone.txt`)
  run(stage, ['sessions', 'undo', id, '--files'])
  // The project itself is not where it must go from.
  rmSync(join(stage.project, 'gone.txt'), { force: true })
  assert.notDeepEqual(lookThrough([stage.home], GONE), [])
  keepTemplate(stage)
  const logOf = (session: SessionId) =>
    readFileSync(join(stage.home, 'session-state', session, 'events.jsonl'))
  return { ...stage, id, other, log: logOf(id), otherLog: logOf(other) }
}

export const listOperationPoints = (
  stage: OperationStage,
  { words }: Operation,
): Promise<readonly Point[]> => listProgramPoints(stage, words(stage.id))

export async function killOperationAt(
  stage: OperationStage,
  operation: Operation,
  point: Point,
): Promise<void> {
  const { home, id, other, otherLog } = stage
  const { code, stdout } = await play(stage, operation.words(id), point)
  try {
    await operation.check(stage, { isDone: code === 0 })
    await withEngine(home, async (engine) => {
      const found = await bytesOf(engine, other)
      assert.ok(found.subarray(0, otherLog.length).equals(otherLog), 'another session was changed')
    })
    requireIndex(stage)
    assert.notDeepEqual(lookThrough([home], STAYS), [])
    await requireWholeSessions(home)
    await requireSurvival(home, other, [])
  } catch (cause) {
    throw new Error(`${operation.name}, killed at ${point.name} ${point.nth}: ${stdout}`, { cause })
  }
}

/** The index says what one says that is made anew. */
function requireIndex(stage: OperationStage): void {
  const dump = (): Dump => {
    run(stage, ['reindex'])
    return dumpStore(join(stage.home, 'session-store.db'))
  }
  const found = dump()
  removeStore(stage.home)
  assert.deepEqual(found, dump(), 'the index is not that of the logs')
}

function requireGone({ home }: OperationStage): void {
  assert.deepEqual(lookThrough([home], GONE), [])
}

async function requireWhole(engine: Engine, { log }: OperationStage, path: string): Promise<void> {
  const bytes = await engine.fs.read(`${path}/events.jsonl`)
  assert.ok(bytes !== undefined && Buffer.from(bytes).equals(log), `${path} is half`)
  assert.ok(existsSync(join(engine.fs.nativePath(path), '.reprise/rewound')), `${path} is half`)
}

function removeStore(home: string): void {
  for (const end of ['', '-wal', '-shm', '-journal'])
    rmSync(join(home, `session-store.db${end}`), { force: true })
}
