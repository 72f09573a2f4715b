/** Where sessions live: --home, then $REPRISE_HOME, then $COPILOT_HOME, else ~/.reprise; and where the program works. */
import { realpathSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'

type Home = {
  /** Absolute. */
  readonly path: string
  readonly source: '--home' | '$REPRISE_HOME' | '$COPILOT_HOME' | 'default'
}

/** A variable that is set to nothing counts as not set. */
export function findHome(given: string | undefined, env: NodeJS.ProcessEnv = process.env): Home {
  if (given !== undefined) return { path: resolve(given), source: '--home' }
  if (env.REPRISE_HOME) return { path: resolve(env.REPRISE_HOME), source: '$REPRISE_HOME' }
  if (env.COPILOT_HOME) return { path: resolve(env.COPILOT_HOME), source: '$COPILOT_HOME' }
  return { path: join(homedir(), '.reprise'), source: 'default' }
}

/** Without links, as the system names the directory of a process. */
export function findDirectory(given: string | undefined): string | undefined {
  if (given === undefined) return process.cwd()
  try {
    return statSync(given).isDirectory() ? realpathSync(given) : undefined
  } catch {
    // Missing, or in a folder that may not be entered: the caller says that it is not there.
    return undefined
  }
}
