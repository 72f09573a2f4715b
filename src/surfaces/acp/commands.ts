/** Slash commands: what can be done with a session from any editor, by typing it. */
import type { AvailableCommand } from '@agentclientprotocol/sdk'
import type { Engine } from '../../engine/engine.ts'
import { filesTold } from '../../engine/time/rewound-words.ts'
import type { SessionId } from '../../format/ids.ts'

type Command = {
  readonly description: string
  readonly hint?: string
  /** What was done, in a sentence. */
  run(engine: Engine, id: SessionId, rest: string): Promise<string>
}

const commands: Readonly<Record<string, Command>> = {
  compact: {
    description: 'Replace what was said so far by a summary',
    hint: 'what the summary should keep',
    async run(engine, id, rest) {
      const { checkpointNumber } = await (
        await engine.open(id)
      ).compact(rest === '' ? {} : { instructions: rest })
      return `The conversation was compacted into checkpoint ${checkpointNumber}.`
    },
  },
  rename: {
    description: 'Give the session another name',
    hint: 'the name',
    run: async (engine, id, rest) =>
      `The session is called "${await (await engine.open(id)).rename(rest)}".`,
  },
  undo: {
    description: 'Take back the last turn and what it changed in files',
    hint: 'how many turns, and "conversation" to keep files',
    async run(engine, id, rest) {
      const turns = Number(/\b[1-9]\d{0,3}\b/.exec(rest)?.[0] ?? 1)
      const keepsFiles = /\bconversation\b/.test(rest)
      const session = await engine.open(id)
      const undone = await session.undo({ turns, ...(keepsFiles && { mode: 'conversation' }) })
      const { prompt, turnsRemoved } = undone
      return `${turnsRemoved} turns were taken back, from "${prompt}" on. ${filesTold(undone)} /redo brings them back.`
    },
  },
  redo: {
    description: 'Bring back what the last undo took',
    async run(engine, id) {
      const redone = await (await engine.open(id)).redo()
      return `${redone.eventsRestored} events are back. ${filesTold(redone)}`
    },
  },
}

export const ownCommands: readonly AvailableCommand[] = Object.entries(commands).map(
  ([name, { description, hint }]) => ({
    name,
    description,
    ...(hint !== undefined && { input: { hint } }),
  }),
)

/** Undefined when the text is no command of ours. */
export function commandIn(
  prompt: string,
): ((engine: Engine, id: SessionId) => Promise<string>) | undefined {
  const [, name = '', rest = ''] = /^\/([a-z]+)(?:\s+([\s\S]*))?$/.exec(prompt.trim()) ?? []
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  return command && ((engine, id) => command.run(engine, id, rest.trim()))
}
