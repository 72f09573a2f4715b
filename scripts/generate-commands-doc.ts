/** The documents that the table of commands makes: docs/commands.md, and what docs/tui.md says of names and keys. */
import { usageOf } from '../src/commands/fields.ts'
import { helpOf } from '../src/commands/help.ts'
import { table } from '../src/commands/table.ts'
import { keyList, plainKeys, screenKeys } from '../src/surfaces/tui/commands/keys.ts'

export const commandReference = (): string => table.map(helpOf).join('\n')

export const terminalReference = (): string =>
  [
    ...table.map((command) => `- \`${usageOf(command)}\`: ${command.summary}`),
    '',
    'Keys:',
    '',
    keyList(screenKeys),
    '',
    'With `--plain`:',
    '',
    keyList(plainKeys),
  ].join('\n')
