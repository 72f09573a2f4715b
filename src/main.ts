/** Starts the command line. */
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
  const [{ runCli }, { makeHost }] = await Promise.all([
    import('./surfaces/cli/run.ts'),
    import('./wiring/cli-host.ts'),
  ])
  // Neither a watched folder nor an open question keeps a process alive by itself.
  setInterval(() => {}, 2 ** 30)
  return runCli(
    makeHost({
      argv,
      env,
      version,
      get stdin() {
        return process.stdin
      },
      stdout,
      stderr,
    }),
  )
}
