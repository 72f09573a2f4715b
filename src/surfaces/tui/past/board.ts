/** /board: what new sessions of this project are told, what sessions propose for it, and changing both. */
import { defined } from '../../../lib/defined.ts'
import type { BoardEntry } from '../../../store/board-file.ts'
import type { Board } from '../../../store/board.ts'
import type { Proposal } from '../../../store/proposals.ts'
import { counted } from '../commands/command.ts'
import type { Choice, CommandHost } from '../commands/command.ts'

type Scope = { readonly repository: string; readonly branch?: string }

export const boardWords: readonly (readonly [string, string])[] = [
  ['add', 'keep something: /board add title: what to know'],
  ['remove', 'take an entry off, by its title'],
]

export async function board(host: CommandHost, rest: string): Promise<void> {
  const [word = '', ...more] = rest.split(/\s+/).filter(Boolean)
  const scope = await scopeOf(host)
  const kept = await host.past.board()
  if (word === 'add') return add(host, kept, scope, more.join(' '))
  if (word === 'remove') return remove(host, kept, scope, more.join(' '))
  if (word !== '') return host.say(`/board knows add and remove; not "${word}".`, 'bad')
  await look(host, kept, scope)
}

/** A project without a remote has a board by its place. */
async function scopeOf(host: CommandHost): Promise<Scope> {
  const { repository, gitRoot, cwd, branch } = await host.engine.project(host.cwd)
  return { repository: repository ?? gitRoot ?? cwd, ...defined({ branch }) }
}

type Row =
  | { readonly kind: 'entry'; readonly entry: BoardEntry }
  | { readonly kind: 'proposal'; readonly entry: Proposal }

async function look(host: CommandHost, kept: Board, scope: Scope): Promise<void> {
  const [entries, proposals] = await Promise.all([kept.list(scope), kept.proposals(scope)])
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
  if (rows.length === 0)
    return host.say('The board is empty. /board add title: what to know', 'faint')
  const chosen = await host.chooseDeed(
    `Board of ${scope.repository}`,
    rows,
    [
      ['enter', 'reads'],
      ['a', 'accepts a proposal'],
      ['d', 'removes or dismisses'],
    ],
    async ({ entry }) => entry.content.split('\n'),
  )
  if (chosen !== undefined) await act(host, kept, scope, chosen)
}

async function act(
  host: CommandHost,
  kept: Board,
  scope: Scope,
  { deed, value: { kind, entry } }: { readonly deed: string; readonly value: Row },
): Promise<void> {
  if (deed === 'enter')
    return host.page(entry.name, [entry.description, entry.content].filter(Boolean).join('\n\n'))
  if (kind === 'entry') {
    if (deed !== 'd') return host.say(`"${entry.name}" is on the board already.`, 'faint')
    await kept.remove(entry.name, scope)
    host.say(`Removed: "${entry.name}".`, 'good')
  } else if (deed === 'a') {
    await kept.accept([entry.id])
    host.say(`On the board: "${entry.name}".`, 'good')
  } else {
    await kept.dismiss([entry.id])
    host.say(`Dismissed: "${entry.name}". It is not proposed again.`, 'good')
  }
  await look(host, kept, scope)
}

async function add(host: CommandHost, kept: Board, scope: Scope, given: string): Promise<void> {
  const text = given === '' ? await host.ask('title: what to know') : given
  if (text === undefined || text.trim() === '') return
  const [, name = '', content = ''] = /^([^:]+):\s*([^]+)$/.exec(text) ?? []
  if (name === '') return host.say('An entry is a title, a colon and what to know.', 'bad')
  const { repository } = scope
  await kept.add({ repository, src: 'person', name: name.trim(), content })
  host.say(`On the board: "${name.trim()}".`, 'good')
}

async function remove(host: CommandHost, kept: Board, scope: Scope, name: string): Promise<void> {
  const removed = await kept.remove(name, scope)
  if (removed.length === 0) return host.say(`No entry of the board is named "${name}".`, 'bad')
  host.say(`Removed: "${name}".`, 'good')
}
