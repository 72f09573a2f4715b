/** Wires the JSON-RPC server: command line and environment to parts, parts to the surface. */
import { isIPv4 } from 'node:net'
import { homedir } from 'node:os'
import { createEngine } from '../engine/engine.ts'
import { EngineError } from '../engine/errors.ts'
import { openDisk } from '../fs/disk.ts'
import { findHome } from '../config/home.ts'
import { sessionDir } from '../format/paths.ts'
import { passVariables } from '../lib/child-environment.ts'
import { defined } from '../lib/defined.ts'
import { keepDiagnostics } from './wire-telemetry.ts'
import { kickstartsBeside } from './kickstarts-beside.ts'
import type { HostParts } from './open-host.ts'
import type { Host } from '../surfaces/cli/command.ts'
import { mostRemote } from '../surfaces/cli/copilot-options.ts'
import { defaultLimits } from '../surfaces/rpc/limits.ts'
import type { LogLevel, ServerParts } from '../surfaces/rpc/parts.ts'
import { runServer } from '../surfaces/rpc/run.ts'
import { unblockedStdout } from '../surfaces/rpc/stdio.ts'

const TOKEN = 'COPILOT_CONNECTION_TOKEN'

type RpcOptions = Parameters<Host['serveRpc']>[0]

const LOOPBACK = '127.0.0.1'

export async function serveRpc(options: RpcOptions, version: string): Promise<void> {
  const { port = 0, host = LOOPBACK, resume, connect, authTokenEnv, signal } = options
  const stdio = options.stdio === true
  if (!stdio && options.allowRemote !== true && !isLoopback(host)) throw openToOthers(host)
  const token = process.env[TOKEN] || undefined
  // What tools start must not inherit what lets others in here.
  for (const name of [TOKEN, authTokenEnv]) if (name !== undefined) delete process.env[name]
  // A server that one program speaks with takes none.
  const takesKickstarts = !stdio && mostRemote(options.launch) === 'steer'
  await using _kickstarts = takesKickstarts ? kickstartsBeside(options, homeOf(options)) : undefined
  await runServer(
    { stdio, port, host, ...defined({ resume, connect }) },
    partsOf(options, version),
    {
      input: process.stdin,
      output: stdio ? unblockedStdout(process.stdout) : process.stdout,
      token,
      signal,
      note: (text) => process.stderr.write(`${text}\n`),
    },
  )
}

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'))

const openToOthers = (host: string) =>
  new EngineError(
    'invalid',
    `${host} can be reached from other machines, and JSON-RPC is in clear text: token, prompts and files can be read on the way. ` +
      'That needs --allow-remote; an SSH tunnel to the loopback is safer. Nothing was started.',
  )

/** The SDK names its folder by $COPILOT_HOME; beside it, ours is the wish of another program. */
function homeOf({ home }: RpcOptions): string {
  const given = home.source === '--home' ? home.path : undefined
  return findHome(given ?? (process.env['COPILOT_HOME'] || undefined)).path
}

function partsOf(options: RpcOptions, version: string): ServerParts {
  const { agent, model, cwd, launch, sessionIdleTimeout = 0 } = options
  const home = homeOf(options)
  const fs = openDisk(home)
  const catalogue = createEngine({ cwd, fs })
  keepDiagnostics(home, process.env)
  const namedPlugins: ServerParts['namedPlugins'] = { builtin: [], additional: [] }
  const loaded = once(async () => {
    const [{ loadConfig }, { withLaunch }] = await Promise.all([
      import('../config/load.ts'),
      import('../surfaces/cli/launch-config.ts'),
    ])
    const named = [...namedPlugins.builtin, ...namedPlugins.additional]
    const launched = await withLaunch(await loadConfig(fs, process.env, named), launch, cwd)
    passVariables(process.env, launched.config.environment?.pass ?? [])
    return launched
  })
  const services = once(async () => (await import('./home-services.ts')).openHomeServices({ home }))
  const agents = once(async () => {
    const [{ config, instructions }, wiring] = await Promise.all([
      loaded(),
      import('./session-agents.ts'),
    ])
    return {
      wiring,
      defaults: {
        config,
        instructions,
        services: await services(),
        fs,
        cwd,
        ...defined({ agent, model }),
      },
    }
  })
  const open = async (own: Pick<HostParts, 'fs' | 'services'>) => {
    const [{ config }, { openHost }] = await Promise.all([loaded(), import('./open-host.ts')])
    const configNow = async () => (await loaded()).config
    return openHost({ ...own, cwd, version, config, configNow })
  }
  return {
    version,
    catalogue,
    cwd,
    openHost: async () => open({ fs, services: await services() }),
    async openClientHost(id, { initialCwd: _unused, ...files }, call) {
      const { openClientSession } = await import('../fs/client-session.ts')
      return open({ fs: openClientSession(call, sessionDir(id), files) })
    },
    async agentFor(wish) {
      const { wiring, defaults } = await agents()
      return wiring.agentForSession(wish, defaults)
    },
    async models() {
      const { wiring, defaults } = await agents()
      const choice = wiring.defaultChoice(defaults)
      if (choice.kind !== 'model') return []
      const { name, contextWindow } = choice.model
      return [{ id: name, ...defined({ contextWindow }) }]
    },
    guidance: { userHome: homedir(), repriseHome: home },
    namedPlugins,
    settings: {
      read: async () => (await import('../config/load.ts')).readConfig(fs),
      async change(by) {
        await (await import('../config/change-config.ts')).changeConfig(fs, by)
        loaded.forget()
        agents.forget()
      },
      forget() {
        loaded.forget()
        agents.forget()
      },
    },
    async builtinTools() {
      const [{ ownTools }, { definitionOf }, { openStoreTools }] = await Promise.all([
        import('../agents/model/tool-set.ts'),
        import('../agents/model/build-request.ts'),
        import('./home-services.ts'),
      ])
      return [...ownTools(), ...(await openStoreTools(await services(), fs))].map(definitionOf)
    },
    startExtension: async (of) => (await import('./start-extension.ts')).startExtension(home)(of),
    async prepare() {
      await import('../engine/catalogue/session-summary.ts')
      return catalogue.latest()
    },
    log: logger(LEVELS[options.logLevel ?? 'default']),
    limits: defaultLimits,
    secrets: new Set(),
    tellsEndpoints: process.env['COPILOT_ALLOW_GET_PROVIDER_ENDPOINT'] === 'true',
    permissionMode: options.allowAll === true ? 'allow-all' : 'manual',
    ...(sessionIdleTimeout > 0 && { idleTimeoutMs: sessionIdleTimeout * 1000 }),
  }
}

type Once<T> = (() => Promise<T>) & { forget(): void }

function once<T>(make: () => Promise<T>): Once<T> {
  let made: Promise<T> | undefined
  return Object.assign(() => (made ??= make()), {
    forget() {
      made = undefined
    },
  })
}

const LEVELS: Readonly<Record<string, LogLevel | undefined>> = {
  none: undefined,
  off: undefined,
  error: 'error',
  warning: 'warning',
  warn: 'warning',
  info: 'info',
  debug: 'debug',
  all: 'debug',
  default: 'error',
}

const ORDER: readonly LogLevel[] = ['error', 'warning', 'info', 'debug']

const logger =
  (most: LogLevel | undefined): ServerParts['log'] =>
  (level, message) => {
    if (most !== undefined && ORDER.indexOf(level) <= ORDER.indexOf(most))
      process.stderr.write(`${level}: ${message}\n`)
  }
