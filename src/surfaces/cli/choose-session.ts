/** Which session a message goes to: a new one, a named one, or the one that is nearest. */
import type { NearSession } from '../../engine/catalogue/catalogue-select.ts'
import type { Engine } from '../../engine/engine.ts'
import { EngineError } from '../../engine/errors.ts'
import type { EventId, SessionId } from '../../format/ids.ts'
import { defined } from '../../lib/defined.ts'
import { sessionTitle, shortIds } from '../../state/session-title.ts'
import { startElsewhere } from './start-elsewhere.ts'
import { ask } from './ask.ts'
import { usage, type Cli, type Given } from './command.ts'
import type { copilotOptions } from './copilot-options.ts'
import { resolveAnywhere, resolveFar } from '../../commands/find-session.ts'
import { sessionColumns, sessionRow, tellOffline } from './render/sessions.ts'
import { dim } from './render/span.ts'
import { table } from './render/table.ts'

type Chosen = { readonly id: SessionId; readonly after: EventId | undefined }

export async function chooseSession(cli: Cli, engine: Engine, given: Given): Promise<Chosen> {
  if (given.flag('cloud')) return { id: await startElsewhere(cli, engine), after: undefined }
  const [connect, resume] = [given.optional('connect'), given.optional('resume')]
  const model = given.text('model')
  const isNew = connect === undefined && resume === undefined && !given.flag('continue')
  if (isNew) return create(cli, engine, given)
  const id =
    connect === true
      ? await pick(cli, engine, 'only')
      : connect !== undefined
        ? await resolveFar(engine, connect)
        : given.flag('continue')
          ? await nearest(cli, engine)
          : resume === true || resume === undefined
            ? await pick(cli, engine, 'too')
            : await resolveAnywhere(engine, resume)
  if (typeof id !== 'string') return create(cli, engine, given, id.seed)
  const session = await engine.open(id)
  const isTold = given.text('cwd') !== undefined
  const { state } = await session.resume(isTold ? { cwd: cli.cwd } : {})
  const { cwd = cli.cwd } = state.project
  if (session.machine !== undefined) cli.out.note(dim(`on ${session.machine}, in ${cwd}`))
  else if (!isTold && cwd !== cli.cwd)
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
  const { sessions, far } = await engine.nearest(here, { limit: CONTINUED, remote: 'too' })
  tellOffline(cli, far)
  // One of another machine is gone on with where that can be done now.
  const session = sessions.find(
    ({ remote }) => remote === undefined || (remote.isSteerable && !remote.isStale),
  )
  if (session === undefined) {
    throw new EngineError(
      'not_found',
      'There is no session to continue. Nothing was sent. "reprise -p <text>" starts one.',
    )
  }
  if (session.bucket === 'Other sessions') {
    const from = session.remote?.machine ?? session.cwd ?? 'elsewhere'
    cli.out.note(dim(`continuing "${sessionTitle(session)}" from ${from}`))
  }
  return joined(engine, session)
}

/** The id, and what `open` then gives is the session of another machine where it is one. */
async function joined(engine: Engine, { id, remote }: NearSession): Promise<SessionId> {
  if (remote !== undefined) await (await engine.remote?.())?.connect(id)
  return id
}

/** So many are looked at for one that can be gone on with. */
const CONTINUED = 20
const OFFERED = 9
const NAMED = 5

async function pick(cli: Cli, engine: Engine, remote: 'too' | 'only'): Promise<SessionId> {
  const here = await engine.project(cli.cwd)
  const { sessions: offered, far } = await engine.nearest(here, { limit: OFFERED, remote })
  tellOffline(cli, far)
  if (offered.length === 0) {
    throw new EngineError(
      'not_found',
      remote === 'only'
        ? 'There is no session of another machine to connect to. "reprise remote list" shows those that Mission Control knows.'
        : 'There is no session to resume. "reprise -p <text>" starts one.',
    )
  }
  const short = shortIds(offered.map(({ id }) => id))
  if (!cli.canAsk) {
    const { sessions } = await engine.nearest({}, { limit: NAMED, remote })
    const lines = sessions.map((session) => `  ${short(session.id)}  ${oneLine(session)}`)
    const flag = remote === 'only' ? '--connect' : '--resume'
    const other = remote === 'only' ? '' : ', or use --continue'
    throw usage(
      `${flag} without a value needs a terminal to choose in. Name a session${other}. ` +
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
  return joined(engine, chosen)
}

const oneLine = (session: NearSession) =>
  `${sessionTitle(session).replace(/\s+/g, ' ')}${session.remote === undefined ? '' : `  on ${session.remote.machine}`}`
