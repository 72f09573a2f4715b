/**
 * Where a path leads: links followed as the system follows them, `..` taken after the link before it, a link that leads
 * to nothing yet followed too, the rest added as written.
 */
import { lstat, readlink, realpath } from 'node:fs/promises'
import { dirname, isAbsolute, join, resolve } from 'node:path'

export async function realPath(path: string): Promise<string> {
  const whole = isAbsolute(path) ? path : `${process.cwd()}/${path}`
  // Not there, or not to be looked at: each step by itself tells how far it goes.
  const real = await realpath(whole).catch(() => undefined)
  return real ?? (await walk(whole, undefined)) ?? resolve(path)
}

/**
 * The same for another process that was started in `cwd`. Undefined when only that process can tell: what it has opened
 * under a number.
 */
export async function realPathElsewhere(path: string, cwd: string): Promise<string | undefined> {
  const whole = isAbsolute(path) ? path : `${cwd}/${path}`
  return process.platform === 'linux' ? walk(whole, cwd) : realPath(whole)
}

const MOST_LINKS = 40

/** `cwd`: the directory of the process that would open it; undefined for this one. */
async function walk(path: string, cwd: string | undefined): Promise<string | undefined> {
  if (process.platform === 'win32') return realParents(path)
  const steps = path.split('/')
  let links = 0
  let at = '/'
  for (let step = steps.shift(); step !== undefined; step = steps.shift()) {
    if (step === '' || step === '.') continue
    if (step === '..') {
      at = dirname(at)
      continue
    }
    const next = join(at, step)
    const leads = cwd === undefined ? undefined : ownFolder(next, cwd)
    if (leads === 'opened') return undefined
    const target = leads ?? (await linkAt(next))
    if (target === undefined) {
      at = next
      continue
    }
    if (++links > MOST_LINKS) return undefined
    steps.unshift(...target.split('/'))
    if (target.startsWith('/')) at = '/'
  }
  return at
}

/** Undefined for what is no link, or is not there. */
async function linkAt(path: string): Promise<string | undefined> {
  const found = await lstat(path).catch(() => undefined) // not there, or in a folder that is closed to us
  return found?.isSymbolicLink() === true
    ? readlink(path).catch(() => undefined) // gone since: the same as not there
    : undefined
}

/** What a process finds of itself below /proc. */
function ownFolder(path: string, cwd: string): string | undefined {
  const [, what] =
    /^\/proc\/(?:self|thread-self|\d+)(?:\/task\/\d+)?\/(cwd|root|fd)$/.exec(path) ?? []
  if (what === 'cwd') return cwd
  if (what === 'root') return '/'
  return what === 'fd' || path === '/dev/fd' ? 'opened' : undefined
}

async function realParents(path: string): Promise<string> {
  const whole = resolve(path)
  const real = await realpath(whole).catch(() => undefined) // not there yet: its parent may be
  if (real !== undefined) return real
  const parent = dirname(whole)
  return parent === whole ? whole : join(await realParents(parent), whole.slice(parent.length))
}
