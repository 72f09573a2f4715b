/** Sessions were open when Reprise ended without being asked to: the person is told once, and may go on with one. */
import { leftWords, wereOpen } from '../../../commands/reopen.ts'
import { sessionTitle } from '../../../state/session-title.ts'
import type { CommandHost } from '../commands/command.ts'

/** `mayAsk`: nothing was asked for and nothing typed yet; else a line says where they are. */
export async function offerReopen(
  host: CommandHost,
  { mayAsk }: { readonly mayAsk: boolean },
): Promise<void> {
  const left = await host.engine.leftOpen()
  if (!left.some(({ isTold }) => !isTold)) return
  await host.engine.toldLeftOpen()
  const found = wereOpen(left.length)
  if (!mayAsk) return host.say(`${found}; /reopen lists what waits.`, 'plain')
  const chosen = await host.offer(
    `${found}. Go on with one? (/reopen lists them)`,
    left.map((each) => ({
      label: sessionTitle(each.session),
      detail: leftWords(each).join(', ') || 'nothing waits in it',
      value: each.session.id,
    })),
  )
  if (chosen === undefined) return
  await host.open(chosen)
  const others = left.length - 1
  if (others > 0) host.say(`/reopen lists the other ${others === 1 ? 'one' : others}.`, 'faint')
}
