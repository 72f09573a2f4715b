/** Where sessions live: --home, then $REPRISE_HOME, then $COPILOT_HOME, else ~/.reprise. */
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
