/**
 * Joins the engine with the copies of its sessions in Mission Control. Nothing of it is loaded in a home that has none
 * configured, and nothing of it is waited for by a turn.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { readConfig } from '../config/load.ts'
import type { Config } from '../config/config-file.ts'
import { isOn } from '../config/features.ts'
import type { Engine } from '../engine/engine.ts'
import { noMissionControl } from '../commands/find-session.ts'
import type { Nearest } from '../engine/catalogue/catalogue-select.ts'
import type { RemoteMode } from '../engine/remote-control.ts'
import type { SessionParts } from '../engine/session-parts.ts'
import type { SessionId } from '../format/ids.ts'
import { controlOf } from './control-address.ts'
import { withFeatures } from './remote-features.ts'
import { defined } from '../lib/defined.ts'
import { isSameRemote } from '../lib/git-remote.ts'
import { isPiece } from '../state/unfinished.ts'
import type { Remote } from '../remote/remote.ts'

/** So long what was just done may take to be on its way when the process ends. */
const PATIENCE_MS = 2000

/** `most`: what a session of this process may have at most, whatever is configured. */
export function withRemote(
  engine: Engine,
  env: NodeJS.ProcessEnv,
  most: RemoteMode = 'steer',
): Engine {
  let remote: Promise<Remote | undefined> | undefined
  let joined: Remote | undefined
  /** What comes from afar is done with the agent and the policy of who has the session open here, until it is closed. */
  const hosts = new Map<SessionId, SessionParts>()
  const hosted: Engine = { ...engine, open: (id, parts) => engine.open(id, parts ?? hosts.get(id)) }
  const load = async () => (joined = await openRemoteOf(hosted, env, most))
  const open = () => (remote ??= load().catch(() => undefined)) // no copy now; config says what is wrong
  const telling = new Set<Promise<void>>()
  const tell = (work: (remote: Remote) => Promise<void>): void => {
    const told = open()
      .then((opened) => opened && work(opened))
      .catch(() => {}) // the status of the copy tells of it; the session is not touched
      .finally(() => telling.delete(told))
    telling.add(told)
  }
  engine.subscribe((change) => {
    if (change.kind === 'closed' || change.kind === 'deleted') hosts.delete(change.id)
    tell((opened) => opened.changed(change))
  })
  engine.onErase(async (ids) => (await open())?.erased(ids))
  return {
    ...engine,
    remote: open,
    isOpen: (id) => engine.isOpen(id) || joined?.connected(id) !== undefined,
    async nearest(here, query) {
      const { remote: which, limit } = query
      const control = which === undefined ? undefined : await open()
      if (control === undefined && which === 'only') throw noMissionControl()
      if (control === undefined) return engine.nearest(here, query)
      const [{ mixed }, local, far] = await Promise.all([
        import('../remote/merge-lists.ts'),
        which === 'only' ? NONE : engine.nearest(here, query),
        control.near(here, query),
      ])
      return mixed(local, far, { here, limit, ...defined({ onlyNear: query.onlyNear }) })
    },
    async open(id, parts) {
      const far = joined?.connected(id)
      if (far !== undefined) return far
      if (parts !== undefined) hosts.set(id, parts)
      const session = await engine.open(id, parts)
      tell((opened) => opened.opened(id))
      return session
    },
    async create(given, parts) {
      const remoteSteerable =
        most === 'steer' ? await isSteeredFrom(engine, env, given?.cwd) : undefined
      return engine.create({ ...defined({ remoteSteerable }), ...given }, parts)
    },
    async stop() {
      await engine.stop()
      const patienceMs = joined?.patienceMs() ?? PATIENCE_MS
      await Promise.race([Promise.all(telling), sleep(patienceMs, undefined, { ref: false })])
      await (await remote)?.stop()
    },
  }
}

const NONE: Nearest = { sessions: [], total: 0, near: 0 }

/** True where a new session of this place is steered by configuration; undefined where nothing is to be said of it. */
async function isSteeredFrom(
  engine: Engine,
  env: NodeJS.ProcessEnv,
  cwd = process.cwd(),
): Promise<true | undefined> {
  const config: Config = await readConfig(engine.fs).catch(() => ({})) // no session waits for it; config says what is wrong
  const { control = {} } = config
  const url = env['REPRISE_CONTROL_URL'] ?? control.url
  const modes = [control.mode, ...Object.values(control.repositories ?? {})]
  if (url === undefined || !modes.includes('steer')) return undefined
  const { repository } = await engine.project(cwd)
  return modeIn(config, repository) === 'steer' || undefined
}

function modeIn(config: Config, repository: string | undefined): RemoteMode {
  const { mode = 'off', repositories = {} } = config.control ?? {}
  if (!isOn(config, 'sessionIndexing')) return 'off'
  if (repository === undefined || !isOn(config, 'sessionIndexingRepo')) return mode
  const named = Object.keys(repositories).find((each) => isSameRemote(each, repository))
  return (named === undefined ? undefined : repositories[named]) ?? mode
}

async function openRemoteOf(
  engine: Engine,
  env: NodeJS.ProcessEnv,
  most: RemoteMode,
): Promise<Remote | undefined> {
  const config = await readConfig(engine.fs)
  const address = controlOf(config, env)
  if (address === undefined) return undefined
  const { control = {} } = config
  const [{ openRemote }, { openServer }, { openRedactor }, { redactNotices }] = await Promise.all([
    import('../remote/remote.ts'),
    import('../remote/control-client.ts'),
    import('./open-redactor.ts'),
    import('../engine/turn/redact-notices.ts'),
  ])
  const redactor = await openRedactor(engine.fs)
  const remote = openRemote({
    engine,
    server: openServer(address),
    redaction: {
      redact: (value) => redactor.redactJson(value),
      redactText: (text) => redactor.redactText(text).text,
      policy: redactor.policy,
    },
    cleanNotices() {
      const pieces = redactNotices({
        redact: async (draft) => draft,
        redactStream: redactor.createStream,
      })
      return (notice) => (isPiece(notice) ? pieces(notice) : [redactor.redactJson(notice).value])
    },
    modeFor: (repository) => modeIn(config, repository),
    isKeeping: isOn(config, 'sessionIndexing'),
    most,
    mayWiden: control.mayWiden ?? false,
  })
  return withFeatures(remote, config)
}
