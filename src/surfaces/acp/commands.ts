/** Slash commands that an editor is told of: ours, those of the user's files, and before them those of the agent. */
import type { AvailableCommand } from '@agentclientprotocol/sdk'
import type { Command } from '../../commands/command.ts'
import { listed } from '../../commands/command-list.ts'
import { offeredByAgent, tableWith, type Offered } from '../../commands/offered.ts'
import { isOffered } from '../../commands/perform.ts'
import { table } from '../../commands/table.ts'
import type { Fields } from '../../lib/fields.ts'

const own = table.filter((command) => isOffered(command, {}))

/** The agent's own commands go before ours. */
export const tableFor = (
  theirs: readonly Offered[],
  ofUser: readonly Offered[],
): readonly Command[] => tableWith(tableWith(own, ofUser), theirs, { first: 'theirs' })

export const availableCommands = (
  theirs: readonly Fields[],
  ofUser: readonly Offered[],
): readonly (AvailableCommand | Fields)[] => {
  const told = new Set(theirs.map(({ name }) => name))
  return [
    ...listed(tableFor(offeredByAgent(theirs), ofUser)).flatMap(({ name, summary, hint }) =>
      told.has(name)
        ? []
        : [{ name, description: summary, ...(hint !== '' && { input: { hint } }) }],
    ),
    ...theirs,
  ]
}
