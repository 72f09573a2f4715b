/** /tree: the forks as a list, and below this session what was taken back in it. One opens, or becomes a fork. */
import { aboutBranch, fork, tree } from '../../../commands/fork.ts'
import type { RewoundBranch } from '../../../engine/history/rewound-branches.ts'
import type { SessionId } from '../../../format/ids.ts'
import { ago } from '../../../lib/quantities.ts'
import type { Choice, CommandHost } from './command.ts'
import { runShown, tellResult } from './show-result.ts'

type Tree = Awaited<ReturnType<typeof tree.run>>
type Target = { readonly session: SessionId } | { readonly branch: RewoundBranch }

export async function treeView(host: CommandHost, result: Tree): Promise<void> {
  const { rows, here, rewound } = result
  if (rows.length < 2 && rewound.length === 0) return tellResult(host, tree, result)
  const chosen = await host.choose(
    'Forks, and what was taken back',
    rows.flatMap((row) => {
      const own = sessionChoice(host, row, here)
      if (row.sessionId !== here) return [own]
      return [own, ...rewound.map((branch) => branchChoice(host, branch, row.depth + 1))]
    }),
  )
  if (chosen === undefined) return
  if ('branch' in chosen) return runShown(host, fork, { rewound: chosen.branch.number })
  if (chosen.session !== here) await host.open(chosen.session)
}

function sessionChoice(
  host: CommandHost,
  { sessionId, depth, title, modifiedAt }: Tree['rows'][number],
  here: SessionId,
): Choice<Target> {
  return {
    label: `${indented(depth)}${title}${sessionId === here ? ' ← here' : ''}`,
    detail: `${sessionId.slice(0, 8)} · ${ago(modifiedAt, host.now())}`,
    value: { session: sessionId },
  }
}

const branchChoice = (host: CommandHost, branch: RewoundBranch, depth: number): Choice<Target> => ({
  label: `${indented(depth)}↶ ${branch.prompt}`,
  detail: `${aboutBranch(branch, host.now())} · enter opens it as a fork`,
  value: { branch },
})

const indented = (depth: number): string => `${'  '.repeat(depth)}${depth === 0 ? '' : '└ '}`
