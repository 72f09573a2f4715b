/** Wiring only: arguments and environment to parts, parts to one surface. */
import { enableCompileCache } from 'node:module'
import { homedir } from 'node:os'
import { join } from 'node:path'

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
    openEngine: async (options) => (await import('./open-engine.ts')).openEngine(options),
  })
  // Whatever an agent left behind must not hold the program.
  process.exit(code)
}

/** The user's own: a shared folder with a known name could be prepared by somebody else. */
function cacheFolder(): string {
  const { XDG_CACHE_HOME, LOCALAPPDATA } = process.env
  if (XDG_CACHE_HOME) return join(XDG_CACHE_HOME, 'reprise')
  if (process.platform === 'darwin') return join(homedir(), 'Library/Caches/reprise')
  if (process.platform === 'win32' && LOCALAPPDATA) return join(LOCALAPPDATA, 'reprise')
  return join(homedir(), '.cache/reprise')
}
