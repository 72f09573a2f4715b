/** Wires the terminal: what it may know of this machine and of all sessions. */
import { execFile } from 'node:child_process'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findProgram, isOnPath } from '../agents/acp/find-program.ts'
import { knownAgents } from '../agents/acp/known.ts'
import { EngineError } from '../engine/errors.ts'
import { openDisk } from '../fs/disk.ts'
import { isSessionId } from '../format/ids.ts'
import { SESSIONS } from '../format/paths.ts'
import type { TerminalOptions } from '../surfaces/cli/command.ts'
import { openHomeServices } from './home-services.ts'
import type { TuiOptions } from '../surfaces/tui/options.ts'

const exec = promisify(execFile)

export async function openTerminal(
  given: TerminalOptions,
  { version, env }: { readonly version: string; readonly env: NodeJS.ProcessEnv },
): Promise<void> {
  const past = openHomeServices({ home: given.home, env, store: given.store })
  const options: TuiOptions = {
    ...given,
    version,
    env,
    now: () => new Date(),
    lookAround: async () => ({ agents: agentsHere(), others: await othersHere(given.home) }),
    agents: agentsFor(given),
    listFiles: cached(() => filesIn(given.cwd)),
    past,
  }
  try {
    if (given.isPlain) {
      const { runPlain } = await import('../surfaces/tui/plain/run-plain.ts')
      await runPlain(options, {
        input: process.stdin,
        output: process.stdout,
        isInteractive: process.stdin.isTTY,
        onInterrupt,
      })
    } else {
      const { runTui } = await import('../surfaces/tui/run.ts')
      await runTui(options)
    }
  } finally {
    await past.close()
  }
}

/** A ctrl+c that interrupts something ends nothing else; any other is for those that listened before. */
function onInterrupt(interrupt: () => boolean): Disposable {
  const others = process.listeners('SIGINT')
  const listen = (signal: 'SIGINT') => {
    if (!process.stdin.isTTY || !interrupt()) for (const other of others) other(signal)
  }
  process.removeAllListeners('SIGINT')
  process.on('SIGINT', listen)
  return {
    [Symbol.dispose]() {
      process.off('SIGINT', listen)
      for (const other of others) process.on('SIGINT', other)
    },
  }
}

const agentsHere = (): string[] =>
  Object.entries(knownAgents).flatMap(([name, known]) => (findProgram(known) ? [name] : []))

const agentsFor = ({ engine: { fs }, home, cwd }: TerminalOptions): TuiOptions['agents'] => ({
  list: () => [
    ...agentsHere().map((name) => ({ name, about: 'on this machine' })),
    { name: 'model', about: 'a model by its API, as configured' },
    { name: 'offline', about: 'no model: does what is spelled out' },
  ],
  async make(name) {
    const [{ chooseAgent }, { makeAgent }, { loadConfig }, { withLaunch }] = await Promise.all([
      import('../agents/choose.ts'),
      import('./make-agent.ts'),
      import('../config/load.ts'),
      import('../surfaces/cli/launch-config.ts'),
    ])
    const { config, instructions } = await withLaunch(await loadConfig(fs), {}, cwd)
    const choice = chooseAgent({ agent: name }, config, process.env)
    if (choice.kind === 'command') requireProgram(choice.words[0] ?? '')
    return makeAgent(choice, config, { instructions, fs, services: openHomeServices({ home }) })
  },
})

function requireProgram(word: string): void {
  if (word.includes('/') || isOnPath(word)) return
  throw new EngineError(
    'not_found',
    `There is no agent and no program "${word}" here. Nothing was changed. /agent lists what there is.`,
  )
}

async function othersHere(home: string): Promise<number> {
  const other = join(homedir(), '.copilot')
  if (home === other) return 0
  return (await openDisk(other).list(SESSIONS)).filter(({ name }) => isSessionId(name)).length
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
    // No git, or no repository.
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
