/**
 * workspace.yaml: what is known of a session without reading its log. Keys of other versions are kept
 * and written back after ours.
 */
import { z } from 'zod'
import { maybeFlag, maybeInteger, maybeText, openEnum, optional } from './define.ts'
import { SessionIdSchema } from './id-schemas.ts'
import { isSessionId } from './ids.ts'
import { parseLine, printLine, type PlainValue } from './plain-yaml.ts'
import { shapeCheck } from './shape-check.ts'

/** In the order of the file. */
export const workspaceFileSchema = z
  .object({
    id: SessionIdSchema,
    cwd: maybeText,
    git_root: maybeText,
    repository: maybeText,
    host_type: optional(openEnum('github', 'ado')),
    branch: maybeText,
    client_name: maybeText,
    name: maybeText,
    user_named: maybeFlag,
    summary_count: maybeInteger,
    fork_count: maybeInteger,
    created_at: maybeText,
    updated_at: maybeText,
    remote_steerable: maybeFlag,
    mc_task_id: maybeText,
    mc_session_id: maybeText,
    mc_last_event_id: maybeText,
    chronicle_sync_dismissed: maybeFlag,
  })
  .meta({ description: 'What is known of a session without reading its log.' })

export type WorkspaceFile = Readonly<z.output<typeof workspaceFileSchema>> & {
  /** Keys that are not ours, with their values as they were read. */
  readonly unknown?: Readonly<Record<string, unknown>>
}

export type ReadWorkspaceFile = { readonly ok: WorkspaceFile } | { readonly problem: string }

/**
 * Reads the file as it is usually written, many times faster than a YAML library. Undefined when
 * anything but one-line scalars occurs: the caller then uses a library.
 */
export function parsePlainYaml(text: string): Record<string, PlainValue> | undefined {
  const values = new Map<string, PlainValue>()
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('#')) continue
    const entry = parseLine(line)
    if (entry === undefined || values.has(entry[0])) return undefined
    values.set(...entry)
  }
  return Object.fromEntries(values)
}

/** From what a YAML reader gave. An empty value counts as a missing one. */
export function toWorkspaceFile(values: Readonly<Record<string, unknown>>): ReadWorkspaceFile {
  const known: Record<string, unknown> = {}
  const unknown = new Map<string, unknown>()
  for (const [key, value] of Object.entries(values)) {
    if (!Object.hasOwn(fields, key)) unknown.set(key, value)
    else if (value !== null && value !== undefined) known[key] = scalar(key, value)
  }
  nameFromLegacy(known, unknown)
  if (!isSessionId(known.id)) return { problem: 'id: expected a session id' }
  const problem = check(known)
  if (problem !== undefined) return { problem }
  return {
    ok: {
      ...(known as WorkspaceFile),
      ...(unknown.size > 0 && { unknown: Object.fromEntries(unknown) }),
    },
  }
}

export function printWorkspaceFile(file: WorkspaceFile): string {
  const { unknown = {}, ...known } = file
  const ours = Object.keys(fields).map((key) => [key, known[key as keyof typeof known]] as const)
  return [...ours, ...Object.entries(unknown)]
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => printLine(key, value))
    .join('')
}

const check = shapeCheck(workspaceFileSchema)

const fields: Record<string, unknown> = workspaceFileSchema.shape

/** A name such as 2024 is a number to YAML, and some readers make dates of times. */
function scalar(key: string, value: unknown): unknown {
  if (fields[key] === maybeFlag || fields[key] === maybeInteger) return value
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value
}

/**
 * Early versions had `summary` where there is `name` now, and no word on who chose the name. A name
 * without that word was chosen by a person; a summary never was.
 */
function nameFromLegacy(known: Record<string, unknown>, unknown: Map<string, unknown>): void {
  if (isName(known.name)) {
    known.user_named ??= true
    return
  }
  const summary = unknown.get('summary')
  if (!isName(summary)) return
  known.name = summary
  known.user_named ??= false
  unknown.delete('summary')
}

const isName = (value: unknown): value is string => typeof value === 'string' && value.trim() !== ''
