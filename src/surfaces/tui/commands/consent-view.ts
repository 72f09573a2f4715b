/** A command that comes with a project is used once its user has said so, for this text: a changed one is asked for anew. */
import { fenced } from '../../../commands/markdown.ts'
import type { Offered } from '../../../commands/offered.ts'
import type { TuiOptions } from '../options.ts'
import type { CommandHost } from './command.ts'

export async function mayBeUsed(
  host: CommandHost,
  allowed: TuiOptions['allowedCommands'],
  command: Offered | undefined,
): Promise<boolean> {
  const { ofProject, name } = command ?? {}
  if (ofProject === undefined || (await allowed.has(ofProject.digest))) return true
  for (;;) {
    const chosen = await host.choose(
      `/${name} comes with this project (${ofProject.file}). Its text would go to the agent as your message.`,
      [
        { label: 'Use it', detail: 'asked again when its text changes', value: 'use' },
        { label: 'Show its text', value: 'show' },
        { label: 'No', detail: 'nothing is sent', value: 'no' },
      ],
      async () => ofProject.text.split('\n'),
    )
    if (chosen === 'show') {
      await host.page(`/${name}`, fenced(ofProject.text))
      continue
    }
    if (chosen === 'use') await allowed.add([ofProject.digest])
    else host.say(`/${name} was not used. Nothing was sent.`, 'faint')
    return chosen === 'use'
  }
}
