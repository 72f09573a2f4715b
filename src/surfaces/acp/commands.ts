/** Slash commands that an editor is told of: those of the table, and before them those of the agent behind the session. */
import type { AvailableCommand } from '@agentclientprotocol/sdk'
import type { Command } from '../../commands/command.ts'
import { listed } from '../../commands/listed.ts'
import { offeredByAgent, tableWith } from '../../commands/offered.ts'
import type { Offered } from '../../commands/offered.ts'
import { isOffered } from '../../commands/perform.ts'
import { table } from '../../commands/table.ts'
import type { Fields } from '../../lib/fields.ts'

const own = table.filter((command) => isOffered(command, {}))

/** The agent's own commands go before ours. */
export const tableFor = (offered: readonly Offered[]): readonly Command[] =>
  tableWith(own, offered, { first: 'theirs' })

export const availableCommands = (
  theirs: readonly Fields[],
): readonly (AvailableCommand | Fields)[] => [
  ...listed(tableFor(offeredByAgent(theirs))).flatMap(({ name, summary, hint, command }) =>
    command.isOfAgent === true
      ? []
      : [{ name, description: summary, ...(hint !== '' && { input: { hint } }) }],
  ),
  ...theirs,
]
