/**
 * The command of an agent that a person gave is kept in the configuration of this home, so that its sessions go on with
 * it by themselves. A log names the agent and nothing more: in another home it starts nothing.
 */
import { isOnPath } from '../lib/on-path.ts'
import { commandLine, type Choice } from '../agents/choose.ts'
import { changeConfig } from '../config/change-config.ts'
import { readConfig } from '../config/load.ts'
import type { SessionFs } from '../fs/session-fs.ts'
import { openRedactor } from './open-redactor.ts'

type Command = Extract<Choice, { kind: 'command' }>

export async function keepCommand({ name, words }: Command, fs: SessionFs): Promise<void> {
  const [program = ''] = words
  if (!program.includes('/') && !isOnPath(program)) return
  // A configuration that cannot be read or written now keeps nobody from answering.
  await keep(name, commandLine(words), fs).catch(() => {})
}

async function keep(name: string, command: string, fs: SessionFs): Promise<void> {
  if (Object.hasOwn((await readConfig(fs)).agents ?? {}, name)) return
  // A command with a secret in it is given again each time.
  if ((await openRedactor(fs)).redactText(command).text !== command) return
  // What was put there meanwhile stays.
  await changeConfig(fs, (now) => ({ ...now, agents: { [name]: command, ...now.agents } }))
}
