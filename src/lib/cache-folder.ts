/** The user's own folder for what can be made again. A shared folder with a known name another user could prepare. */
import { homedir } from 'node:os'
import { join } from 'node:path'

export function cacheFolder(env: NodeJS.ProcessEnv = process.env): string {
  const { XDG_CACHE_HOME, LOCALAPPDATA } = env
  if (XDG_CACHE_HOME) return join(XDG_CACHE_HOME, 'reprise')
  if (process.platform === 'darwin') return join(homedir(), 'Library/Caches/reprise')
  if (process.platform === 'win32' && LOCALAPPDATA) return join(LOCALAPPDATA, 'reprise')
  return join(homedir(), '.cache/reprise')
}
