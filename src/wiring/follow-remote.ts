/**
 * Joins the engine with the copies of its sessions in Mission Control. Nothing of it is loaded in a home that has none
 * configured, and nothing of it is waited for by a turn.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { readConfig } from '../config/load.ts'
import type { Engine } from '../engine/engine.ts'
import type { Remote } from '../remote/remote.ts'

/** So long what was just done may take to be on its way when the process ends. */
const PATIENCE_MS = 2000

export function withRemote(engine: Engine, env: NodeJS.ProcessEnv): Engine {
  let remote: Promise<Remote | undefined> | undefined
  const open = () => (remote ??= openRemoteOf(engine, env).catch(() => undefined)) // no copy now; config says what is wrong
  const telling = new Set<Promise<void>>()
  const tell = (work: (remote: Remote) => Promise<void>): void => {
    const told = open()
      .then((opened) => opened && work(opened))
      .catch(() => {}) // the status of the copy tells of it; the session is not touched
      .finally(() => telling.delete(told))
    telling.add(told)
  }
  engine.subscribe((change) => tell((opened) => opened.changed(change)))
  engine.onErase(async (ids) => (await open())?.erased(ids))
  return {
    ...engine,
    remote: open,
    async open(id, parts) {
      const session = await engine.open(id, parts)
      tell((opened) => opened.opened(id))
      return session
    },
    async stop() {
      await engine.stop()
      await Promise.race([Promise.all(telling), sleep(PATIENCE_MS, undefined, { ref: false })])
      await (await remote)?.stop()
    },
  }
}

async function openRemoteOf(engine: Engine, env: NodeJS.ProcessEnv): Promise<Remote | undefined> {
  const { control = {} } = await readConfig(engine.fs)
  const url = env['REPRISE_CONTROL_URL'] ?? control.url
  const token = env['REPRISE_CONTROL_TOKEN'] ?? control.token
  if (url === undefined || token === undefined) return undefined
  const [{ openRemote }, { openServer }, { openRedactor }, { redactNotices }] = await Promise.all([
    import('../remote/remote.ts'),
    import('../remote/server.ts'),
    import('./open-redactor.ts'),
    import('../engine/turn/redact-notices.ts'),
  ])
  const redactor = await (await openRedactor(engine.fs)).load()
  return openRemote({
    engine,
    server: openServer({ url: url.replace(/\/+$/, ''), token }),
    redact: (value) => redactor.redactJson(value),
    cleanNotices: () =>
      redactNotices({ redact: async (draft) => draft, redactStream: redactor.createStream }),
    modeFor: (repository) =>
      (repository === undefined ? undefined : control.repositories?.[repository]) ??
      control.mode ??
      'off',
    mayWiden: control.mayWiden ?? false,
  })
}
