/** The one spelling of a path: links resolved as far as it exists, the rest added as written. */
import { realpath } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'

export async function realPath(path: string): Promise<string> {
  const whole = resolve(path)
  const real = await realpath(whole).catch(() => undefined) // not there yet: its parent may be
  if (real !== undefined) return real
  const parent = dirname(whole)
  return parent === whole ? whole : join(await realPath(parent), basename(whole))
}
