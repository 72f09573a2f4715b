/** The words in which a request is compared with rules, and where a path leads that another program is given. */
import { homedir } from 'node:os'
import { join } from 'node:path'
import { isBelow } from '../../lib/is-below.ts'
import { realPathElsewhere } from '../../lib/real-path.ts'
import type { Word } from '../../lib/shell/word.ts'

export type Subjects = {
  /** The project, links resolved. */
  readonly cwd: string
  readonly all: readonly Subject[]
  readonly isCommand: boolean
  /** Everything by which a command may reach files of Reprise itself. */
  readonly handled?: readonly Handled[]
  /** Why it cannot be told what a command runs. */
  readonly unknown?: string
}

export type Handled = {
  /** As it is written, and without its quotes and expansions. */
  readonly texts: readonly string[]
  readonly places: readonly string[] | undefined
}

export type Subject =
  | {
      readonly kind: 'command'
      /** As a rule may allow it; undefined when an expansion makes a part of it. */
      readonly known: string | undefined
      /** Words that a pattern has to have in it: by them the program does more than it is for. */
      readonly toName: readonly string[]
      /** Every way in which a denial may know it. */
      readonly forms: readonly string[]
      /** What it may do besides, as a person could tell. */
      readonly guesses: readonly string[]
    }
  | FileSubject
  /** The whole text of a command in which a program runs code: a file may be named in it in any way. */
  | { readonly kind: 'code'; readonly text: string }
  | {
      readonly kind: 'named'
      readonly as: string
      readonly texts: readonly string[]
      readonly isMention: boolean
    }

export type FileSubject = {
  readonly kind: 'read' | 'write'
  /** Where it leads; several when that depends on who opens it. Undefined when it cannot be told. */
  readonly places: readonly string[] | undefined
  readonly spelled: string
  /** A word of a command that names it: reason enough to deny, not needed to allow. */
  readonly isMention: boolean
  /** A part of a word, which may be no path at all. */
  readonly isGuess?: boolean
  /** With `ANY` where anything may stand; empty when what it may become stands beside it. */
  readonly loose?: string
  /** What lies below it is opened as well, where this says so. */
  readonly tree?: (path: string) => boolean
}

export const named = (as: string, text: string, isMention = false): Subject => ({
  kind: 'named',
  as,
  texts: [text],
  isMention,
})

/** As a browser would ask for it: `HTTPS://A.ORG/x/../y` is `https://a.org/y`. */
export function addressOf(text: string): string {
  const { href } = URL.canParse(text) ? new URL(text) : { href: text }
  return href.replace(/\/$/, '')
}

/**
 * For a program that is not ours: some take `..` away before they look at links, some after. Both places count.
 * Undefined when only that program could tell.
 */
export async function placesOf(
  spelled: string,
  cwd: string,
): Promise<readonly string[] | undefined> {
  const path = /^~(?=\/|$)/.test(spelled) ? join(homedir(), spelled.slice(1)) : spelled
  const absolute = path.startsWith('/') ? path : `${cwd}/${path}`
  const places = await Promise.all(
    [absolute, join(absolute)].map((each) => realPathElsewhere(each, cwd)),
  )
  if (places.includes(undefined)) return undefined
  return [...new Set(places.flatMap((place) => place ?? []))]
}

/** Reading there needs no leave. */
export const isInProject = ({ cwd }: Subjects, places: readonly string[] | undefined): boolean =>
  places !== undefined && places.every((place) => isBelow(cwd, place))

/** Undefined where only the program that opens it could tell. */
export async function wordPlaces(
  { value, hasPattern, hasTilde }: Pick<Word, 'value' | 'hasPattern' | 'hasTilde'>,
  folders: readonly string[] | undefined,
): Promise<readonly string[] | undefined> {
  if (value === undefined || hasPattern || /^\/dev\/(?:tcp|udp)\//.test(value)) return undefined
  // The home of another user.
  if (hasTilde && !/^~(?:\/|$)/.test(value)) return undefined
  const path = value.startsWith('~') && !hasTilde ? `./${value}` : value
  const isFixed = /^[/~]/.test(path) && !path.includes('proc')
  if (folders === undefined && !isFixed) return undefined
  const all = await Promise.all((folders ?? ['/']).map((folder) => placesOf(path, folder)))
  return all.includes(undefined) ? undefined : [...new Set(all.flatMap((each) => each ?? []))]
}
