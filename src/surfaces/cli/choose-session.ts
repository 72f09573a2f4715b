/** Which session a message goes to: a new one, a named one, or the one that is nearest. */
import type { SessionSummary } from '../../engine/home/catalogue-row.ts'
import type { Engine } from '../../engine/engine.ts'
import { EngineError } from '../../engine/errors.ts'
import type { EventId, SessionId } from '../../format/ids.ts'
import { defined } from '../../lib/defined.ts'
import { sessionTitle } from '../../state/session-title.ts'
import { ask } from './ask.ts'
import type { Cli, Given } from './command.ts'
import { usage } from './command.ts'
import type { copilotOptions } from './copilot-options.ts'
import { resolveWord } from '../../commands/find-session.ts'
import { sessionColumns, sessionRow } from './render/sessions.ts'
import { shortIds } from '../../state/session-title.ts'
import { dim } from './render/span.ts'
import { table } from './render/table.ts'

type Chosen = { readonly id: SessionId; readonly after: EventId | undefined }

export async function chooseSession(cli: Cli, engine: Engine, given: Given): Promise<Chosen> {
  const resume = given.optional('resume')
  const model = given.text('model')
  if (resume === undefined && !given.flag('continue')) return create(cli, engine, given)
  const id =
    resume === undefined
      ? await nearest(cli, engine)
      : resume === true
        ? await pick(cli, engine)
        : await resolveWord(engine, resume)
  if (typeof id !== 'string') return create(cli, engine, given, id.seed)
  const session = await engine.open(id)
  const isTold = given.text('cwd') !== undefined
  const { state } = await session.resume(isTold ? { cwd: cli.cwd } : {})
  const { cwd = cli.cwd } = state.project
  if (!isTold && cwd !== cli.cwd)
    cli.out.note(dim(`working in ${cwd}, where this session was; --cwd . works here instead`))
  if (model !== undefined) await session.setModel({ model })
  return { id, after: state.lastEventId }
}

/** The mode that was asked for, recorded when it is another one. */
export async function setMode(engine: Engine, id: SessionId, given: Given): Promise<void> {
  const { mode } = given.all<typeof copilotOptions>()
  if (mode !== undefined) await (await engine.open(id)).setMode(mode)
}

async function create(cli: Cli, engine: Engine, given: Given, seed?: SessionId): Promise<Chosen> {
  const [name, model] = [given.text('name'), given.text('model')]
  const { id } = await engine.create({
    cwd: cli.cwd,
    ...defined({ sessionId: seed, name, model }),
  })
  return { id, after: undefined }
}

async function nearest(cli: Cli, engine: Engine): Promise<SessionId> {
  const here = await engine.project(cli.cwd)
  const [session] = (await engine.nearest(here, { limit: 1 })).sessions
  if (session === undefined) {
    throw new EngineError(
      'not_found',
      'There is no session to continue. Nothing was sent. "reprise -p <text>" starts one.',
    )
  }
  if (session.bucket === 'Other sessions') {
    cli.out.note(dim(`continuing "${sessionTitle(session)}" from ${session.cwd ?? 'elsewhere'}`))
  }
  return session.id
}

const OFFERED = 9
const NAMED = 5

async function pick(cli: Cli, engine: Engine): Promise<SessionId> {
  const here = await engine.project(cli.cwd)
  const { sessions: offered } = await engine.nearest(here, { limit: OFFERED })
  if (offered.length === 0) {
    throw new EngineError(
      'not_found',
      'There is no session to resume. "reprise -p <text>" starts one.',
    )
  }
  const short = shortIds(offered.map(({ id }) => id))
  if (!cli.canAsk) {
    const { sessions } = await engine.nearest({}, { limit: NAMED })
    const lines = sessions.map((session) => `  ${short(session.id)}  ${oneLine(session)}`)
    throw usage(
      '--resume without a value needs a terminal to choose in. Name a session, or use --continue. ' +
        `The newest:\n${lines.join('\n')}`,
    )
  }
  const rows = offered.map((session, at) => [
    String(at + 1),
    ...sessionRow(session, { short, now: cli.now() }),
  ])
  const shape = { columns: cli.out.columns, shrink: sessionColumns.shrink + 1 }
  for (const spans of table(rows, shape)) cli.out.note(...spans)
  const answer = await ask(cli, `Which one? [1-${offered.length}]`)
  const chosen = offered[Number(answer || '1') - 1]
  if (chosen === undefined)
    throw usage(`There is no number "${answer}" in the list. Nothing was sent.`)
  return chosen.id
}

const oneLine = (session: SessionSummary) => sessionTitle(session).replace(/\s+/g, ' ')
