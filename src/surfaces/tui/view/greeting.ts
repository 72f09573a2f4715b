/** What an empty session shows: where one is, what was found on this machine, and what to type. */
import { counted } from '../../../lib/quantities.ts'
import type { Answering } from '../../../commands/command.ts'
import type { Greeting, Model } from '../model/model.ts'
import { fit, indent, inLine, wrap } from './text.ts'
import type { Theme } from './theme.ts'

export function greetingLines(
  { greeting, version, answering }: Model,
  width: number,
  theme: Theme,
): string[] {
  return [
    `${theme.bold(theme.cyan('Reprise'))} ${theme.dim(inLine(version))}`,
    theme.dim(inLine(greeting.cwd)),
    '',
    ...found(greeting, answering).map((line) => `  ${inLine(line)}`),
    '',
    `  Type a message and press enter. ${theme.yellow('/help')} says what else there is.`,
    `  ${theme.yellow('@')} names a file, ${theme.yellow('!')} runs a command, ${theme.yellow('esc esc')} goes back in time.`,
    ...(greeting.isNewcomer === true ? ['', ...tourLines(width, theme)] : []),
    '',
  ].flatMap((line) => wrapped(line, width))
}

/** What is indented stays so in all of its lines. */
const wrapped = (line: string, width: number): string[] =>
  line.startsWith('  ') ? indent(wrap(line.slice(2), width - 2), '  ') : [fit(line, width)]

/** For newcomers, once: what is here and not elsewhere. */
const tour = [
  ['esc esc, /undo', 'take turns back with their files; /redo brings them back'],
  ['/search', 'finds what was said in any session and opens it there'],
  ['/fork', 'goes on in a copy; /tree shows all of them'],
  ['enter', 'while it works queues; alt+enter says it in the turn'],
] as const

/** In two columns where there is room for them. */
const tourLines = (width: number, theme: Theme): string[] =>
  tour.map(([keys, what]) => {
    const key = width < 80 ? theme.yellow(keys) : keys.padEnd(16)
    return `  ${width < 80 ? `${key} ${theme.dim(what)}` : theme.dim(`${key} ${what}`)}`
  })

/** What was found on this machine, in words. */
export function found(
  { agents, sessions, here = 0, others }: Greeting,
  answering: Answering | undefined,
  opens = 'ctrl+p',
): string[] {
  if (sessions === undefined) return ['Reading your sessions…']
  const lines = [
    ...(answering === undefined ? [] : [answererText(answering, agents)]),
    sessionsText(sessions, here, opens),
  ]
  if (others !== undefined && others > 0)
    lines.push(
      `${counted(others, 'session')} of the Copilot CLI: reprise --home ~/.copilot opens them.`,
    )
  return lines
}

function answererText({ kind, says }: Answering, agents: readonly string[] = []): string {
  if (kind !== 'offline') return `Answering: ${says}.`
  const others = agents.length === 0 ? '' : ` Agents found: ${agents.join(', ')}.`
  return `No model yet. Type /agent to connect one, or set ANTHROPIC_API_KEY.${others}`
}

function sessionsText(all: number, here: number, opens: string): string {
  if (all === 0) return 'No sessions yet: this will be the first.'
  const where = here === all ? 'all in this project' : `${here} in this project`
  return `${counted(all, 'session')}, ${all === 1 && here === 1 ? 'in this project' : where}. ${opens} opens one.`
}
