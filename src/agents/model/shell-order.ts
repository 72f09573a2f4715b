/**
 * Whether two shell commands of one answer may run side by side: not where both name a file that one may write, where one
 * leaves the shell in another place for the next, where both are of a program that keeps a state of its own, or where that
 * cannot be told.
 */
import { resolve } from 'node:path'
import { isBelow } from '../../lib/is-below.ts'

export type ShellReach = {
  /** Places that its words could be, but for those that it can only read. */
  readonly places: readonly string[]
  readonly read: readonly string[]
  readonly programs: ReadonlySet<string>
  /** Which files it means is known only when it runs, or the next command depends on it. */
  readonly isOpen: boolean
}

export function shellReach(command: string, cwd: string): ShellReach {
  const segments = command.split(/&&|\|\||[;|&\n]/).map((text) => ({
    words: wordsOf(text),
    isRedirected: /[<>]/.test(text),
  }))
  const firsts = segments.map(({ words: [first = ''] }) => first)
  const placesIn = (isRead: boolean) =>
    segments
      .filter(({ words: [first = ''], isRedirected }) =>
        isRedirected ? !isRead : READING.has(first) === isRead && !SPEAKING.has(first),
      )
      .flatMap(({ words }) => namedIn(words))
      .map((word) => resolve(cwd, word).toLowerCase())
  return {
    places: placesIn(false),
    read: placesIn(true),
    programs: new Set(firsts.filter((first) => STATEFUL.has(first))),
    isOpen: UNREAD.test(command) || firsts.some((first) => LEAVING.has(first)),
  }
}

/** A program is looked for elsewhere, unless it is named by where it is. */
const namedIn = (words: readonly string[]): string[] =>
  words.filter((word, at) => !word.startsWith('-') && (at > 0 || word.includes('/')))

export const mayDisturb = (one: ShellReach, other: ShellReach): boolean =>
  one.isOpen ||
  other.isOpen ||
  [...one.programs].some((program) => other.programs.has(program)) ||
  meet(one.places, [...other.places, ...other.read]) ||
  meet(one.read, other.places)

const meet = (some: readonly string[], others: readonly string[]): boolean =>
  some.some((place) => others.some((each) => place === each || isInside(place, each)))

const isInside = (one: string, other: string) => isBelow(one, other) || isBelow(other, one)

/** Variables, substitutions and patterns stand for what the shell finds. */
const UNREAD = /[$`*?[\]{}~]|<<|\b(?:xargs|eval|find)\b/

/** Their words are texts. */
const SPEAKING: ReadonlySet<string> = new Set(
  'echo printf sleep date true false seq pwd whoami hostname uname'.split(' '),
)

/** They write nothing, unless they are told where to. */
const READING: ReadonlySet<string> = new Set(
  'cat head tail wc ls grep rg stat file du nl diff cmp md5sum sha256sum'.split(' '),
)

/** They change where the next command begins. */
const LEAVING: ReadonlySet<string> = new Set(
  'cd pushd popd export unset source . set alias exec trap umask declare'.split(' '),
)

/** They keep something in the project that two of them would fight for. */
const STATEFUL: ReadonlySet<string> = new Set(
  'git hg svn npm pnpm yarn bun npx pip pip3 poetry uv cargo go make cmake mvn gradle docker bundle'.split(
    ' ',
  ),
)

/** Words of texts are taken for places, too: then a command waits without need. */
const wordsOf = (segment: string): string[] =>
  segment
    .replace(/["'()]/g, ' ')
    .split(/[\s<>=:,]+/)
    .filter((word) => word !== '' && !/^[\d.]*\d$/.test(word))
