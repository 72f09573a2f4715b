/**
 * One rule, `shell(git status*)`, `write(src/**)`, `read(**)`, `mcp(server/tool)` or a kind alone, and what it is
 * compared with. An allowance looks only at what is certain; what a denial looks at is in `deny.ts`.
 */
import { homedir } from 'node:os'
import { join } from 'node:path'
import { isBelow } from '../../lib/is-below.ts'
import { compileGlob, compileOverlap } from '../../lib/match-glob.ts'
import { hasOtherNames } from '../../lib/other-names.ts'
import { realPath } from '../../lib/real-path.ts'
import { ANY } from '../../lib/shell/word.ts'
import { EngineError } from '../errors.ts'
import { hasWord } from './named-words.ts'
import type { FileSubject, Subject, Subjects } from './rule-words.ts'
import { laterName, namesIt } from './runs-later.ts'

export type Rule = {
  /** As it is written. */
  readonly text: string
  readonly kind: string
  /** Undefined for a kind alone. */
  readonly pattern?: string
}

export function parseRule(text: string): Rule {
  const [, kind, pattern] = /^([a-z-]+)(?:\((.*)\))?$/s.exec(text.trim()) ?? []
  if (kind === undefined) {
    throw new EngineError(
      'invalid',
      `"${text}" is not a permission rule. Write for example shell(git status*) or write(src/**).`,
    )
  }
  if (pattern === undefined) return { text, kind }
  if (compileGlob(pattern) === undefined)
    throw new EngineError('invalid', `The pattern of "${text}" stands for too many things.`)
  return { text, kind, pattern }
}

export const kindOf = (subject: Subject): string =>
  subject.kind === 'command' ? 'shell' : subject.kind === 'named' ? subject.as : subject.kind

/** Whether a rule that allows covers this one thing for certain. */
export async function allows(rule: Rule, subject: Subject, subjects: Subjects): Promise<boolean> {
  if (rule.kind !== kindOf(subject)) return false
  const { pattern } = rule
  if (subject.kind === 'write' && !meansLater(pattern, subject, subjects)) return false
  if (pattern === undefined) return true
  switch (subject.kind) {
    case 'command':
      return (
        subjects.unknown === undefined &&
        subject.known !== undefined &&
        subject.toName.every((word) => hasWord(pattern, word)) &&
        asWords(pattern).some((each) => textGlob(each)(subject.known ?? ''))
      )
    case 'named':
      return subject.texts.some((text) => pathGlob(pattern)(text))
    case 'code':
      return false
    default: {
      const fits = pathGlob(await resolvedPattern(pattern))
      return (
        subject.places !== undefined &&
        subject.places.every((place) => waysTo(place, subjects).some(fits)) &&
        // Its other name may lie anywhere.
        !(subject.kind === 'write' && (await someAsync(subject.places, hasOtherNames)))
      )
    }
  }
}

/** A file that runs later is called by its name. */
const meansLater = (pattern: string | undefined, { places }: FileSubject, { cwd }: Subjects) =>
  (places ?? []).every((place) => {
    const name = laterName(place, cwd)
    return name === undefined || (pattern !== undefined && namesIt(pattern, name))
  })

export async function someAsync<T>(
  all: readonly T[],
  test: (each: T) => Promise<boolean>,
): Promise<boolean> {
  for (const each of all) if (await test(each)) return true
  return false
}

/** From the root, and from the project where it is in it. */
export const waysTo = (place: string, { cwd }: Subjects): readonly string[] =>
  isBelow(cwd, place) && place !== cwd ? [place, place.slice(cwd.length + 1)] : [place]

/** The part before the first sign of a pattern from the root or from `~` is a folder that may be a link. */
export async function resolvedPattern(pattern: string): Promise<string> {
  const whole = /^~(?=\/|$)/.test(pattern) ? join(homedir(), pattern.slice(1)) : pattern
  return whole.startsWith('/') ? resolvedStem(whole) : whole
}

/** What a pattern for paths stands for, from the root where that can be told. */
export const leadOf = async (pattern: string, cwd: string): Promise<string> =>
  /^[/~*]/.test(pattern) ? resolvedPattern(pattern) : resolvedStem(`${cwd}/${pattern}`)

async function resolvedStem(pattern: string): Promise<string> {
  const [stem = ''] = /^[^*?[\]{}\\]*(?=\/|$)/.exec(pattern) ?? []
  return stem === '' ? pattern : (await realPath(stem)) + pattern.slice(stem.length)
}

/**
 * A `*` at the end of an allowance begins a new word: `git log*` and `git log *` are `git log` with whatever follows,
 * and not `git logx`. `git log:*` is how others write it; it may be meant as it stands, too.
 */
export function asWords(pattern: string): readonly string[] {
  const [, named] = /^(.*[\w'")\]]):\*$/s.exec(pattern) ?? []
  if (named !== undefined) return [pattern, named, `${named} *`]
  const [, stem] = /^(.*[\w'")\]]) ?\*$/s.exec(pattern) ?? []
  return stem === undefined ? [pattern] : [stem, `${stem} *`]
}

type Matches = (text: string) => boolean

const never: Matches = () => false
export const pathGlob = (pattern: string): Matches => compileGlob(pattern) ?? never
/** In a command a slash is a character like any other: `*` goes beyond it. */
const oneName = (text: string) => text.replaceAll('/', '\u2215')
const textGlob = (pattern: string): Matches => {
  const fits = pathGlob(oneName(pattern))
  return (text) => fits(oneName(text))
}
export const looseGlob = (pattern: string): Matches => compileOverlap(pattern, ANY) ?? never
export const loosePath = (pattern: string): Matches =>
  compileOverlap(pattern, ANY, { ofPaths: true }) ?? never
