/** What can be completed while a command is typed: its name, then the word behind it. */
import type { Command } from './command.ts'
import { listed } from './command-list.ts'
import { wordsOf } from './parse.ts'

type Candidate = { readonly value: string; readonly about: string }
type Completion = { readonly prefix: string; readonly candidates: readonly Candidate[] }

/** Undefined when nothing fits, or it is complete already. */
export function complete(table: readonly Command[], before: string): Completion | undefined {
  const [, name = '', gap, rest = ''] = /^\/(\S*)(\s+)?(.*)$/.exec(before) ?? []
  const isName = gap === undefined
  const prefix = isName ? before : rest
  const all = isName
    ? listed(table).map(({ name: value, summary }) => ({ value: `/${value}`, about: summary }))
    : wordsOf(table, name).map(([value, about]) => ({ value, about }))
  // A word that is there already is not offered: enter sends it.
  if (!isName && all.some(({ value }) => value === rest)) return undefined
  const named = all.filter(({ value }) => value.startsWith(prefix))
  const candidates = isName && named.length === 0 ? byOtherName(table, prefix) : named
  return candidates.length === 0 ? undefined : { prefix, candidates }
}

/** What some know a command by is found, but not listed beside its name. */
const byOtherName = (table: readonly Command[], prefix: string): Candidate[] =>
  listed(table)
    .flatMap(({ aliases, summary }) =>
      aliases.map((each) => ({ value: `/${each}`, about: summary })),
    )
    .filter(({ value }) => value.startsWith(prefix))
