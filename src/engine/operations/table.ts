/** Every operation of a session, by name, and what a wire needs to bind them all at once. */
import { EngineError } from '../errors.ts'
import { backgroundOperations } from './background.ts'
import { historyOperations } from './history.ts'
import { paramsOf, type Method, type Operation } from './operation.ts'
import { rewindOperations } from './rewind.ts'
import { settingsOperations } from './settings.ts'
import { turnOperations } from './turn.ts'
import { workspaceOperations } from './workspace.ts'

const operations = {
  ...turnOperations,
  ...settingsOperations,
  ...historyOperations,
  ...rewindOperations,
  ...workspaceOperations,
  ...backgroundOperations,
}

type Table = typeof operations
export type OperationName = keyof Table
type Flat = Exclude<OperationName, `${string}.${string}`>
type Group = OperationName extends infer N ? (N extends `${infer G}.${string}` ? G : never) : never
type InGroup<G extends string> = {
  readonly [N in OperationName as N extends `${G}.${infer M}` ? M : never]: Method<Table[N]>
}

/** A method for each operation; those with a dot in their name are in a group of that name. */
export type Operations = { readonly [N in Flat]: Method<Table[N]> } & {
  readonly [G in Group]: InGroup<G>
}

const rows = operations as unknown as Readonly<Record<OperationName, Operation>>

export const operationNames = Object.keys(operations) as readonly OperationName[]

/** The row of an operation, without the types of its own. */
export const rowOf = (name: OperationName): Operation => rows[name]

const names = new Map<string, string>(
  Object.entries(rows).flatMap(([name, { formerly = name }]) => [
    [formerly, name],
    [name, name],
  ]),
)

/** Under its name, or the one that it had in the release before. */
export function operationCalled(
  word: string,
): { readonly name: OperationName; readonly operation: Operation } | undefined {
  const name = names.get(word) as OperationName | undefined
  return name && { name, operation: rows[name] }
}

/** Binds every operation to one way of performing them. */
export function bindOperations(
  perform: (name: OperationName, params: object) => Promise<unknown>,
): Operations {
  const bound: Record<string, Record<string, unknown> | unknown> = {}
  for (const [name, operation] of Object.entries(rows)) {
    const method = (...given: readonly unknown[]) =>
      perform(name as OperationName, paramsOf(operation, given))
    const [group = name, member] = name.split('.')
    if (member === undefined) bound[group] = method
    else bound[group] = { ...(bound[group] as object | undefined), [member]: method }
  }
  return bound as Operations
}

/** Parameters that came over a wire. */
export function readParams(name: string, { takes }: Operation, params: unknown): never {
  const read = takes.safeParse(params ?? {})
  if (read.success) return read.data
  const [issue] = read.error.issues
  const field = issue?.path.join('.') ?? ''
  throw new EngineError(
    'invalid',
    `"${name}" is not asked for as this version understands it${field === '' ? '' : ` (${field})`}: ${issue?.message ?? 'no parameters'}. Nothing was changed.`,
    { details: { operation: name, field } },
  )
}
