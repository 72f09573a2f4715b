/** `sessions rewind`: says what it takes back, and asks. */
import type { rewind } from '../../../commands/time.ts'
import { counted } from '../../../lib/quantities.ts'
import { confirm } from '../ask.ts'
import type { View } from '../command.ts'

export const rewindView: View<Awaited<ReturnType<typeof rewind.run>>> = {
  async before(cli, given, { run }) {
    if (['yes', 'preview', 'list'].some((flag) => given.flag(flag))) return
    const preview = await run({ preview: true })
    if (!('files' in preview)) return
    const turns = counted(preview.turnsRemoved, 'turn')
    const files = counted(preview.files.length, 'file')
    const what = given.flag('files-only')
      ? `${files} of ${turns}, and leave the conversation`
      : given.flag('keep-files') || preview.files.length === 0
        ? turns
        : `${turns} and ${files}`
    await confirm(cli, `Take back ${what}?`, false)
  },
}
