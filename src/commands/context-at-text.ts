/** What the model was given in a turn, in words: sums, then each thing with its id, then what is no longer given. */
import type { ContextAt } from '../engine/history/context-at.ts'
import type { ContextItemWords } from '../engine/history/context-item.ts'
import { amount, counted } from '../lib/quantities.ts'
import { safeText } from '../lib/safe-text.ts'
import type { ContextItem } from '../state/context-items.ts'
import type { ModelMessage } from '../state/model-context.ts'
import { preview } from '../state/preview.ts'
import type { Wording } from './command.ts'
import { bars } from './context-text.ts'
import { code, fenced, plain } from './markdown.ts'

/** Of each list the latest: more is shown with everything. */
const MOST_GIVEN = 60
const MOST_DROPPED = 20
const LONGEST_LINE = 58

export function contextAtText(at: ContextAt, wording: Wording): string {
  const isGiven = ({ status }: ContextItem) => status === 'given'
  const given = at.items.filter(isGiven)
  const gone = at.items.filter((item) => !isGiven(item))
  return [
    `**${plain(headline(at))}**`,
    ...origin(at),
    fenced(bars(at.kinds, at.total).join('\n')),
    ...listed('What was said', given, at.whole ? Infinity : MOST_GIVEN, 0),
    ...listed('Not given', gone, at.whole ? Infinity : MOST_DROPPED, at.notShown),
    toolsLine(at),
    ...(at.whole === undefined ? [] : wholeTexts(at.whole)),
    closing(wording),
  ].join('\n\n')
}

function headline({ turn, turns, call, own, total }: ContextAt): string {
  const tokens = `about ${amount(total)} tokens`
  if (turn === undefined) return `With the next message the model is given ${tokens}`
  if (call === undefined) return `Turn ${turn} of ${turns}: nobody answered in it`
  if (own !== undefined) return `Turn ${turn} of ${turns}: ${own.agent ?? 'an agent'} answered`
  const who = call.model ?? 'the model'
  const counts = call.inputTokens === undefined ? '' : `; it counted ${amount(call.inputTokens)}`
  return `Turn ${turn} of ${turns}, call ${call.number} of ${call.of}: ${who} was given ${tokens}${counts}`
}

/** How far it is known that this is what was sent. */
function origin({ call, own }: ContextAt): readonly string[] {
  if (own?.agent === 'offline') return ['No model was asked: the offline agent answered.']
  if (own !== undefined) {
    const who = own.agent === undefined ? 'The program that recorded this turn' : plain(own.agent)
    return [
      `${who} keeps a context of its own: what its model was given is not recorded. This is what Reprise has of the conversation, and would give it to an agent that has forgotten it.`,
      ...own.notes.map(plain),
    ]
  }
  return call?.requestSha256 === undefined ? [] : [`Request ${code(call.requestSha256)}.`]
}

function listed(
  title: string,
  items: readonly ContextItem[],
  most: number,
  more: number,
): readonly string[] {
  const before = Math.max(0, items.length - most) + more
  if (items.length === 0) return []
  const rows = items.slice(-Math.min(most, items.length)).map(itemLine)
  const hidden = before === 0 ? [] : [`… ${counted(before, 'earlier one')}`]
  return [`**${title}**`, fenced([HEAD, ...hidden, ...rows].join('\n'))]
}

const HEAD = `turn  tokens  ${'id'.padEnd(10)}kind`

function itemLine({ eventId, kind, what, tokens, turn, status }: ContextItem): string {
  const why = status === 'given' ? '' : `${WHY[status]}: `
  return [
    String(turn).padStart(4),
    amount(tokens).padStart(8),
    `  ${eventId.slice(0, 8)}  `,
    kind.padEnd(9),
    preview(safeText(`${why}${what}`), LONGEST_LINE),
  ].join('')
}

const WHY = {
  omitted: 'left out',
  compacted: 'compacted',
  cleared: 'cleared',
  'too long': 'too long ago',
} as const satisfies Record<Exclude<ContextItem['status'], 'given'>, string>

const toolsLine = ({ tools, turn }: ContextAt): string =>
  tools === undefined
    ? `Which tools the model ${turn === undefined ? 'has is not known' : 'was told of is not recorded'}.`
    : `**${counted(tools.length, 'tool')}**: ${tools.map(plain).join(', ')}`

function wholeTexts({ system, messages, tools }: NonNullable<ContextAt['whole']>) {
  return [
    '**System prompt**',
    system === undefined ? 'None is recorded.' : fenced(safeText(system)),
    ...messages.flatMap((message) => [
      `**${roleOf(message)}**`,
      fenced(safeText(wordsOf(message))),
    ]),
    ...tools.flatMap(({ name, text }) => [
      `**Tool ${plain(name)}**`,
      fenced(safeText(text), 'json'),
    ]),
  ]
}

const roleOf = (message: ModelMessage): string =>
  message.role === 'tool' ? `Result of ${plain(message.toolName)}` : ROLES[message.role]

const ROLES = { user: 'User', assistant: 'Model' } as const

const wordsOf = (message: ModelMessage): string =>
  [
    message.content,
    ...(message.role === 'assistant' ? (message.toolCalls ?? []) : []).map(
      ({ name, arguments: given }) => `→ ${name} ${JSON.stringify(given)}`,
    ),
    ...(message.role === 'assistant' ? [] : (message.attachments ?? [])).map(
      (each) => `[attached: ${'displayName' in each ? each.displayName : each.type}]`,
    ),
  ]
    .filter((part) => part !== '')
    .join('\n')

export const itemText = ({ kind, turn, tokens, status, message }: ContextItemWords): string =>
  [
    `**${plain(kind)} of turn ${turn}, about ${amount(tokens)} tokens, ${status === 'given' ? 'given' : WHY[status]}**`,
    fenced(safeText(wordsOf(message))),
  ].join('\n\n')

const closing = ({ call }: Wording): string =>
  `Tokens are estimated. ${code(call('context omit', '<id>'))} leaves one out from here on, ${code(call('context restore', '<id>'))} gives it again.`
