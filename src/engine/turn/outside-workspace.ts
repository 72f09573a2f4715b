/**
 * Whether something that an agent wants to do leads out of the given folders, as far as its text tells. Pure. A command
 * that names its paths in a way that cannot be read here, as by a variable, counts as leading out.
 */
import { isAbsolute, resolve } from 'node:path'
import type { PermissionRequest } from '../agent.ts'

export function leadsOutside(
  request: PermissionRequest,
  { cwd, folders }: { readonly cwd: string; readonly folders: readonly string[] },
): boolean {
  const isInside = (path: string) => {
    const whole = resolve(cwd, path)
    return folders.some((folder) => whole === folder || whole.startsWith(`${folder}/`))
  }
  if (request.kind === 'read') return !isInside(request.path)
  if (request.kind === 'write') return !isInside(request.fileName)
  if (request.kind !== 'shell') return false
  return wordsOf(request.fullCommandText).some((word) => isUnread(word) || namesOutside(word))

  function namesOutside(word: string): boolean {
    if (HARMLESS.has(word) || !(isAbsolute(word) || /(^|\/)\.\.(\/|$)/.test(word))) return false
    return !isInside(word)
  }
}

/** Streams of the process itself are no files. */
const HARMLESS: ReadonlySet<string> = new Set([
  '/dev/null',
  '/dev/stdin',
  '/dev/stdout',
  '/dev/stderr',
  '/dev/tty',
])

/** An address has slashes and is no path. */
const ADDRESS = /(?<![a-z0-9+.-])[a-z][a-z0-9+.-]*:\/\/\S*/gi

/** Quotes and signs of the shell stand between words, as does the sign of `--output=/x`. */
const wordsOf = (command: string): readonly string[] =>
  command.replace(ADDRESS, ' ').split(/[\s'"`;&|<>(){}=,:@]+/)

/** A home, or a variable in front of a slash: only the shell knows where that is. */
const isUnread = (word: string): boolean => word.startsWith('~') || /\$\w+\//.test(word)
