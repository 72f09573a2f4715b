/** Which files and folders of the disk rules name: those that deny to read or write, and those that allow to write. */
import { isBelow } from '../../lib/is-below.ts'
import { isFolder } from '../../lib/is-folder.ts'
import { expandStem, meansPlace, patternsOf, type Pattern } from '../../lib/sandbox/expand-glob.ts'
import { placeFinder, type Found, type PlaceFinder } from '../../lib/sandbox/find-places.ts'
import type { PermissionRules } from '../turn/permission-rules.ts'
import { allows, leadOf, parseRule, type Rule } from './rule.ts'

type Ruled = { readonly rules: PermissionRules; readonly cwd: string }

type Denied = { readonly rule: string; readonly patterns: readonly Pattern[] }

/** A pattern that begins with `**` fits anywhere; it is looked for in the project. */
export async function deniedPatterns(
  { rules, cwd }: Ruled,
  kind: string,
): Promise<readonly Denied[]> {
  const parsed = (rules.deny ?? []).map(parseRule).filter((rule) => rule.kind === kind)
  // Without a pattern nothing could be read that a program needs.
  const meant = parsed.filter(({ pattern }) => pattern !== undefined || kind === 'write')
  return Promise.all(meant.map(async (rule) => ({ rule: rule.text, patterns: await led(rule) })))

  async function led({ pattern = '**' }: Rule): Promise<readonly Pattern[]> {
    if (pattern.startsWith('**')) return patternsOf(`/${pattern}`)
    if (/^[/~]/.test(pattern)) return patternsOf(await leadOf(pattern, cwd))
    return patternsOf(`${literal(cwd)}/${pattern}`)
  }
}

/** A folder's name may hold what stands for something else in a pattern. */
const literal = (path: string): string =>
  path.replace(/[*?[\]\\{}]/g, (sign) => (/[{}]/.test(sign) ? `[${sign}]` : `\\${sign}`))

/** Folders outside of the project that the user lets an agent write. */
export async function allowedFolders({ rules, cwd }: Ruled): Promise<readonly string[]> {
  const allowed = (rules.allow ?? []).map(parseRule)
  const leads = await Promise.all(
    allowed.flatMap(({ kind, pattern }) =>
      kind === 'write' && pattern !== undefined ? [leadOf(pattern, cwd)] : [],
    ),
  )
  const { folders = [] } = rules.allTools ?? {}
  return [
    ...(folders === 'any' ? [] : folders),
    ...leads.flatMap((lead) =>
      /^\/[^*?[\]{}\\]+(?:\/\*\*)?$/.test(lead) ? [lead.replace(/\/\*\*$/, '')] : [],
    ),
  ]
}

/** Those of the places that run later which no rule lets be written by its name. */
export async function notNamed(
  found: readonly string[],
  { rules, cwd }: Ruled,
): Promise<readonly string[]> {
  const writes = (rules.allow ?? []).map(parseRule).filter(({ kind }) => kind === 'write')
  if (writes.length === 0) return found
  const subjects = { cwd, all: [], isCommand: false }
  const isNamed = async (path: string) => {
    for (const rule of writes)
      for (const place of [path, `${path}/any`]) {
        const subject = {
          kind: 'write',
          places: [place],
          spelled: place,
          isMention: false,
        } as const
        if (await allows(rule, subject, subjects)) return true
      }
    return false
  }
  const kept = await Promise.all(found.map(async (path) => ((await isNamed(path)) ? [] : [path])))
  return kept.flat()
}

type Test = (entry: Found) => boolean
type Finder = { readonly tests: Map<string, Test>; finder: PlaceFinder | undefined }
export type Finders = Map<string, Finder>

type Search = { readonly root: string; readonly finders: Finders }

export async function searched(
  denied: readonly Denied[],
  search: Search,
): Promise<{
  readonly found: readonly { path: string; rule: string }[]
  readonly isWhole: boolean
}> {
  const all = await Promise.all(
    denied.flatMap(({ rule, patterns }) =>
      patterns.map(async (pattern) => ({ rule, ...(await placesBy(pattern, search)) })),
    ),
  )
  return {
    found: all.flatMap(({ rule, paths }) => paths.map((path) => ({ path, rule }))),
    isWhole: all.every(({ isWhole }) => isWhole),
  }
}

async function placesBy(
  pattern: Pattern,
  { root, finders }: Search,
): Promise<{ readonly paths: readonly string[]; readonly isWhole: boolean }> {
  const stems = await expandStem(pattern)
  if (!pattern.hasAny) {
    const areFolders = await Promise.all(stems.map(isFolder))
    return { paths: stems.filter((_, at) => !pattern.isFolder || areFolders[at]), isWhole: true }
  }
  const all = await Promise.all(
    stems.map((stem) => {
      const isWanted = meansPlace(pattern, stem)
      // A whole disk is not searched.
      const base = isBelow(stem, root) ? root : stem
      return finderFor(finders, { base, key: pattern.text, isWanted }).find()
    }),
  )
  return {
    paths: all.flatMap(({ found }) => found.map(({ path }) => path)),
    isWhole: all.every(({ isWhole }) => isWhole),
  }
}

/** One search of a folder serves all that is looked for in it. */
export function finderFor(
  finders: Finders,
  { base, key, isWanted }: { readonly base: string; readonly key: string; readonly isWanted: Test },
): PlaceFinder {
  const known = finders.get(base) ?? { tests: new Map<string, Test>(), finder: undefined }
  finders.set(base, known)
  if (!known.tests.has(key)) {
    known.tests.set(key, isWanted)
    known.finder = undefined
  }
  const isAnyWanted: Test = (entry) => Array.from(known.tests.values()).some((test) => test(entry))
  const finder = (known.finder ??= placeFinder(base, isAnyWanted))
  return {
    async find() {
      const { found, isWhole } = await finder.find()
      return { found: found.filter(isWanted), isWhole }
    },
  }
}
