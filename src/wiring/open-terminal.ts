/** Wires the terminal: what it may know of this machine and of all sessions. */
import { execFile } from 'node:child_process'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { readConfig, writeConfig } from '../config/load.ts'
import { openDisk } from '../fs/disk.ts'
import { isSessionId } from '../format/ids.ts'
import { SESSIONS } from '../format/paths.ts'
import type { TerminalOptions } from '../surfaces/cli/command.ts'
import { editOutside } from './edit-outside.ts'
import { agentsToConnect } from './connect-agents.ts'
import { agentsHere } from './known-agents.ts'
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
    agents: agentsToConnect({
      fs: given.engine.fs,
      home: given.home,
      cwd: given.cwd,
      wishes: given.wishes,
      version,
      env,
    }),
    listFiles: cached(() => filesIn(given.cwd)),
    editOutside: (text) => editOutside(text, env),
    past,
    saveLook: async (look) => {
      const config = await readConfig(given.engine.fs)
      await writeConfig(given.engine.fs, { ...config, terminal: { ...config.terminal, ...look } })
    },
    // A configuration that cannot be read is told by what needs it.
    settings: (await readConfig(given.engine.fs).catch(() => undefined))?.terminal ?? {},
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
