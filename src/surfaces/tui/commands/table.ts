/** All slash commands. The same table completes, helps, runs and documents. */
import { errorText } from '../../../lib/error-text.ts'
import { agentCommands } from './agent.ts'
import type { Command, CommandHost } from './command.ts'
import { pastCommands } from './past.ts'
import { queueCommands } from './queue.ts'
import { sessionCommands } from './session.ts'
import { timeCommands } from './time.ts'

const help: Command = {
  name: 'help',
  help: 'this list',
  run: async (host) => host.page('Help', helpText(host.keys)),
}

export const commands: readonly Command[] = [
  ...sessionCommands,
  ...timeCommands,
  ...agentCommands,
  ...queueCommands,
  ...pastCommands,
  help,
]

export const screenKeys: CommandHost['keys'] = [
  ['enter', 'send; while the agent works, the message waits its turn'],
  ['alt+enter', 'send into the turn that runs'],
  ['shift+enter, ctrl+j', 'a new line'],
  ['esc', 'cancel the turn'],
  ['esc esc', 'choose a message to go back to; cancel the turn of another terminal'],
  ['up, down', 'earlier messages, of all sessions; with messages waiting, take the last one back'],
  ['pageUp, pageDown, wheel', 'scroll; the beginning is read as it is reached'],
  ['ctrl+end', 'back to the end'],
  ['ctrl+o', 'show long outputs and thoughts, or fold them'],
  ['ctrl+r', 'choose a session'],
  ['@', 'complete a file'],
  ['!', 'run a command yourself; the agent learns of it with the next message'],
  ['ctrl+c', 'clear the line; twice on an empty one, leave'],
  ['ctrl+d', 'leave, on an empty line'],
]

export const plainKeys: CommandHost['keys'] = [
  ['enter', 'send; while the agent works, the message waits its turn; an empty line lets it go'],
  ['!', 'run a command yourself; the agent learns of it with the next message'],
  ['ctrl+c', 'cancel the turn, or what is asked; without either, leave'],
  ['ctrl+d', 'leave'],
]

export type Typed =
  { readonly command: Command; readonly rest: string } | { readonly unknown: string }

/** Undefined when the text is a message and no command. */
export function commandOf(text: string): Typed | undefined {
  const [, name, rest = ''] = /^\/([a-z][a-z-]*)(?:\s+([\s\S]*))?$/.exec(text.trim()) ?? []
  if (name === undefined) return undefined
  const command = commands.find((each) => each.name === name)
  return command === undefined ? { unknown: name } : { command, rest: rest.trim() }
}

export async function runCommand(host: CommandHost, typed: Typed): Promise<void> {
  if ('unknown' in typed)
    return host.say(`There is no /${typed.unknown}. /help lists what there is.`, 'bad')
  try {
    await typed.command.run(host, typed.rest)
  } catch (error) {
    host.say(errorText(error), 'bad')
  }
}

const usageOf = ({ name, arguments: given }: Command): string =>
  `/${name}${given === undefined ? '' : ` ${given}`}`

function helpText(keys: CommandHost['keys']): string {
  return [
    ...commands.map((command) => `- \`${usageOf(command)}\` ${command.help}`),
    '',
    '**Keys**',
    '',
    ...keys.map(([key, what]) => `- \`${key}\` ${what}`),
  ].join('\n')
}

/** For docs/tui.md. */
export function commandReference(): string {
  return [
    ...commands.flatMap((command) => [
      `- \`${usageOf(command)}\`: ${command.help}`,
      ...(command.words ?? []).map(([word, about]) => `  - \`${word}\`: ${about}`),
    ]),
    '',
    'Keys:',
    '',
    ...screenKeys.map(([key, what]) => `- \`${key}\`: ${what}`),
    '',
    'With `--plain`:',
    '',
    ...plainKeys.map(([key, what]) => `- \`${key}\`: ${what}`),
  ].join('\n')
}
