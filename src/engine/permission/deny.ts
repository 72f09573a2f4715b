/** What a rule that denies has to do with a request: it looks at everything that this may come to. */
import { filesBelow } from '../../lib/files-fitting.ts'
import { foldsCase } from '../../lib/folds-case.ts'
import { isBelow } from '../../lib/is-below.ts'
import { hasOtherNames, isSameFile } from '../../lib/other-names.ts'
import {
  asWords,
  kindOf,
  leadOf,
  looseGlob,
  loosePath,
  pathGlob,
  resolvedPattern,
  someAsync,
  waysTo,
  type Rule,
} from './rule.ts'
import type { FileSubject, Subject, Subjects } from './rule-words.ts'

/** `doubt`: it may be meant, which a person can tell. */
type Denial = 'certain' | 'doubt' | undefined

export async function denies(rule: Rule, subject: Subject, subjects: Subjects): Promise<Denial> {
  if (subject.kind === 'code') return namedInCode(rule, subject.text)
  if (rule.kind !== kindOf(subject)) return undefined
  if (rule.pattern === undefined)
    return subject.kind !== 'read' || !subject.isMention ? 'certain' : undefined
  const { pattern } = rule
  switch (subject.kind) {
    case 'command': {
      const isMeant = (forms: readonly string[]) =>
        [pattern, ...asWords(pattern)].some((each) => forms.some(looseGlob(each)))
      if (subjects.unknown !== undefined || isMeant(subject.forms)) return 'certain'
      return isMeant(subject.guesses) ? 'doubt' : undefined
    }
    case 'named':
      return certain(subject.texts.some(pathGlob(pattern)))
    default:
      return deniesFile(pattern, subject, subjects)
  }
}

const certain = (holds: boolean): Denial => (holds ? 'certain' : undefined)

async function deniesFile(
  pattern: string,
  { places, loose, tree }: FileSubject,
  subjects: Subjects,
): Promise<Denial> {
  const lead = await leadOf(pattern, subjects.cwd)
  if (loose !== undefined) {
    const all = [pattern, await resolvedPattern(pattern), lead]
    return all.some((each) => loosePath(each)(loose)) ? 'doubt' : undefined
  }
  if (places === undefined) return 'certain'
  if (tree === undefined)
    return certain(await someAsync(places, (place) => deniesPlace(pattern, place, subjects)))
  return (await someAsync(places, (place) => isInTree(place, tree))) ? 'doubt' : undefined

  async function isInTree(place: string, takes: (path: string) => boolean): Promise<boolean> {
    if (!/[*?[\]{}\\]/.test(lead))
      return isBelow(place, lead) && place !== lead && takes(lead.slice(place.length))
    const [stem = ''] = /^[^*?[\]{}\\]*(?=\/)/.exec(lead) ?? []
    if (stem !== '' && !isBelow(place, stem) && !isBelow(stem, place)) return false
    const [files, fits] = await Promise.all([
      filesOnce(place, subjects),
      placeFits(pattern, place, subjects),
    ])
    return files?.some((path) => takes(path.slice(place.length)) && fits(path)) ?? true
  }
}

/** Rules are many, and the folder is the same. */
function filesOnce(place: string, subjects: Subjects): Promise<readonly string[] | undefined> {
  const known = walked.get(subjects) ?? new Map<string, ReturnType<typeof filesBelow>>()
  walked.set(subjects, known)
  const files = known.get(place) ?? filesBelow(place)
  known.set(place, files)
  return files
}

const walked = new WeakMap<Subjects, Map<string, ReturnType<typeof filesBelow>>>()

async function deniesPlace(pattern: string, place: string, subjects: Subjects): Promise<boolean> {
  const fits = await placeFits(pattern, place, subjects)
  if (fits(place)) return true
  return (await hasOtherNames(place)) && isSameFile(await leadOf(pattern, subjects.cwd), place)
}

/** A denial of a link is one of what it leads to as well; where the disk knows no capitals, nor does the rule. */
async function placeFits(
  pattern: string,
  near: string,
  subjects: Subjects,
): Promise<(place: string) => boolean> {
  const fold = (await foldsCase(near))
    ? (text: string) => text.normalize('NFC').toLowerCase()
    : (text: string) => text
  const lead = await leadOf(pattern, subjects.cwd)
  const fits = [pattern, await resolvedPattern(pattern), lead].map((each) => pathGlob(fold(each)))
  return (place) => waysTo(place, subjects).some((way) => fits.some((each) => each(fold(way))))
}

/** The last name of a pattern, or the longest piece of it that is no sign, stands in the code by itself. */
function namedInCode({ kind, pattern }: Rule, text: string): Denial {
  if ((kind !== 'read' && kind !== 'write') || pattern === undefined) return undefined
  const names = pattern.split('/').filter((name) => /[^*?]/.test(name))
  const pieces = (names.at(-1) ?? '').split(/[*?[\]{},!\\]+/)
  const [piece = ''] = pieces.toSorted((one, other) => other.length - one.length)
  if (piece.length < 3) return undefined
  const letters = piece.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
  const before = names.at(-1)?.startsWith(piece) === true ? String.raw`(?<![\w.-])` : ''
  const after = names.at(-1)?.endsWith(piece) === true ? String.raw`(?![\w-]|\.\w)` : ''
  return new RegExp(before + letters + after, 'i').test(text) ? 'doubt' : undefined
}
