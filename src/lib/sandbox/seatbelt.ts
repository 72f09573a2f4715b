/** The profile of `sandbox-exec` on macOS. Of all rules that fit, the last one counts. */
import { dirname } from 'node:path'
import type { Place, Walls } from './walls.ts'

export function seatbeltProfile({ places, network }: Walls): string {
  return [
    '(version 1)',
    '(allow default)',
    ...(network ? [] : ['(deny network*)']),
    '(deny file-write*)',
    `(allow file-write* (literal "/dev/null") (literal "/dev/zero") (literal "/dev/tty") (literal "/dev/ptmx")`,
    '  (literal "/dev/dtracehelper") (subpath "/dev/fd") (regex #"^/dev/ttys[0-9]+$"))',
    ...places.flatMap(rulesOf),
    // A folder around a place that is kept could be moved away, and another one put there.
    ...[...new Set(places.flatMap(foldersAround))].map(
      (path) => `(deny file-write-unlink (literal ${quoted(path)}))`,
    ),
  ].join('\n')
}

function rulesOf({ path, access, isFolder }: Place): readonly string[] {
  const where = `(${isFolder ? 'subpath' : 'literal'} ${quoted(path)})`
  if (access === 'writable') return [`(allow file-write* ${where})`]
  if (access === 'read-only') return [`(deny file-write* ${where})`]
  return [`(deny file-read* file-write* ${where})`]
}

function foldersAround({ path, isPinned }: Place): readonly string[] {
  return isPinned === true ? [path, dirname(path)] : []
}

const quoted = (path: string): string => `"${path.replace(/["\\]/g, '\\$&')}"`
