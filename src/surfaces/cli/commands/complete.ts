/** `__complete`: candidates for the shells, value and explanation separated by a tab. */
import { sessionTitle, shortIds } from '../../../state/session-title.ts'
import type { Cli, Run } from '../command.ts'
import { complete, type Candidate } from '../completion.ts'

export const run: Run = async (cli, given) => {
  const found = await complete(cli.program, given.words(0), () => sessionCandidates(cli))
  // The tab is ours; a line would lose it.
  cli.out.block(
    found.map(({ value, about }) => `${value}\t${about.replace(/\s+/g, ' ')}\n`).join(''),
  )
}

/** Shells split and expand what they are given: only names without any special sign are offered. */
const HARMLESS = /^[\p{L}\p{N}][\p{L}\p{N}._-]*$/u

/** More than a shell can show. */
const OFFERED = 1000

async function sessionCandidates(cli: Cli): Promise<Candidate[]> {
  const engine = await cli.engine()
  const { sessions } = await engine.nearest(await engine.project(cli.cwd), { limit: OFFERED })
  const short = shortIds(sessions.map(({ id }) => id))
  return sessions.flatMap((session) => {
    const about = sessionTitle(session)
    const { name } = session
    const byId = { value: short(session.id), about }
    return name !== undefined && HARMLESS.test(name)
      ? [byId, { value: name, about: session.id }]
      : [byId]
  })
}
