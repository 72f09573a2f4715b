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
    const { turnsRemoved, eventsRemoved } = preview
    const what = `${counted(turnsRemoved, 'turn')}, ${counted(eventsRemoved, 'event')}`
    await confirm(cli, `Take back ${what}?`, false)
  },
}
