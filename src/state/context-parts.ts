/** What fills a model's window, by kind and by its largest pieces, in estimated tokens. */
import { enclosed, withoutEnclosed } from '../lib/balanced-tags.ts'
import { isPicture } from './attachments.ts'
import { PICTURE_TOKENS, estimateTokens } from './token-estimate.ts'
import type { ModelContext, ModelMessage } from './model-context.ts'
import { preview } from './preview.ts'

const partKinds = [
  'system',
  'instructions',
  'board',
  'summary',
  'messages',
  'tools',
  'definitions',
] as const

type PartKind = (typeof partKinds)[number]

export type ContextParts = {
  /** Every kind, also when there is nothing of it. */
  readonly kinds: readonly { readonly kind: PartKind; readonly tokens: number }[]
  readonly total: number
  readonly largest: readonly Piece[]
}

type Piece = { readonly kind: PartKind; readonly what: string; readonly tokens: number }

const MOST_NAMED = 8

/** `definitions`: how the model is told of each tool. */
export function contextParts(
  context: ModelContext,
  definitions: readonly { readonly name: string; readonly text: string }[] = [],
  most = MOST_NAMED,
): ContextParts {
  const calls = new Map(context.messages.flatMap(callsOf))
  const pieces = [
    ...split(context.system ?? '', 'system', () => 'system prompt'),
    ...context.messages.flatMap((message) => piecesOf(message, calls)),
    ...definitions.map(({ name, text }) => piece('definitions', `tool ${name}`, text)),
  ].filter(({ tokens }) => tokens > 0)
  const sum = (of: readonly Piece[]) => of.reduce((all, { tokens }) => all + tokens, 0)
  return {
    kinds: partKinds.map((kind) => ({
      kind,
      tokens: sum(pieces.filter((piece) => piece.kind === kind)),
    })),
    total: sum(pieces),
    largest: pieces.toSorted((a, b) => b.tokens - a.tokens).slice(0, most),
  }
}

const callsOf = (message: ModelMessage): [string, string][] =>
  message.role === 'assistant'
    ? (message.toolCalls ?? []).map(({ id, name, arguments: given }) => [
        id,
        `${name} ${preview(JSON.stringify(given) ?? '', 60)}`,
      ])
    : []

function piecesOf(message: ModelMessage, calls: ReadonlyMap<string, string>): Piece[] {
  const { content } = message
  if (message.role === 'tool') {
    const what = calls.get(message.toolCallId) ?? message.toolName
    return [piece('tools', `result of ${what}`, content), ...picturesIn(message, 'tools')]
  }
  if (message.role === 'user')
    return [
      ...split(content, 'messages', (said) => `you: ${preview(said, 60)}`),
      ...picturesIn(message, 'messages'),
    ]
  const asked = (message.toolCalls ?? []).map(({ name, arguments: given }) =>
    piece('tools', `call of ${name}`, JSON.stringify(given) ?? ''),
  )
  return [piece('messages', `answer: ${preview(content, 60)}`, content), ...asked]
}

const picturesIn = (
  { attachments = [] }: Exclude<ModelMessage, { role: 'assistant' }>,
  kind: PartKind,
): Piece[] =>
  attachments.filter(isPicture).map(({ displayName = '' }) => ({
    kind,
    what: `picture ${preview(displayName, 60)}`.trim(),
    tokens: PICTURE_TOKENS,
  }))

const piece = (kind: PartKind, what: string, text: string): Piece => ({
  kind,
  what,
  tokens: estimateTokens(text),
})

/** What is quoted inside a text, by the element that it stands in. */
const QUOTED =
  /<(project_instructions|user_instructions|untrusted_history|summary|user_ran)\b([^\n]{0,2000}?)>\n/

const quotes: Readonly<Record<string, (attributes: string) => readonly [PartKind, string]>> = {
  project_instructions: (attributes) => ['instructions', inAttributes(attributes, 'path')],
  user_instructions: (attributes) => [
    'instructions',
    attributes === '' ? 'your own instructions' : inAttributes(attributes, 'path'),
  ],
  untrusted_history: () => ['board', 'notes of the board'],
  summary: () => ['summary', 'summary of what was said before'],
  user_ran: (attributes) => ['tools', `! ${inAttributes(attributes, 'command')}`],
}

function split(text: string, kind: PartKind, nameOf: (rest: string) => string): Piece[] {
  const parts = [...enclosed(text, QUOTED, ([, element]) => `\n</${element}>`)]
  const found = parts.map(({ opening: [, element = '', attributes = ''], start, end }) => {
    const [own, name] = quotes[element]?.(attributes) ?? [kind, element]
    return piece(own, name, text.slice(start, end))
  })
  const rest = withoutEnclosed(text, parts).trim()
  return [piece(kind, nameOf(rest), rest), ...found]
}

const inAttributes = (attributes: string, name: string): string =>
  preview(new RegExp(`\\b${name}="([^"]*)"`).exec(attributes)?.[1] ?? name, 60)
