/** Wires the JSON-RPC server: command line and environment to parts, parts to the surface. */
import { createEngine } from '../engine/engine.ts'
import { EngineError } from '../engine/errors.ts'
import { openDisk } from '../fs/disk.ts'
import { findHome } from './home.ts'
import { defined } from '../lib/defined.ts'
import { keepDiagnostics } from './wire-telemetry.ts'
import type { HostParts } from './open-host.ts'
import { readFlags } from '../surfaces/rpc/flags.ts'
import type { ServeFlags } from '../surfaces/rpc/flags.ts'
import { defaultLimits } from '../surfaces/rpc/limits.ts'
import type { LogLevel, ServerParts } from '../surfaces/rpc/parts.ts'
import { runServer } from '../surfaces/rpc/run.ts'
import { unblockedStdout } from '../surfaces/rpc/stdio.ts'

const TOKEN = 'COPILOT_CONNECTION_TOKEN'

/** The exit code. */
export async function serveRpc(argv: readonly string[], version: string): Promise<number> {
  const ending = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(name, () => ending.abort())
  try {
    const flags = readFlags(argv)
    if (flags.cwd !== undefined) process.chdir(flags.cwd)
    const token = process.env[TOKEN] || undefined
    // What tools start must not inherit what lets others in here.
    for (const name of [TOKEN, flags.authTokenEnv]) if (name !== undefined) delete process.env[name]
    await runServer(flags, partsOf(flags, version), {
      input: process.stdin,
      output: flags.stdio ? unblockedStdout(process.stdout) : process.stdout,
      token,
      signal: ending.signal,
      note: (text) => process.stderr.write(`${text}\n`),
    })
    return 0
  } catch (error) {
    const isWish = error instanceof EngineError && error.code !== 'internal'
    process.stderr.write(`reprise: ${isWish ? error.message : describe(error)}\n`)
    return isWish ? 2 : 1
  }
}

const describe = (error: unknown) =>
  error instanceof Error ? (error.stack ?? error.message) : String(error)

function partsOf(flags: ServeFlags, version: string): ServerParts {
  // The SDK names its folder by $COPILOT_HOME; beside it, ours is somebody else's wish.
  const given = flags.home ?? (process.env['COPILOT_HOME'] || undefined)
  const home = findHome(given).path
  const fs = openDisk(home)
  const catalogue = createEngine({ cwd: process.cwd(), fs })
  keepDiagnostics(home, process.env)
  const loaded = once(async () => {
    const { loadConfig } = await import('../config/load.ts')
    return loadConfig(fs)
  })
  const stores = once(async () => (await import('./home-stores.ts')).storesAt(fs, home))
  const agents = once(async () => {
    const [{ config, instructions }, wiring] = await Promise.all([
      loaded(),
      import('./session-agents.ts'),
    ])
    const { agent, model } = flags
    return {
      wiring,
      defaults: {
        config,
        instructions,
        stores: await stores(),
        ...defined({ agent, model }),
      },
    }
  })
  const open = async (own: Pick<HostParts, 'fs' | 'stores'>) => {
    const [{ config }, { openHost }] = await Promise.all([loaded(), import('./open-host.ts')])
    return openHost({ ...own, cwd: process.cwd(), version, config })
  }
  return {
    version,
    catalogue,
    cwd: process.cwd(),
    openHost: async () => open({ fs, stores: await stores() }),
    async openClientHost({ initialCwd: _unused, ...files }, call) {
      const { openClient } = await import('../fs/client.ts')
      return open({ fs: openClient(call, files) })
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
    log: logger(flags.logLevel),
    limits: defaultLimits,
    permissionMode: flags.allowAll ? 'allow-all' : 'manual',
    ...defined({ idleTimeoutMs: flags.idleTimeoutMs }),
  }
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => (made ??= make())
}

const ORDER: readonly LogLevel[] = ['error', 'warning', 'info', 'debug']

const logger =
  (most: LogLevel | undefined): ServerParts['log'] =>
  (level, message) => {
    if (most !== undefined && ORDER.indexOf(level) <= ORDER.indexOf(most))
      process.stderr.write(`${level}: ${message}\n`)
  }
