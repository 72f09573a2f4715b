/** Leaving the sandbox: a request of its own, compared with rules `outside(program)` and with what a person allowed. */
import type { Rule } from './rule.ts'
import { named, type Subjects } from './rule-words.ts'

const KIND = 'outside'

/** Parts of the shell, and programs that look at what they are given on the way. */
const HARMLESS: ReadonlySet<string> = new Set(
  'cd pushd popd pwd echo printf true false : test [ sleep exit head tail wc'.split(' '),
)

/** The programs of a command. What cannot be told is allowed by `outside` alone. */
export function outsideSubjects(subjects: Subjects): Subjects {
  const programs = subjects.all.flatMap((each) =>
    each.kind === 'command' ? [each.known?.split(' ', 1)[0] ?? ''] : [],
  )
  const meant = [...new Set(programs)].filter((program) => !HARMLESS.has(program))
  const isUnknown = subjects.unknown !== undefined || meant.length === 0
  return {
    cwd: subjects.cwd,
    isCommand: false,
    all: [...meant.map((program) => named(KIND, program)), ...(isUnknown ? [named(KIND, '')] : [])],
  }
}

export const isOutside = ({ all }: Subjects): boolean =>
  all.some((each) => each.kind === 'named' && each.as === KIND)

/** The one program of a command, by a name that PATH finds. */
export function outsideOffer({
  all,
}: Subjects): { readonly says: string; readonly covers: { readonly rule: Rule } } | undefined {
  const [only, another] = all
  if (only?.kind !== 'named' || another !== undefined) return undefined
  const [program = ''] = only.texts
  if (!/^[\w.+-]+$/.test(program)) return undefined
  const text = `${KIND}(${program})`
  return {
    says: `${program} outside of the sandbox, with whatever it runs`,
    covers: { rule: { text, kind: KIND, pattern: program } },
  }
}
