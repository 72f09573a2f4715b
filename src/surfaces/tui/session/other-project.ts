/** The session that is opened works elsewhere: the person says where it goes on. Nothing moves by itself. */
import type { CommandHost } from '../commands/command.ts'

export async function whenInOtherProject(host: CommandHost, there: string): Promise<boolean> {
  const chosen = await host.choose(`This session works in ${there}. You are in ${host.cwd}.`, [
    { label: 'there', detail: 'go on where it was', value: 'there' },
    { label: 'here', detail: `work in ${host.cwd} from now on`, value: 'here' },
  ])
  return chosen === 'here'
}
