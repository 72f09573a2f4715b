/** Wiring only: arguments and environment to parts, parts to one surface. */
import { enableCompileCache } from 'node:module'
import { cacheFolder } from './lib/cache-folder.ts'

const version = typeof REPRISE_VERSION === 'string' ? REPRISE_VERSION : 'source'
const argv = process.argv.slice(2)
const [first = ''] = argv
const { env, stdout, stderr } = process
const SERVES: ReadonlySet<string> = new Set(['--headless', '--server', '--ui-server'])

if (first === '--version' || first === '-V') stdout.write(`${version}\n`)
else process.exit(await start())

async function start(): Promise<number> {
  enableCompileCache(cacheFolder())
  if (argv.includes('--help') || argv.includes('-h')) return commandLine()
  // A program is served, not a person: these read their arguments themselves.
  const rest = argv.slice(1)
  if (first === 'acp') {
    const { serveAcp } = await import('./wiring/serve-acp.ts')
    return told(() => serveAcp({ argv: rest, env, version, stdin: process.stdin, stdout, stderr }))
  }
  if (first === 'web') return told(() => web(rest))
  if (first === 'export') {
    const { runExport } = await import('./wiring/export-session.ts')
    return told(() => runExport({ argv: rest, env, stdout }))
  }
  if (argv.some((word) => SERVES.has(word))) return told(served)
  return commandLine()
}

async function served(): Promise<number> {
  const { whichServer } = await import('./wiring/which-server.ts')
  const server = whichServer(argv)
  if (server === undefined) return commandLine()
  if (server.kind === 'web') return web(server.argv)
  const { serveRpc } = await import('./wiring/serve-rpc.ts')
  return serveRpc(server.argv, version)
}

async function web(words: readonly string[]): Promise<number> {
  const { serveWeb } = await import('./wiring/serve-web.ts')
  return serveWeb({ argv: words, env, version, stdout, stderr })
}

async function commandLine(): Promise<number> {
  const [{ runCli }, { findHome }, { keepDiagnostics }] = await Promise.all([
    import('./surfaces/cli/run.ts'),
    import('./wiring/home.ts'),
    import('./wiring/wire-telemetry.ts'),
  ])
  // Neither a watched folder nor an open question keeps a process alive by itself.
  setInterval(() => {}, 2 ** 30)
  return runCli({
    argv,
    env,
    version,
    // Opened by whoever reads it: a list does not, and starts sooner.
    get stdin() {
      return process.stdin
    },
    stdout,
    stderr,
    findHome: (given) => {
      const home = findHome(given)
      keepDiagnostics(home.path, env)
      return home
    },
    findAgents: async (cwd) =>
      (await import('./agents/acp/discover.ts')).discoverAgents({ cwd, version }),
    openEngine: async (options) =>
      (await import('./wiring/open-engine.ts')).openConfiguredEngine(options),
    openTerminal: async (options) =>
      (await import('./wiring/open-terminal.ts')).openTerminal(options, { version, env }),
    openStore: async (options) => (await import('./wiring/open-store.ts')).openStoreAt(options),
    openRedactor: async (home) => (await import('./wiring/open-redactor.ts')).loadRedactorOf(home),
  })
}

/** Failures in the words and with the exit codes of the command line. */
async function told(serve: () => Promise<number>): Promise<number> {
  try {
    return await serve()
  } catch (error) {
    const [{ tellFailure }, { createOutput }, { EngineError }] = await Promise.all([
      import('./surfaces/cli/failure.ts'),
      import('./surfaces/cli/output.ts'),
      import('./engine/errors.ts'),
    ])
    const out = createOutput(stdout, stderr, env)
    const isUsage =
      error instanceof TypeError && String(Reflect.get(error, 'code')).startsWith('ERR_PARSE_ARGS')
    const failure = isUsage ? new EngineError('invalid', error.message, { cause: error }) : error
    const code = tellFailure(out, failure, { json: argv.includes('--json') })
    await out.drained()
    return code
  }
}
