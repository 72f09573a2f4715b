/** What a person is asked before a command is run in a shell, whichever agent runs it. */
import { defined } from '../../lib/defined.ts'
import type { DeedOf } from './tool.ts'

export function shellDeed(
  command: string,
  intention: string,
  cwd: string | undefined,
): DeedOf<'shell'> {
  const [first = command] = command.trim().split(/\s/, 1)
  return {
    kind: 'shell',
    intention,
    fullCommandText: command,
    commands: [{ identifier: first, readOnly: false }],
    possiblePaths: [],
    possibleUrls: [],
    hasWriteFileRedirection: command.includes('>'),
    canOfferSessionApproval: true,
    ...defined({ resolvedWorkingDirectory: cwd }),
  }
}
