/** Wires the terminal: what it may know of this machine, and the rest of this program as its own child. */
import { execFile } from 'node:child_process'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { KNOWN_AGENTS, isOnPath } from './choose-agent.ts'
import { openDisk } from './fs/disk.ts'
import { isSessionId } from './format/ids.ts'
import type { TerminalOptions } from './surfaces/cli/command.ts'
import type { Store } from './store/store.ts'
import type { TuiOptions } from './surfaces/tui/options.ts'

const exec = promisify(execFile)

export async function openTerminal(
  given: TerminalOptions,
  { version, env }: { readonly version: string; readonly env: NodeJS.ProcessEnv },
): Promise<void> {
  const options: TuiOptions = {
    ...given,
    version,
    env,
    now: () => new Date(),
    lookAround: async () => ({ agents: agentsHere(), others: await othersHere(given.home) }),
    listFiles: cached(() => filesIn(given.cwd)),
    searchSessions: async (words) => foundIn(await given.store(), words),
    program: (args) => runProgram([...args, '--home', given.home], given.cwd),
  }
  if (given.isPlain) {
    const { runPlain } = await import('./surfaces/tui/plain.ts')
    await runPlain(options, { input: process.stdin, output: process.stdout })
    return
  }
  const { runTui } = await import('./surfaces/tui/run.ts')
  await runTui(options)
}

const agentsHere = (): string[] =>
  Object.entries(KNOWN_AGENTS).flatMap(([name, program]) => (isOnPath(program) ? [name] : []))

async function othersHere(home: string): Promise<number> {
  const other = join(homedir(), '.copilot')
  if (home === other) return 0
  return (await openDisk(other).list('session-state')).filter(({ name }) => isSessionId(name))
    .length
}

const MOST_HITS = 50

async function foundIn(store: Store, words: string) {
  const { hits } = await store.search({ query: words, limit: MOST_HITS })
  return [...new Set(hits.map(({ sessionId }) => sessionId))]
}

const MOST_FILES = 20_000

/** What git knows of; without git, what lies in the directory itself. */
async function filesIn(cwd: string): Promise<readonly string[]> {
  try {
    const { stdout } = await exec('git', ['ls-files', '-co', '--exclude-standard', '-z'], {
      cwd,
      maxBuffer: 32 * 1024 * 1024,
    })
    return stdout.split('\0').filter(Boolean).slice(0, MOST_FILES)
  } catch {
    return (await openDisk(cwd).list('')).map(({ name }) => name)
  }
}

const FRESH_MS = 5000

function cached<T>(read: () => Promise<T>): () => Promise<T> {
  let known: Promise<T> | undefined
  let until = 0
  return () => {
    if (known === undefined || Date.now() > until) {
      known = read()
      until = Date.now() + FRESH_MS
    }
    return known
  }
}

/** What it prints, errors included: they say what is missing. */
async function runProgram(args: readonly string[], cwd: string): Promise<string> {
  const [, entry = ''] = process.argv
  const all = [...process.execArgv, entry, ...args]
  const { promise, resolve } = Promise.withResolvers<string>()
  const child = execFile(
    process.execPath,
    all,
    { cwd, env: { ...process.env, NO_COLOR: '1' }, maxBuffer: 8 * 1024 * 1024 },
    (_error, stdout, stderr) => resolve(`${stdout}${stderr}`),
  )
  child.stdin?.end()
  return promise
}
