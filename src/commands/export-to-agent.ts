/** `reprise export --to`: a session given to another agent, which goes on with it. */
import { resolve } from 'node:path'
import { notWritten } from '../engine/disk-error.ts'
import { EngineError } from '../engine/errors.ts'
import type { Session } from '../engine/session.ts'
import { sayLosses } from '../importers/convert/fidelity-report.ts'
import { defined } from '../lib/defined.ts'
import { TAKERS, give, type Given, type Taker } from '../importers/export-to-agent.ts'
import type { CommandContext } from './command.ts'

type GivenAway = Given & { readonly said: string }

const isTaker = (name: string): name is Taker => (TAKERS as readonly string[]).includes(name)

/** Those that have an import of their own are given a file beside the person; the others a session among theirs. */
const fileFor = (to: Taker, id: string): string | undefined =>
  to === 'copilot' ? `${id}.copilot.jsonl` : to === 'opencode' ? `${id}.opencode.json` : undefined

/** Without secrets, as all that leaves. */
export async function giveTo(
  context: Pick<CommandContext, 'cwd' | 'now' | 'redactor' | 'machine'>,
  session: Session,
  { to, output }: { readonly to: string; readonly output?: string | undefined },
): Promise<GivenAway> {
  const { machine, cwd, now } = context
  if (!isTaker(to) || machine === undefined)
    throw new EngineError(
      'invalid',
      `No agent called "${to}" can be given a session. Nothing was written. There are: ${TAKERS.join(', ')}.`,
    )
  const redactor = await context.redactor()
  const path = output ?? fileFor(to, session.id)
  const given = await give(session, {
    to,
    around: machine,
    cwd,
    now,
    newId: () => crypto.randomUUID(),
    redact: (value) => redactor.redactJson(value).value,
    ...defined({ output: path === undefined ? undefined : resolve(cwd, path) }),
  }).catch((cause: unknown) => {
    const { code, syscall } = cause as NodeJS.ErrnoException
    if (code === 'EEXIST' && syscall === 'open')
      throw new EngineError(
        'conflict',
        'There is a file of that name already. It was left as it is; -o names another.',
        { cause },
      )
    throw syscall === undefined ? cause : notWritten(cause)
  })
  const losses = sayLosses(given.report)
  const fits = losses === '' ? 'All of it fits.' : `Not as it was: ${losses}.`
  const lines = [`Written: ${given.path}`, fits, ...given.report.notes]
  return { ...given, said: [...lines, `Go on with it: ${given.goOn}`].join('\n') }
}
