/** Wiring only: arguments and environment to parts, parts to one surface. */
import { enableCompileCache } from 'node:module'
import { cacheFolder } from './lib/cache-folder.ts'

const version = typeof REPRISE_VERSION === 'string' ? REPRISE_VERSION : 'source'
const argv = process.argv.slice(2)
const { env, stdout, stderr } = process

// Asked for often and by programs: nothing is loaded for it.
if (/^(--version|-V|-v)$/.test(argv[0] ?? '')) stdout.write(`${version}\n`)
else process.exit(await start())

async function start(): Promise<number> {
  enableCompileCache(cacheFolder())
  const [{ runCli }, { findHome }, { findDirectory }, { keepDiagnostics }] = await Promise.all([
    import('./surfaces/cli/run.ts'),
    import('./config/home.ts'),
    import('./wiring/directory.ts'),
    import('./wiring/wire-telemetry.ts'),
  ])
  // Neither a watched folder nor an open question keeps a process alive by itself.
  setInterval(() => {}, 2 ** 30)
  const around = { version, env }
  return runCli({
    argv,
    env,
    version,
    // Opened at the first read: a list does not, and starts sooner.
    get stdin() {
      return process.stdin
    },
    stdout,
    stderr,
    findHome: (given) => findHome(given, env),
    findDirectory,
    keepDiagnostics: ({ path }) => keepDiagnostics(path, env),
    findAgents: async (cwd, found) =>
      (await import('./agents/acp/discover.ts')).discoverAgents({ cwd, version }, found),
    openEngine: async (options) =>
      (await import('./wiring/open-engine.ts')).openConfiguredEngine(options),
    openTerminal: async (options) =>
      (await import('./wiring/open-terminal.ts')).openTerminal(options, around),
    openStore: async (options) => (await import('./wiring/open-store.ts')).openStoreAt(options),
    openRedactor: async (home) => (await import('./wiring/open-redactor.ts')).loadRedactorOf(home),
    openFarStore: async (home) =>
      (await import('./wiring/open-far-store.ts')).openFarStoreOf(home, process.env),
    exportSession: async (engine, wish) =>
      (await import('./wiring/export-session.ts')).exportTo(engine, wish),
    serveAcp: async (options) => (await import('./wiring/serve-acp.ts')).serveAcp(options, around),
    serveWeb: async (options) => (await import('./wiring/serve-web.ts')).serveWeb(options, around),
    serveControl: async (options) =>
      (await import('./wiring/serve-control.ts')).serveMissionControl(options, version),
    serveWorker: async (options) => (await import('./wiring/serve-worker.ts')).serveWorker(options),
    visitControl: async (place, work) =>
      (await import('./wiring/visit-control.ts')).visitControl(place, work),
    joinControl: async (url, options) =>
      (await import('./wiring/join-control.ts')).joinControl(url, options),
    serveRpc: async (options) => (await import('./wiring/serve-rpc.ts')).serveRpc(options, version),
  })
}
