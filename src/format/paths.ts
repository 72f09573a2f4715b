/**
 * Paths by the table of layout.ts: built from their parts, and read back. A path is relative to the home, with `/`
 * between names; `dir` is the folder of a session. Pure.
 */
import { asSessionId, type SessionId } from './ids.ts'
import { layout, parts, type LayoutRow } from './layout.ts'

type Home = typeof layout.home
type Session = typeof layout.session

type PartName = keyof typeof parts
/** The names of the parts of a path that must be given; what may be missing is left out. */
type Needed<Path extends string> = Path extends `${infer Before}[${string}]${infer After}`
  ? Needed<`${Before}${After}`>
  : Path extends `${string}<${infer Name}>${infer Rest}`
    ? Name | Needed<Rest>
    : never
type Given<Path extends string> = [Needed<Path>] extends [never]
  ? []
  : [given: Readonly<Record<Needed<Path>, string | number>>]

export const SESSIONS = folderOf(layout.home.session)
export const TRASH = folderOf(layout.home.trashed)

/** Checked: what is no id never becomes part of a path. */
export const sessionDir = (id: SessionId): string => `${SESSIONS}/${asSessionId(id)}`
export const logPath = (dir: string): string => inSession(dir, 'log')

export const inHome = <Name extends keyof Home>(
  name: Name,
  ...given: Given<Home[Name]['path']>
): string => built(layout.home[name], given[0])

export const inSession = <Name extends keyof Session>(
  dir: string,
  name: Name,
  ...given: Given<Session[Name]['path']>
): string => `${dir}/${built(layout.session[name], given[0])}`

/** The folder that holds the files of a row, or the folders that do. */
export const homeFolder = (name: keyof Home): string => folderOf(layout.home[name])
export const sessionFolder = (dir: string, name: keyof Session): string =>
  `${dir}/${folderOf(layout.session[name])}`

/** What the session's folder calls the one that is ours alone; other programs leave none. */
export const OWN = folderOf(layout.session.lease).split('/')[0] ?? ''

/** As its row has it: below the home, or below the session's folder. */
export const pathFrom = <Path extends string>(
  row: LayoutRow<Path>,
  ...given: Given<Path>
): string => built(row, given[0])

/** The name of a file in its folder. */
export const fileName = <Path extends string>(
  row: LayoutRow<Path>,
  ...given: Given<Path>
): string => lastName(built(row, given[0]))

/** The parts of a file's name, or undefined when it is not one of this row. */
export const readName = <Row extends LayoutRow>(
  row: Row,
  name: string,
): Readonly<Record<Needed<Row['path']>, string>> | undefined =>
  patternOf(lastName(row.path).replace('/', '')).exec(name)?.groups as
    Readonly<Record<Needed<Row['path']>, string>> | undefined

/** Every row that a path of a home belongs to, by its name in the table; one, unless the table is wrong. */
export function rowsAt(path: string): { readonly name: string; readonly row: LayoutRow }[] {
  const found = [...matching('home', path), ...matching('anywhere', lastName(path))]
  for (const { path: folder } of Object.values<LayoutRow>(layout.home)) {
    if (!folder.endsWith('/')) continue
    const inside = patternOf(`${folder}<path>`).exec(path)?.groups?.path
    if (inside !== undefined) found.push(...matching('session', inside))
  }
  return found
}

function matching(scope: 'home' | 'session' | 'anywhere', path: string) {
  return Object.entries<LayoutRow>(layout[scope]).flatMap(([name, row]) =>
    patternOf(row.path).test(path) ? [{ name: `${scope}.${name}`, row }] : [],
  )
}

function built(
  { path }: LayoutRow,
  given: Readonly<Record<string, string | number>> | undefined,
): string {
  if (given === undefined && !path.includes('[')) return path
  return path
    .replace(/\[[^\]]*\]|\/$/g, '')
    .replace(/<(\w+)>/g, (_, name: string) => String(given?.[name]))
}

/** The folder up to the first part that varies. */
export function folderOf({ path }: LayoutRow): string {
  const fixed = fixedStart({ path })
  return fixed.slice(0, fixed.lastIndexOf('/'))
}

/** What a path begins with, up to the first part that varies. */
export function fixedStart({ path }: Pick<LayoutRow, 'path'>): string {
  return path.split('<', 1)[0] ?? ''
}

const lastName = (path: string): string => path.slice(path.lastIndexOf('/', path.length - 2) + 1)

const compiled = new Map<string, RegExp>()

function patternOf(path: string): RegExp {
  const known = compiled.get(path)
  if (known !== undefined) return known
  const source = path
    .replace(/[.*+?^$(){}\\]/g, '\\$&')
    .replace(/\[([^\]]*)\]/g, '(?:$1)?')
    .replace(/<(\w+)>/g, (_, name: PartName) => `(?<${name}>${parts[name]})`)
  const pattern = new RegExp(`^${source}$`, 'u')
  compiled.set(path, pattern)
  return pattern
}
