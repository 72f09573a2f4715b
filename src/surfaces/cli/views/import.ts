/** `import`: something that could not be read is told by the exit code, too. */
import type { Imported } from '../../../commands/import.ts'
import type { View } from '../command.ts'
import { OK, exitCodes } from '../exit-codes.ts'

export const importView: View<Pick<Imported, 'failed' | 'unreadable'>> = {
  code: ({ failed, unreadable }) =>
    failed.length + unreadable.length === 0 ? OK : exitCodes.corrupt,
}
