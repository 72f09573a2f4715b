/**
 * Whether a command that failed was refused something by its sandbox. Nothing tells but its own output: what the system
 * says where a file is read-only or masked, or where a program may not get more rights.
 */
import { basename } from 'node:path'

export type Refusal = {
  /** The line that tells, as the command wrote it. */
  readonly line: string
  /** The masked place that is named in it. */
  readonly masked?: { readonly path: string; readonly why: string }
  /** Beside other output, as of `grep -r`: a masked file was met, and not looked for. */
  readonly isMet: boolean
}

type Known = {
  readonly masked: readonly { readonly path: string; readonly why: string }[]
  readonly network: boolean
  readonly isRoot: boolean
}

const MOST_LINES = 2000

/** Undefined where the command succeeded, or failed for a reason of its own. */
export function refusalIn(
  { output, exitCode }: { readonly output: string; readonly exitCode: number },
  { masked, network, isRoot }: Known,
): Refusal | undefined {
  if (exitCode === 0) return undefined
  const lines = output.split('\n').slice(-MOST_LINES)
  const refused = lines.flatMap((line): Refusal[] => {
    const place = DENIED.test(line) ? masked.find(({ path }) => names(line, path)) : undefined
    if (place !== undefined) return [{ line, masked: place, isMet: false }]
    const isRefused =
      WRITES.test(line) ||
      RIGHTS.test(line) ||
      (isRoot && /operation not permitted|\bEPERM\b/i.test(line)) ||
      (!network && NETWORK.test(line))
    return isRefused ? [{ line, isMet: false }] : []
  })
  const written = refused.find(({ masked: place }) => place === undefined)
  if (written !== undefined) return written
  const others = lines.filter((line) => line.trim() !== '').length - refused.length
  const [first] = refused
  return first && { ...first, isMet: others > 0 }
}

const WRITES =
  /read-only file ?system|\bEROFS\b|device or resource busy|\bEBUSY\b|\bEXDEV\b|cross-device link/i
const DENIED =
  /permission denied|\bEACCES\b|no such file or directory|\bENOENT\b|can only add regular files|connection refused|cannot connect/i
const RIGHTS =
  /no new privileges|must be owned by uid 0 and have the setuid bit|effective uid is not 0|bad owner or permissions on \/etc\/ssh|operation not supported by the sandbox/i
const NETWORK =
  /could not resolve host|name resolution|network is unreachable|\b(?:ENOTFOUND|EAI_AGAIN|ENETUNREACH)\b/i

/** By its path, or by its name as a word. */
function names(line: string, path: string): boolean {
  if (line.includes(path)) return true
  const name = basename(path).replace(/\W/g, '\\$&')
  return new RegExp(`(?<![\\w.-])${name}(?![\\w-]|\\.\\w)`).test(line)
}
