/** Git takes settings, and programs to run, from the repository that it stands in: one that came along is not asked about. */
import { dirname } from 'node:path'
import { namesIn } from '../../lib/files-fitting.ts'
import { isBelow } from '../../lib/is-below.ts'
import { programOf } from '../../lib/shell/open-command.ts'
import type { ShellParts } from '../../lib/shell/parts.ts'
import { readsOnly } from './classify-command.ts'
import { placesOf } from './rule-words.ts'

/** Whether git may be run in another repository than the one of `cwd`. */
export async function mayLeaveRepository(parts: ShellParts, cwd: string): Promise<boolean> {
  const { commands, moves, writes } = parts
  if (moves.length === 0 || !commands.some((command) => programOf(command) === 'git')) return false
  const [target, ...more] = moves
  // What stands beside it may make a repository where there is none yet.
  const isQuiet = commands.every((command) => isMove(command) || readsOnly(command))
  if (target === undefined || more.length > 0 || !isQuiet || writes.length > 0) return true
  const places = (await placesOf(target, cwd)) ?? []
  const [folder = '/'] = places
  if (places.length !== 1 || !isBelow(cwd, folder)) return true
  for (let at = folder; at !== cwd; at = dirname(at))
    if (isRepository(await namesIn(at))) return true
  return false
}

const isMove = (command: ShellParts['commands'][number]): boolean =>
  /^(?:cd|chdir)$/.test(programOf(command) ?? '')

/** A folder that is closed to us may be one. */
const isRepository = (names: readonly string[] | undefined): boolean =>
  names === undefined || names.includes('.git') || names.includes('HEAD')
