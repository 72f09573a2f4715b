/**
 * The homes that are measured, made once under the system's temporary folder and used again as long as they
 * are complete. Cases that change a session work on a copy of it.
 */
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  rmSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SessionId } from '../src/format/ids.ts'
import { printWorkspaceFile } from '../src/format/workspace-file.ts'
import { historyLines, seededBy, type Project, type Seeded, type Shape } from './history.ts'

export type Homes = {
  readonly root: string
  /** 1,000 and 10,000 sessions of 19 events. */
  readonly s1k: string
  readonly s10k: string
  /** So many of them; made when a case asks for it. */
  readonly many: (count: number) => string
  /** One session of 100,000 events, about 100 MB. */
  readonly big: OneSession
  /** One session of 1 GiB, when it was asked for. */
  readonly huge: OneSession | undefined
}

export type OneSession = {
  readonly home: string
  readonly id: SessionId
  readonly log: string
  readonly turns: number
}

const SMALL: Shape = { turns: 2, toolOutput: 900, speech: 170 }
const LARGE: Shape = { turns: 11_111, toolOutput: 4600, speech: 500 }
const HUGE: Shape = { ...LARGE, turns: 112_000 }

export function prepareHomes({ huge }: { huge: boolean }): Homes {
  const root = join(tmpdir(), 'reprise-bench-v1')
  return {
    root,
    s1k: once(root, 's1k', (home) => writeSmall(home, 1000)),
    s10k: once(root, 's10k', (home) => writeSmall(home, 10_000)),
    many: (count) => once(root, `s${count / 1000}k`, (home) => writeSmall(home, count)),
    big: single(root, 'big', LARGE),
    huge: huge ? single(root, 'huge', HUGE) : undefined,
  }
}

/** A home counts only with the mark that is written after all of it. */
function once(root: string, name: string, write: (home: string) => void): string {
  const home = join(root, name)
  const mark = join(root, `${name}.complete`)
  if (existsSync(mark)) return home
  rmSync(home, { recursive: true, force: true })
  mkdirSync(home, { recursive: true, mode: 0o700 })
  write(home)
  writeFileSync(mark, '')
  return home
}

function single(root: string, name: string, shape: Shape): OneSession {
  const id = seededBy(shape.turns).uuid() as SessionId
  const home = once(root, name, (home) => {
    const seeded = seededBy(shape.turns)
    writeSession(home, seeded, seeded.uuid() as SessionId, shape, 0)
  })
  return { home, id, log: logOf(home, id), turns: shape.turns }
}

function writeSmall(home: string, count: number): void {
  const seeded = seededBy(count)
  for (let index = 0; index < count; index++) {
    writeSession(home, seeded, seeded.uuid() as SessionId, SMALL, index)
  }
}

const sessionFolder = (home: string, id: SessionId): string => join(home, 'session-state', id)

export const logOf = (home: string, id: SessionId): string =>
  join(sessionFolder(home, id), 'events.jsonl')

function writeSession(
  home: string,
  seeded: Seeded,
  id: SessionId,
  shape: Shape,
  index: number,
): void {
  const folder = sessionFolder(home, id)
  const project = projectOf(seeded)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  writeLines(join(folder, 'events.jsonl'), historyLines(seeded, id, project, shape))
  // Spread over a year: a list of sessions that were all written now is not what anybody has.
  const seconds = Date.UTC(2026, 5, 1) / 1000 - index * 3153 - seeded.below(3000) - 0.25
  const at = new Date(seconds * 1000).toISOString()
  writeFileSync(
    join(folder, 'workspace.yaml'),
    printWorkspaceFile({
      id,
      cwd: project.cwd,
      git_root: project.cwd,
      repository: project.repository,
      host_type: 'github',
      branch: project.branch,
      client_name: 'reprise',
      name: `${NAMES[index % NAMES.length]} ${index}`,
      user_named: index % 5 === 0,
      summary_count: 0,
      created_at: at,
      updated_at: at,
    }),
    { mode: 0o600 },
  )
  utimesSync(join(folder, 'events.jsonl'), seconds, seconds)
  utimesSync(folder, seconds, seconds)
}

const NAMES = ['Fix the flaky test', 'Rename: ports', 'Why is it slow?', 'Release notes', 'größer']

function projectOf(seeded: Seeded): Project {
  const repository = `owner-${seeded.below(8)}/project-${seeded.below(60)}`
  return {
    repository,
    cwd: `/home/dev/${repository}`,
    branch: seeded.below(3) === 0 ? `feature/${seeded.below(500)}` : 'main',
  }
}

const BLOCK_CHARACTERS = 1 << 20

function writeLines(path: string, lines: Iterable<string>): void {
  const file = openSync(path, 'w', 0o600)
  try {
    let block = ''
    for (const line of lines) {
      block += line
      if (block.length < BLOCK_CHARACTERS) continue
      writeSync(file, block)
      block = ''
    }
    writeSync(file, block)
    // Pages that still have to be written would be paid for by the first measured sync.
    if (block.length > BLOCK_CHARACTERS / 8) fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
