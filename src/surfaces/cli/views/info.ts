/** `sessions show`: what is known of a session and what is wrong with it, or what was said in it. */
import type { sessionInfo } from '../../../commands/session-info.ts'
import type { Session } from '../../../engine/session.ts'
import type { SessionId } from '../../../format/ids.ts'
import { toMarkdown } from '../../../state/transcript-markdown.ts'
import type { Cli, View } from '../command.ts'
import { OK } from '../exit-codes.ts'
import { dim, yellow } from '../render/span.ts'
import { transcriptLines } from '../render/transcript.ts'

export const infoView: View<Awaited<ReturnType<typeof sessionInfo.run>>> = {
  async before(cli, given, { context }) {
    if (given.flag('markdown') && !cli.json) await showMarkdown(cli, await context.session())
    else if (given.flag('markdown') || given.flag('transcript'))
      await showTranscript(cli, await context.session())
    else return undefined
    return OK
  },
  async json(cli, { session, numbers }) {
    return { session, numbers, ailments: await ailmentsOf(cli, session.id) }
  },
  async show(cli, { session: { id } }, _given, say) {
    const ailments = await ailmentsOf(cli, id)
    say()
    for (const { message } of ailments) cli.out.line(yellow('! '), message)
    if (ailments.length > 0) cli.out.line(dim(`reprise doctor ${id} says more.`))
  },
}

const ailmentsOf = async (cli: Cli, id: SessionId) =>
  (await (await cli.engine()).doctor(id)).ailments

async function showMarkdown({ out }: Cli, session: Session): Promise<void> {
  const { name, summary } = await session.metadata()
  out.block(`# ${name ?? summary}\n`)
  for await (const entry of session.transcript()) out.block(`\n${toMarkdown([entry])}`)
}

async function showTranscript({ out, json }: Cli, session: Session): Promise<void> {
  for await (const entry of session.transcript()) {
    if (json) out.record(entry)
    else for (const spans of transcriptLines(entry)) out.line(...spans)
  }
}
