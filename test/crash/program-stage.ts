/**
 * A home and a project in which the built program is run as people start it, whole, and killed at one of the system
 * calls by which it changes something. Every run starts from the same bytes in the same place: a session knows its
 * project by its path.
 */
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { PROGRAM } from '../support/program.ts'
import type { Point } from './crash-points.ts'
import { CALLS, readTrace } from './strace.ts'

export type ProgramStage = {
  readonly folder: string
  readonly home: string
  readonly project: string
}

export type Ended = { readonly code: number | null; readonly stdout: string }

export function openProgramStage(folder: string): ProgramStage {
  const [home, project] = [join(folder, 'live/home'), join(folder, 'live/project')]
  mkdirSync(project, { recursive: true })
  return { folder, home, project }
}

/** What lies there now is what every run starts from. */
export function keepTemplate({ folder }: ProgramStage): void {
  copy(join(folder, 'live'), join(folder, 'template'))
}

/** Must end with one of these codes. What it prints. */
export function run(
  stage: ProgramStage,
  args: readonly string[],
  codes: readonly number[] = [0],
): string {
  const { status, stdout, stderr } = spawnSync(PROGRAM, args, given(stage))
  assert.ok(codes.includes(status ?? -1), `reprise ${args.join(' ')}: ${status} ${String(stderr)}`)
  return String(stdout)
}

/** Runs it from the template, killed at this call when one is given. `code` is null when it was. */
export async function play(
  stage: ProgramStage,
  words: readonly string[],
  point?: Pick<Point, 'name' | 'nth'>,
  output = '/dev/null',
): Promise<Ended> {
  const live = join(stage.folder, 'live')
  rmSync(live, { recursive: true, force: true })
  copy(join(stage.folder, 'template'), live)
  const watch = ['-f', '-y', '-qq', '-s', '4096', '-o', output, '-e', `trace=${CALLS}`]
  const fault = point && ['-e', `inject=${point.name}:signal=KILL:when=${point.nth}`]
  const child = spawn('strace', [...watch, ...(fault ?? []), PROGRAM, ...words], {
    ...given(stage),
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const chunks: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, stdout: Buffer.concat(chunks).toString() }
}

/** The calls by which it changes something below the folder of the stage. */
export async function listProgramPoints(
  stage: ProgramStage,
  words: readonly string[],
  isWanted: (args: string) => boolean = () => true,
): Promise<readonly Point[]> {
  const output = join(stage.folder, 'trace')
  const { code, stdout } = await play(stage, words, undefined, output)
  assert.equal(code, 0, stdout)
  const points = new Map<string, Point>()
  const live = join(stage.folder, 'live')
  for (const { name, nth, args, result } of await readTrace(output)) {
    const isChange = name !== 'openat' || args.includes('O_CREAT')
    const isInside = args.includes(live) || args.includes('/proc/self/fd/')
    if (isChange && isInside && isWanted(args) && (result ?? -1) >= 0)
      points.set(`${name} ${nth}`, { name, nth, path: args.slice(0, 120) })
  }
  return [...points.values()]
}

const given = ({ folder, home, project }: ProgramStage) => ({
  cwd: project,
  env: {
    PATH: process.env.PATH,
    HOME: folder,
    REPRISE_HOME: home,
    REPRISE_AGENT: 'offline',
    NODE_NO_WARNINGS: '1',
    // One thread for what waits for the disk, and no ring: strace counts calls for each thread.
    UV_THREADPOOL_SIZE: '1',
    UV_USE_IO_URING: '0',
  },
})

/** With times, modes and links as they are. */
function copy(from: string, to: string): void {
  const { status, stderr } = spawnSync('cp', ['-a', from, to])
  assert.equal(status, 0, String(stderr))
}
