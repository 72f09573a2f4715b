/** Where workspace.yaml says something else than the log, or what it cannot mean. Names that people chose are not judged. */
import type { SessionId } from '../format/ids.ts'
import type { WorkspaceFile } from '../format/workspace-file.ts'
import { remoteKey } from '../lib/git-remote.ts'

type Known = {
  readonly id: SessionId
  readonly project: {
    readonly cwd?: string
    readonly gitRoot?: string
    readonly repository?: string
    readonly hostType?: string
    readonly branch?: string
  }
  readonly checkpoints: number
  readonly startTime: string | undefined
}

/** Keys whose values contradict the log, with what it says. */
export function contradictions(file: WorkspaceFile, known: Known): readonly string[] {
  const { project } = known
  const facts: readonly (readonly [string, unknown, unknown])[] = [
    ['id', file.id, known.id],
    ...(project.cwd === undefined
      ? []
      : ([
          ['cwd', file.cwd, project.cwd],
          ['git_root', file.git_root, project.gitRoot],
          [
            'repository',
            repositoryOf(file.repository, file.host_type),
            repositoryOf(project.repository, project.hostType),
          ],
          ['branch', file.branch, project.branch],
        ] as const)),
    ['summary_count', file.summary_count ?? 0, known.checkpoints],
  ]
  const wrong = facts.flatMap(([key, value, fact]) =>
    value === fact ? [] : [`${key} is ${shown(value)}, in the log ${shown(fact)}`],
  )
  const { fork_count: forks = 0, created_at: createdAt, updated_at: updatedAt } = file
  if (forks < 0) wrong.push(`fork_count is ${forks}`)
  for (const [key, value] of Object.entries({ created_at: createdAt, updated_at: updatedAt }))
    if (value !== undefined && !isTime(value)) wrong.push(`${key} is ${shown(value)}`)
  if (known.startTime !== undefined && !isNear(createdAt ?? '', known.startTime))
    wrong.push(`created_at is ${shown(createdAt)}, in the log ${shown(known.startTime)}`)
  return wrong
}

const repositoryOf = (name: string | undefined, host: string | undefined): string | undefined =>
  name === undefined ? undefined : remoteKey(name, host)

const isTime = (text: string): boolean =>
  /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)$/.test(text) && !Number.isNaN(Date.parse(text))

/** The folder is made around the first event, and a fork copies for a while. */
const isNear = (one: string, other: string): boolean =>
  Math.abs(Date.parse(one) - Date.parse(other)) < NEAR_MS

const NEAR_MS = 600_000

const shown = (value: unknown): string =>
  value === undefined ? 'absent' : JSON.stringify(value).slice(0, 100)
