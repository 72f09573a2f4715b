/** Wiring only: arguments and environment to parts, parts to one surface. */
import { enableCompileCache } from 'node:module'
import { cacheFolder } from './lib/cache-folder.ts'

const version = typeof REPRISE_VERSION === 'string' ? REPRISE_VERSION : 'source'
const argv = process.argv.slice(2)

if (argv[0] === '--version' || argv[0] === '-V') process.stdout.write(`${version}\n`)
else await start()

async function start(): Promise<void> {
  enableCompileCache(cacheFolder())
  const [{ runCli }, { findHome }] = await Promise.all([
    import('./surfaces/cli/run.ts'),
    import('./home.ts'),
  ])
  // Neither a watched folder nor an open question keeps a process alive by itself.
  setInterval(() => {}, 2 ** 30)
  const code = await runCli({
    argv,
    env: process.env,
    version,
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    findHome: (given) => findHome(given),
    findAgents: async (cwd) =>
      (await import('./agents/acp/discover.ts')).discoverAgents({ cwd, version }),
    openEngine: async (options) => (await import('./open-engine.ts')).openConfiguredEngine(options),
    openStore: async (options) => (await import('./open-store.ts')).openStoreAt(options),
  })
  // Whatever an agent left behind must not hold the program.
  process.exit(code)
}
