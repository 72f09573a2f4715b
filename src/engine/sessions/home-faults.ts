/**
 * What of the home itself is not what it should be: a file where a folder belongs, a link that leads out, a closed door, an
 * empty key. By the table of its layout; what can be made again from the logs has a diagnosis of its own (the store).
 */
import { layout, type LayoutRow } from '../../format/layout.ts'
import { inHome } from '../../format/paths.ts'
import { codeOf } from '../../fs/fs-error.ts'
import type { SessionFs } from '../../fs/session-fs.ts'
import { errorText } from '../../lib/error-text.ts'

export type HomeFault = { readonly path: string; readonly message: string }

export async function homeFaults(fs: SessionFs): Promise<readonly HomeFault[]> {
  const faults: HomeFault[] = []
  for (const [path, { isFolder, meaning }] of expected()) {
    const reason = await faultOf(fs, path, isFolder)
    if (reason !== undefined && !faults.some((each) => path.startsWith(`${each.path}/`)))
      faults.push({ path, message: `${path} cannot be used: ${reason}. It holds ${meaning}.` })
  }
  return faults
}

type Expected = { readonly isFolder: boolean; readonly meaning: string }

const STORES: readonly LayoutRow[] = [layout.home.store, layout.home.ownStore]

/** The names that do not vary, each folder before what is in it. */
function expected(): ReadonlyMap<string, Expected> {
  const all = new Map<string, Expected>()
  for (const row of Object.values<LayoutRow>(layout.home)) {
    if (row.whose === 'copilot' || STORES.includes(row)) continue
    const names = row.path.replace(/\[[^\]]*\]/g, '').split('/')
    const fixed = names.findIndex((name) => name === '' || name.includes('<'))
    const meaning = row.meaning.replace(/^§\d+: /, '')
    const end = fixed === -1 ? names.length : fixed
    for (let count = 1; count <= end; count++) {
      const path = names.slice(0, count).join('/')
      const isFolder = count < names.length
      if (!all.has(path)) all.set(path, { isFolder, meaning })
    }
  }
  return all
}

const KEYS: ReadonlySet<string> = new Set([inHome('sealKey'), inHome('redactionKey')])

async function faultOf(
  fs: SessionFs,
  path: string,
  isFolder: boolean,
): Promise<string | undefined> {
  try {
    if (isFolder) return void (await fs.list(path))
    const file = await fs.openRead(path)
    await file?.close()
    return file?.size === 0 && KEYS.has(path)
      ? 'it is empty; once it is removed, a new one is made'
      : undefined
  } catch (cause) {
    if (codeOf(cause) === undefined) throw cause
    return errorText(cause)
  }
}
