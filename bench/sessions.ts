/** Prepares sessions for a run: with or without what we derive from them, or as a copy that may be changed. */
import { closeSync, cpSync, fsyncSync, globSync, openSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { logOf, type OneSession } from './data.ts'

export const catalogueOf = (home: string): string => join(home, '.reprise', 'catalogue.json')

export const snapshotOf = ({ log }: OneSession): string =>
  join(dirname(log), '.reprise', 'snapshot.json')

export function forgetSnapshot(session: OneSession): void {
  rmSync(snapshotOf(session), { force: true })
}

/** Durable before it is measured: a sync must not pay for the copy. */
export function freshCopy(session: OneSession, to: string): OneSession {
  rmSync(to, { recursive: true, force: true })
  cpSync(session.home, to, { recursive: true, preserveTimestamps: true })
  for (const path of globSync('**/*', { cwd: to })) {
    if (!statSync(join(to, path)).isFile()) continue
    const file = openSync(join(to, path), 'r')
    fsyncSync(file)
    closeSync(file)
  }
  return { ...session, home: to, log: logOf(to, session.id) }
}
