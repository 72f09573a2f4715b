/** Where a known agent's program is: on PATH, or among what npx has fetched before. Nothing is fetched, and no project is searched. */
import { readdirSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { isProgram, onPath } from '../../lib/on-path.ts'
import type { KnownAgent } from './known.ts'

export type FoundProgram = { readonly command: string; readonly where: 'path' | 'npx' }

export function findProgram(
  { command, package: name }: Pick<KnownAgent, 'command' | 'package'>,
  env: NodeJS.ProcessEnv = process.env,
): FoundProgram | undefined {
  const found = onPath(command, env)
  if (found !== undefined) return { command: found, where: 'path' }
  const fetched = npxFolders(env)
    .filter((folder) => isThere(join(folder, 'node_modules', name)))
    .map((folder) => join(folder, 'node_modules/.bin', command))
    .find(isProgram)
  return fetched === undefined ? undefined : { command: fetched, where: 'npx' }
}

/** The newest first. */
function npxFolders(env: NodeJS.ProcessEnv): string[] {
  const cache = env['npm_config_cache'] ?? join(env['HOME'] ?? homedir(), '.npm')
  const npx = join(cache, '_npx')
  try {
    return readdirSync(npx)
      .map((name) => join(npx, name))
      .map((folder) => ({ folder, changed: statSync(folder).mtimeMs }))
      .sort((one, other) => other.changed - one.changed)
      .map(({ folder }) => folder)
  } catch {
    // npx has never been used here, or is clearing its cache just now.
    return []
  }
}

function isThere(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    // Missing, or not for this user to see.
    return false
  }
}
