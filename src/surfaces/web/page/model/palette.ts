/** What the palette offers for what is typed: places first, then commands of the open session, then sessions. Pure. */
import type { CommandsAnswer } from '../../api.ts'
import type { IconName } from '../view/icon.tsx'
import type { Command } from './keys.ts'
import { hashOf } from './route.ts'

export type Choice = {
  readonly key: string
  readonly icon: IconName
  readonly label: string
  readonly about: string
} & (
  | { readonly kind: 'page'; readonly command: Command; readonly keys?: string }
  | { readonly kind: 'command'; readonly line: string; readonly wantsMore: boolean }
  | { readonly kind: 'session'; readonly hash: string }
)

type Offer = {
  readonly commands: CommandsAnswer['commands']
  readonly sessions: readonly { readonly id: string; readonly title: string }[]
}

const pages: readonly (readonly [Command, IconName, string, string])[] = [
  ['new', 'plus', 'New session', 'n'],
  ['home', 'home', 'Home', 'g g'],
  ['inbox', 'inbox', 'Inbox', 'g i'],
  ['sessions', 'list', 'Sessions', 'g s'],
  ['history', 'history', 'History: search everything', 'g h'],
  ['chronicle', 'chart', 'Chronicle: reports and charts', 'g c'],
  ['board', 'board', 'Board', 'g b'],
  ['sql', 'sql', 'SQL', 'g q'],
  ['trash', 'trash', 'Trash', 'g t'],
  ['review', 'review', 'Review what this session changed', 'r'],
  ['find', 'find', 'Find in this session', 'f'],
  ['help', 'keys', 'Keys', '?'],
]
const ofSession: ReadonlySet<Command> = new Set(['review', 'find'])

export function fitting(query: string, { commands, sessions }: Offer): Choice[] {
  const typed = query.trim().toLowerCase()
  const word = typed.replace(/^\//, '').split(/\s/)[0] ?? ''
  const isCommand = typed.startsWith('/')
  const places = pages
    .filter(([command]) => commands.length > 0 || !ofSession.has(command))
    .filter(([, , label]) => !isCommand && label.toLowerCase().includes(typed))
    .map(([command, icon, label, keys]): Choice => ({
      kind: 'page',
      key: `page ${command}`,
      icon,
      label,
      about: '',
      command,
      keys,
    }))
  const named = commands
    .filter(
      ({ name, aliases, summary }) =>
        [name, ...aliases].some((each) => each.includes(word)) ||
        (!isCommand && summary.toLowerCase().includes(typed)),
    )
    .map(({ name, summary, hint }): Choice => ({
      kind: 'command',
      key: `command ${name}`,
      icon: 'command',
      label: hint === '' ? `/${name}` : `/${name} ${hint}`,
      about: summary,
      line: hint === '' ? `/${name}` : `/${name} `,
      wantsMore: hint !== '' && !hint.startsWith('['),
    }))
  const open = sessions
    .filter(() => !isCommand)
    .map(({ id, title }): Choice => ({
      kind: 'session',
      key: `session ${id}`,
      icon: 'next',
      label: title,
      about: 'session',
      hash: hashOf({ view: 'session', id }),
    }))
  return typed === '' ? [...places, ...open.slice(0, 8), ...named] : [...places, ...named, ...open]
}
