/** The files that the words of a command may name, for rules that deny. */
import { homedir } from 'node:os'
import { filesFitting } from '../../lib/files-fitting.ts'
import { programOf } from '../../lib/shell/open-command.ts'
import type { ShellParts } from '../../lib/shell/parts.ts'
import {
  possibleTexts,
  variablesOf,
  type Possible,
  type Variables,
} from '../../lib/shell/possible.ts'
import type { SimpleCommand } from '../../lib/shell/script.ts'
import { ANY, type Word } from '../../lib/shell/word.ts'
import { isInterpreter, mayOpen, treeOf, writtenBy } from './opens.ts'
import { addressOf, named, wordPlaces, type FileSubject, type Subject } from './rule-words.ts'

type Where = {
  readonly variables: Variables
  /** Every folder in which the command may stand; undefined when that cannot be told. */
  readonly folders: readonly string[] | undefined
  /** An option of the shell may change what a pattern fits. */
  readonly hasOptions: boolean
}

export async function mentionsIn(
  text: string,
  parts: ShellParts,
  cwd: string,
): Promise<readonly Subject[]> {
  const { commands, bindings, moves, reads, writes, unknown } = parts
  const isStill = moves.length === 0
  const variables = variablesOf(bindings, { HOME: homedir(), ...(isStill && { PWD: cwd }) })
  const hasOptions =
    bindings.some(({ name }) => name === 'GLOBIGNORE') ||
    commands.some((command) => programOf(command) === 'shopt')
  const before = { variables, hasOptions, folders: [cwd] }
  const where = { ...before, folders: await foldersIn(commands, before) }
  const found = await Promise.all([
    ...commands.map((command) => mentionsOf(command, where)),
    ...reads.map((word) => filesOfWord(word, ['read'], where)),
    ...writes.map((word) => filesOfWord(word, ['write'], where)),
  ])
  const isCode = HERE_CODE.test(text) || commands.some(isInterpreter)
  const code: Subject[] = isCode ? [{ kind: 'code', text }] : []
  const isOpen = unknown !== undefined && !HERE_CODE.test(text)
  const anything = isOpen ? (['read', 'write'] as const).map((kind) => loosely(ANY, kind)) : []
  return [...found.flat(), ...code, ...anything]
}

/** `python3 - <<E`, which the parser does not read: code, and nothing else. */
const HERE_CODE = /^\s*[\w./-]+ - <<\s*(['"]?)(\w+)\1\n(?:(?!\2\n).*\n)*?\2\s*$/

const MOST_FOLDERS = 16

/** Each `cd` from each folder that was reached before; `cd -` and `popd` lead back to one of them. */
async function foldersIn(
  commands: readonly SimpleCommand[],
  where: Where,
): Promise<readonly string[] | undefined> {
  let folders = where.folders ?? []
  for (const command of commands) {
    if (!/^(?:cd|chdir|pushd)$/.test(programOf(command) ?? '')) continue
    const target = command.words.slice(1).find(({ value }) => !/^-[LPe@-]*$/.test(value ?? ''))
    if (target === undefined && command.words.some(({ value }) => value === '-')) continue
    const reached =
      target === undefined ? [homedir()] : await placesOfWord(target, { ...where, folders })
    if (reached === undefined) return undefined
    folders = [...new Set([...folders, ...reached])]
    if (folders.length > MOST_FOLDERS) return undefined
  }
  return folders
}

async function placesOfWord(word: Word, where: Where): Promise<readonly string[] | undefined> {
  const files = await filesOfWord(word, ['read'], where)
  return files.some(({ places }) => places === undefined)
    ? undefined
    : files.flatMap(({ places }) => places ?? [])
}

async function mentionsOf(command: SimpleCommand, where: Where): Promise<readonly Subject[]> {
  const written = writtenBy(command)
  const words = command.words.filter(({ value }, at) => at > 0 || value === undefined)
  const found = words.map(async (word): Promise<readonly Subject[]> => {
    const address = addressIn(word)
    const urls = address === undefined ? [] : [named('url', addressOf(address), true)]
    const kinds = written.includes(word) ? (['read', 'write'] as const) : (['read'] as const)
    const isKnown = word.value !== undefined && !word.hasPattern
    const files = mayOpen(command, word, isKnown) ? await filesOfWord(word, kinds, where) : []
    return [...urls, ...files]
  })
  return [...(await Promise.all(found)).flat(), ...(await treesOf(command, where))]
}

const addressIn = ({ value }: Word): string | undefined =>
  value !== undefined && /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? value : undefined

async function treesOf(command: SimpleCommand, where: Where): Promise<readonly FileSubject[]> {
  const tree = treeOf(command)
  if (tree === undefined) return []
  const { takes } = tree
  const kinds = tree.writes ? (['read', 'write'] as const) : (['read'] as const)
  const given = await Promise.all(tree.words.map((word) => filesOfWord(word, kinds, where)))
  const here = tree.isHere ? kinds.map((kind) => mention(kind, '.', where.folders)) : []
  return [...given.flat(), ...here].flatMap((each) =>
    each.places === undefined ? [] : [{ ...each, tree: takes }],
  )
}

const mention = (
  kind: 'read' | 'write',
  spelled: string,
  places: readonly string[] | undefined,
): FileSubject => ({ kind, places, spelled, isMention: true })

async function filesOfWord(
  word: Word,
  kinds: readonly ('read' | 'write')[],
  where: Where,
): Promise<readonly FileSubject[]> {
  const found = await Promise.all(
    possibleTexts(word, where.variables).map((text) => filesOfText(text, word, where)),
  )
  const all = new Map(found.flat().map((each) => [each.loose ?? each.spelled, each]))
  return [...all.values()].flatMap((each) => kinds.map((kind) => ({ ...each, kind })))
}

/** More names than these are compared as the pattern that they come from. */
const MOST_NAMES = 256

async function filesOfText(
  text: Possible,
  { hasTilde }: Word,
  where: Where,
): Promise<readonly FileSubject[]> {
  if ('loose' in text) return [loosely(text.loose)]
  if ('plain' in text) return fromText(text.plain, hasTilde, where)
  const { folders, hasOptions } = where
  const asLoose = loosely(text.glob.replaceAll(/\\(.)|\[.*\]|[*?]/gs, (_, c) => c ?? ANY))
  if (folders === undefined || hasOptions || hasTilde) return [asLoose]
  const found = await Promise.all(folders.map((folder) => filesFitting(text.glob, folder)))
  const names = new Set(found.flatMap((each) => each ?? []))
  if (found.includes(undefined) || names.size > MOST_NAMES) return [asLoose]
  const spelled = names.size > 0 ? [...names] : [text.glob.replaceAll(/\\(.)/gs, '$1')]
  return (await Promise.all(spelled.map((name) => fromText(name, false, where)))).flat()
}

/** An expansion may lead back: only what stands behind it is certain, and behind the last `..`. */
function loosely(text: string, kind: 'read' | 'write' = 'read'): FileSubject {
  const end = text.slice(text.indexOf(ANY) + 1).replace(/^.*\/\.\.(?=\/|$)/s, '')
  return { ...mention(kind, text, undefined), loose: ANY + end }
}

/** Nothing is kept of what is written there. */
export const NOWHERE: ReadonlySet<string> = new Set([
  '/dev/null',
  '/dev/stdout',
  '/dev/stderr',
  '/dev/tty',
])

async function fromText(
  text: string,
  hasTilde: boolean,
  { folders }: Where,
): Promise<readonly FileSubject[]> {
  const found = await Promise.all(
    pathsIn(text).map(async ({ path, isGuess }) => {
      if (NOWHERE.has(path)) return []
      const tilde = hasTilde && path === text
      if (tilde && !/^~(?:\/|$)/.test(path)) return [loosely(ANY + path.replace(/^[^/]*/, ''))]
      if (folders === undefined && !/^[/~]/.test(path)) return [loosely(`${ANY}/${path}`)]
      const places = await wordPlaces({ value: path, hasPattern: false, hasTilde: tilde }, folders)
      const isGuessed = isGuess && { isGuess }
      return places === undefined ? [] : [{ ...mention('read', path, places), ...isGuessed }]
    }),
  )
  return found.flat()
}

/** A path, or a word that has one in it: `--out=x`, `-ox`, `@x`, `HEAD:x`, `file:///x`. */
function pathsIn(text: string): readonly { readonly path: string; readonly isGuess: boolean }[] {
  if (text.includes('\0') || text === '') return []
  const [, file] = /^file:\/\/(?:localhost)?(\/.*)$/s.exec(text) ?? []
  if (file !== undefined) return [{ path: file, isGuess: false }]
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return []
  const sure = [...(text.startsWith('-') ? [] : [text]), /^-?-?\w*=(.+)$/s.exec(text)?.[1]]
  const guessed = [
    /^-\w(.+)$/s.exec(text)?.[1],
    /^(?:\w+=)?@(.+)$/s.exec(text)?.[1],
    /^[^:/]*:(.+)$/s.exec(text)?.[1],
  ]
  return [
    ...sure.flatMap((path) => (path === undefined ? [] : [{ path, isGuess: false }])),
    ...guessed.flatMap((path) => (path === undefined ? [] : [{ path, isGuess: true }])),
  ]
}
