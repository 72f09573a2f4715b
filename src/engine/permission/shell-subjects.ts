/** What a shell command comes to: each command that it runs, each file that it opens or names, each address in it. */
import { layout } from '../../format/layout.ts'
import { defined } from '../../lib/defined.ts'
import { filesFitting } from '../../lib/files-fitting.ts'
import { baseName, programOf } from '../../lib/shell/open-command.ts'
import { shellParts, sourceOf, type ShellParts } from '../../lib/shell/parts.ts'
import type { SimpleCommand } from '../../lib/shell/script.ts'
import { ANY, type Word } from '../../lib/shell/word.ts'
import { changesConfiguration, handledText, handledWords } from './classify-command.ts'
import { mayLeaveRepository } from './elsewhere.ts'
import { equivalentsOf } from './equivalents.ts'
import { mentionsIn, NOWHERE } from './mentions.ts'
import { wordsToName } from './named-words.ts'
import { placesOf, wordPlaces, type Handled, type Subject, type Subjects } from './rule-words.ts'

export async function shellSubjects(
  text: string,
  { cwd, project }: { readonly cwd: string; readonly project: string },
): Promise<Subjects> {
  const parts = await shellParts(text)
  const folders = await foldersOf(parts, cwd)
  const isElsewhere = await mayLeaveRepository(parts, cwd)
  const opened = await Promise.all([
    ...parts.reads.map((word) => file('read', word, folders)),
    ...parts.writes.map((word) => file('write', word, folders)),
  ])
  return {
    cwd: project,
    isCommand: true,
    all: [
      ...(await Promise.all(
        parts.commands.map((command) => commandSubject(command, { cwd, folders, isElsewhere })),
      )),
      ...opened.flatMap((each) => each ?? []),
      ...(await mentionsIn(text, parts, cwd)),
    ],
    handled: await handledIn(text, parts, folders),
    ...defined({ unknown: parts.unknown }),
  }
}

async function handledIn(
  text: string,
  parts: ShellParts,
  folders: readonly string[] | undefined,
): Promise<readonly Handled[]> {
  const words = await Promise.all(
    handledWords(parts).map(async (word) => ({
      texts: [word.source, word.loose],
      places: await wordPlaces({ ...word, value: valueIn(word.value) }, folders),
    })),
  )
  const whole = handledText(text, parts)
  const isConfig = parts.commands.some(changesConfiguration)
  const texts = [...(whole === undefined ? [] : [whole]), ...(isConfig ? [CONFIGURATION] : [])]
  return [...words, { texts, places: undefined }]
}

const CONFIGURATION = layout.home.config.path

/** What an option or a variable is given. */
const valueIn = (value: string | undefined): string | undefined =>
  /^-?-?\w*=(.+)$/s.exec(value ?? '')?.[1] ?? value

/** Where paths may start from; undefined when the command goes somewhere that cannot be told, or to more than one place. */
async function foldersOf(
  { moves }: ShellParts,
  cwd: string,
): Promise<readonly string[] | undefined> {
  const [target, ...more] = moves
  if (moves.length === 0) return [cwd]
  const places = target === undefined || more.length > 0 ? undefined : await placesOf(target, cwd)
  return places && [cwd, ...places]
}

async function file(
  kind: 'read' | 'write',
  word: Word,
  folders: readonly string[] | undefined,
): Promise<Subject | undefined> {
  if (NOWHERE.has(word.value ?? '')) return undefined
  const places = await wordPlaces(word, folders)
  // What it may become is among the words that name files.
  const isOpen = places === undefined && (word.value === undefined || word.hasPattern || !folders)
  return { kind, places, spelled: word.source, isMention: false, ...(isOpen && { loose: '' }) }
}

/** `a/../b`: the shell looks for it somewhere else than it is spelled. */
function leadsBack(name: string): boolean {
  const segments = name.split('/')
  const back = segments.lastIndexOf('..')
  const isAbsolute = segments[0] === '' && back > 1
  return isAbsolute || segments.slice(0, Math.max(0, back)).some((each) => /[^.]$/.test(each))
}

async function commandSubject(
  command: SimpleCommand,
  {
    cwd,
    folders,
    isElsewhere,
  }: {
    readonly cwd: string
    readonly folders: readonly string[] | undefined
    readonly isElsewhere: boolean
  },
): Promise<Subject> {
  const { assignments, words } = command
  const all = [...assignments, ...words]
  const name = words[0]?.value ?? ''
  const isKnown =
    all.every(({ value }) => value !== undefined) &&
    words[0]?.hasPattern !== true &&
    words[0]?.hasTilde !== true &&
    !leadsBack(name) &&
    !(isElsewhere && programOf(command) === 'git')
  const given = isKnown ? await Promise.all(words.slice(1).map((word) => made(word, folders))) : []
  const other = await otherForms(command, cwd)
  return {
    kind: 'command',
    toName: wordsToName(command, given.flat()),
    known: isKnown ? all.map(({ value }) => quoted(value ?? '')).join(' ') : undefined,
    forms: [...new Set([sourceOf(command), ...(await formsOf(words, cwd)), ...other.forms])],
    guesses: other.guesses,
  }
}

/** What it does under other names. A text that cannot be read may be anything. */
async function otherForms(command: SimpleCommand, cwd: string) {
  const { commands, scripts, guesses } = equivalentsOf(command)
  const read = await Promise.all(scripts.map(shellParts))
  const inner = read.flatMap((parts) => parts.commands.map(({ words }) => words))
  const allForms = async (all: readonly (readonly Word[])[]) =>
    (await Promise.all(all.map((words) => formsOf(words, cwd)))).flat()
  const isUnread = read.some(({ unknown }) => unknown !== undefined)
  return {
    forms: [...(await allForms([...commands, ...inner])), ...(isUnread ? [ANY] : [])],
    guesses: await allForms(guesses),
  }
}

/** A file pattern may become options: `*` where a file is called `--output=x`. */
async function made(
  { value = '', hasPattern }: Word,
  folders: readonly string[] | undefined,
): Promise<readonly string[]> {
  if (!hasPattern || !/^[*?[]/.test(value)) return [value]
  const found = await Promise.all((folders ?? []).map((folder) => filesFitting(value, folder)))
  return found.length === 0 || found.includes(undefined)
    ? [value]
    : found.flatMap((each) => each ?? [])
}

/** A word with blanks or marks of the shell in it stays one word. */
const quoted = (value: string): string =>
  value === '' || /[\s"'`$&|;<>()\\#]/.test(value) ? `'${value.replaceAll("'", `'\\''`)}'` : value

/** By the name of the program, wherever it lies and whatever link leads to it, with and without its first options. */
async function formsOf(words: readonly Word[], cwd: string): Promise<readonly string[]> {
  const [first, ...rest] = words
  if (first === undefined) return []
  const name = first.loose
  const leads = name.includes('/') && first.value !== undefined ? await placesOf(name, cwd) : []
  const names = new Set(
    [name, baseName(name), ...(leads ?? []), ...(leads ?? []).map(baseName)].flatMap((each) => [
      each,
      each.toLowerCase(),
    ]),
  )
  return [...names].flatMap((each) =>
    [...startsOf(rest)].map((start) => joinedForm([{ loose: each }, ...rest.slice(start)])),
  )
}

/** `git -C x push` is `git push` to a denial: an option is skipped alone and with the word after it. */
function startsOf(words: readonly Word[]): ReadonlySet<number> {
  const starts = new Set([0])
  for (const start of starts) {
    if (!words[start]?.loose.startsWith('-') || starts.size > 16) continue
    starts.add(start + 1)
    if (start + 2 <= words.length) starts.add(start + 2)
  }
  return starts
}

/** An expansion may become no word or many: the blanks beside it are its own. */
function joinedForm(words: readonly Pick<Word, 'loose'>[]): string {
  return words
    .map(({ loose }) => loose)
    .join(' ')
    .replaceAll(new RegExp(` ?${ANY}(?: ${ANY})* ?`, 'g'), (found, at: number, whole: string) =>
      isWholeWord(found, at, whole) ? ANY : found,
    )
}

const isWholeWord = (found: string, at: number, whole: string): boolean =>
  (at === 0 || found.startsWith(' ')) && (at + found.length === whole.length || found.endsWith(' '))
