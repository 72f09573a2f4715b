/** /board: its entries and what sessions propose, to be read, accepted, dismissed and removed. */
import { board, boardAccept, boardDismiss, boardRemove } from '../../../commands/board.ts'
import { counted } from '../../../lib/quantities.ts'
import type { BoardEntry } from '../../../store/board-file.ts'
import type { Proposal } from '../../../store/proposals.ts'
import type { Choice, CommandHost } from './command.ts'
import { resultOf, tellResult } from './show-result.ts'

type Shown = {
  readonly repository: string
  readonly entries: readonly BoardEntry[]
  readonly proposals: readonly Proposal[]
}

type Row =
  | { readonly kind: 'entry'; readonly entry: BoardEntry }
  | { readonly kind: 'proposal'; readonly entry: Proposal }

export async function boardView(host: CommandHost, shown: Shown): Promise<void> {
  const { repository, entries, proposals } = shown
  const rows: Choice<Row>[] = [
    ...proposals.map((entry) => ({
      label: `? ${entry.name}`,
      detail: 'proposed',
      value: { kind: 'proposal', entry } as const,
    })),
    ...entries.map((entry) => ({
      label: entry.name,
      detail: `by ${entry.src} · read ${counted(entry.readCount, 'time')}`,
      value: { kind: 'entry', entry } as const,
    })),
  ]
  if (rows.length === 0) return tellResult(host, board, shown)
  const chosen = await host.chooseDeed(
    `Board of ${repository}`,
    rows,
    [
      ['enter', 'reads'],
      ['a', 'accepts a proposal'],
      ['d', 'removes or dismisses'],
    ],
    async ({ entry }) => entry.content.split('\n'),
  )
  if (chosen === undefined) return
  const { entry } = chosen.value
  if (chosen.deed === 'enter')
    return host.page(entry.name, [entry.description, entry.content].filter(Boolean).join('\n\n'))
  await change(host, chosen.deed, chosen.value)
  await boardView(host, await resultOf(host, board, {}))
}

async function change(host: CommandHost, deed: string, { kind, entry }: Row): Promise<void> {
  if (kind === 'entry') {
    if (deed !== 'd') return host.say(`"${entry.name}" is on the board already.`, 'faint')
    const title = entry.name
    return tellResult(host, boardRemove, await resultOf(host, boardRemove, { title }))
  }
  const proposals = [entry.id]
  if (deed === 'a')
    return tellResult(host, boardAccept, await resultOf(host, boardAccept, { proposals }))
  tellResult(host, boardDismiss, await resultOf(host, boardDismiss, { proposals }))
}
