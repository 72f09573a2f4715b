/**
 * Undo and redo with files as the whole operation that people start: the built program, killed at one of the system
 * calls by which it changes the home or the project. Whoever comes next must find before or after, log and files alike.
 */
import assert from 'node:assert/strict'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createEngine, type Engine } from '../../src/engine/engine.ts'
import type { SessionId } from '../../src/format/ids.ts'
import { openDisk } from '../../src/fs/disk.ts'
import { promptsOf, scripted } from '../support/engine.ts'
import { treeOf } from '../support/sample-project.ts'
import type { Point } from './crash-points.ts'
import {
  keepTemplate,
  listProgramPoints,
  openProgramStage,
  play,
  run,
  type ProgramStage,
} from './program-stage.ts'

export type Operation = 'undo' | 'redo'

type Tree = Record<string, string>

export type UndoStage = ProgramStage & {
  readonly operation: Operation
  readonly id: SessionId
  /** The files of the project after the last turn, and before it. */
  readonly done: Tree
  readonly undone: Tree
  readonly prompts: readonly string[]
  /** What somebody does to the project after the kill; their work stays. */
  readonly meanwhile?: (project: string) => string | undefined
}

/** What the last turn does, in a shell: every kind of change. */
export const FIVE = {
  before: 'echo 1 > edited; echo 1 > deleted; echo 1 > run; ln -s edited link; echo plan',
  change:
    'echo 2 > edited; rm deleted; chmod 755 run; ln -sfn run link; echo 2 > created; mkdir -p new/deep; echo 2 > new/deep/file',
}

export const FOLDERS = {
  before:
    'mkdir -p old/deep into; echo 1 > old/deep/file; echo 1 > turned; echo 1 > into/file; chmod 750 old',
  change:
    'rm -r old turned into; mkdir turned; echo 2 > turned/inside; echo 2 > into; mkdir -p a/b/c; chmod 700 a/b; echo 2 > a/b/c/d',
}

export const MANY = {
  before: 'for i in $(seq 100); do echo $i > kept$i; done',
  change:
    'for i in $(seq 100); do echo x > kept$i; echo $i > a$i; mkdir -p d$((i%7)); echo $i > d$((i%7))/$i; done',
}

export async function openUndoStage(
  folder: string,
  operation: Operation,
  { before, change }: typeof FIVE,
  meanwhile?: UndoStage['meanwhile'],
): Promise<UndoStage> {
  const stage = openProgramStage(folder)
  const { project } = stage
  const id = crypto.randomUUID() as SessionId
  const prompts = ['run true', `run ${before}`, `run ${change}`]
  for (const prompt of prompts.slice(0, 2))
    run(stage, ['--resume', id, '--allow-all', '-p', prompt])
  const undone = treeOf(project)
  run(stage, ['--resume', id, '--allow-all', '-p', `run ${change}`])
  const done = treeOf(project)
  assert.notDeepEqual(done, undone)
  if (operation === 'redo') run(stage, ['sessions', 'undo', id, '--files'])
  keepTemplate(stage)
  return { ...stage, operation, id, done, undone, prompts, ...(meanwhile && { meanwhile }) }
}

/** The index of the home is derived, and has its own tests. */
export const listUndoPoints = (stage: UndoStage): Promise<readonly Point[]> =>
  listProgramPoints(stage, wordsOf(stage), (args) => !args.includes('session-store.db'))

const wordsOf = ({ operation, id }: UndoStage): readonly string[] => [
  'sessions',
  operation,
  id,
  ...(operation === 'undo' ? ['--files'] : []),
]

/** Killed there, then settled by `who`: whoever opens the session next, or the doctor. */
export async function killUndoAt(
  stage: UndoStage,
  point: Point,
  who: 'doctor' | 'next',
): Promise<void> {
  await play(stage, wordsOf(stage), point)
  const made = stage.meanwhile?.(stage.project)
  const engine = open(stage)
  try {
    if (who === 'doctor') {
      await engine.mend(stage.id)
      assert.deepEqual((await engine.doctor(stage.id)).ailments.filter(isIll), [])
      await requireEither(stage, engine, made)
    }
    const session = await engine.open(stage.id)
    // Where the undo had not happened there is nothing to redo; asking settles it all the same.
    await session.redo().catch((error: Error) => assert.match(error.message, /nothing to redo/i))
    await require(stage, engine, 'done', made)
    const undone = await session.undo()
    assert.deepEqual(
      undone.skippedFiles.filter(({ path }) => !isMade(path, made)),
      [],
    )
    await require(stage, engine, 'undone', made)
    const redone = await session.redo()
    assert.deepEqual(
      redone.skippedFiles.filter(({ path }) => !isMade(path, made)),
      [],
    )
    await require(stage, engine, 'done', made)
  } finally {
    await engine.stop()
  }
}

const isIll = ({ severity }: { severity: string }): boolean => severity !== 'note'
const isMade = (path: string, made: string | undefined): boolean =>
  made !== undefined && path.endsWith(made)

function open({ home, project }: UndoStage): Engine {
  return createEngine({ cwd: project, fs: openDisk(home), agent: scripted(), trackFiles: true })
}

async function requireEither(stage: UndoStage, engine: Engine, made?: string): Promise<void> {
  const isDone = (await promptsOf(engine, stage.id)).length === stage.prompts.length
  await require(stage, engine, isDone ? 'done' : 'undone', made)
}

async function require(
  stage: UndoStage,
  engine: Engine,
  which: 'done' | 'undone',
  made?: string,
): Promise<void> {
  const turns = which === 'done' ? stage.prompts : stage.prompts.slice(0, -1)
  assert.deepEqual(await promptsOf(engine, stage.id), turns)
  assert.deepEqual(without(treeOf(stage.project), made), without(stage[which], made), which)
  const files = join(stage.home, 'session-state', stage.id, '.reprise/files')
  assert.ok(!existsSync(join(files, 'restore.json')), 'the intent stays')
  assert.deepEqual(
    readdirSync(files).filter((name) => name.startsWith('restore')),
    [],
  )
}

const without = (tree: Tree, made: string | undefined): Tree =>
  Object.fromEntries(Object.entries(tree).filter(([path]) => path !== made))

/** A file that the user makes where the killed restore had taken one away. */
export function makeAnew(project: string): string | undefined {
  const path = join(project, 'edited')
  if (existsSync(path)) return undefined
  writeFileSync(path, 'by hand\n')
  return 'edited'
}
