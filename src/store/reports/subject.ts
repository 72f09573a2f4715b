/** Which project a report is about. Instructions belong to one project: the one that this is, unless another is named. */
import type { ReportOptions } from './chronicle.ts'
import type { ReportKind } from './report.ts'

type Here = {
  readonly cwd: string
  readonly gitRoot?: string | undefined
  readonly repository?: string | undefined
}

export function subjectOf(
  kind: ReportKind,
  { repository, gitRoot, cwd }: Here,
  named?: string,
): Pick<ReportOptions, 'repository' | 'root'> {
  if (kind !== 'improve') return named === undefined ? {} : { repository: named }
  const root = gitRoot ?? cwd
  const here = repository ?? root
  const isHere =
    named === undefined || here === named || here.toLowerCase().endsWith(`/${named.toLowerCase()}`)
  return { repository: named ?? here, ...(isHere && { root }) }
}
