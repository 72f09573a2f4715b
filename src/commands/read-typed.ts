/**
 * What was typed, read by those who may know it: a table is made only when no earlier one has the name. A command of ours
 * that needs what this surface lacks is told apart from one that there is not.
 */
import { EngineError } from '../engine/errors.ts'
import type { Command } from './command.ts'
import { namesOf } from './fields.ts'
import { isUnknown, typed, type Typed } from './parse.ts'
import { worksElsewhere } from './perform.ts'
import { table } from './table.ts'

type Read = { readonly known: readonly Command[]; readonly given: Typed }

export async function readTyped(
  text: string,
  tables: readonly (() => readonly Command[] | Promise<readonly Command[]>)[],
): Promise<Read> {
  let unknown: EngineError | undefined
  for (const make of tables) {
    const known = await make()
    try {
      return { known, given: typed(known, text) }
    } catch (error) {
      if (!isUnknown(error)) throw error
      unknown = error
    }
  }
  const ours = table.find((each) => namesOf(each).includes(String(unknown?.details['unknown'])))
  throw ours === undefined ? unknown : worksElsewhere(ours)
}
