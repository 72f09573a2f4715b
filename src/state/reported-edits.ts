/**
 * What a tool call did to files, as far as it told itself: by the diff of its result, else by its arguments. For turns
 * of which no contents were recorded, such as those of other agents. Pure.
 */
import type { Payload } from '../format/event.ts'
import { fieldsOf, objectsOf, textIn, type Fields } from '../lib/fields.ts'
import { unifiedDiff } from '../lib/unified-diff.ts'
import { diffParts, patchParts, wholeFile, type DiffPart } from './diff-parts.ts'
import { deedOf } from './tool-effects.ts'

export type ToldEdit = {
  /** As the tool has it: absolute, or relative to where it ran. */
  readonly path: string
  readonly kind: 'create' | 'edit' | 'delete'
  /** Hunks alone, their lines numbered where that is known; empty when only the file was named. */
  readonly diff: string
}

type Call = Pick<Payload<'tool.execution_start'>, 'toolName' | 'arguments'>

export function toldEdits(
  { toolName, arguments: args }: Call,
  { success, result, fileEdits = [] }: Payload<'tool.execution_complete'>,
): readonly ToldEdit[] {
  if (!success) return []
  const deed = deedOf(toolName, args)
  const patch = patchIn(args)
  // What a command printed may well be a diff, and yet nothing that it did.
  if (fileEdits.length === 0 && deed.kind !== 'write' && patch === undefined) return []
  const asWritten = deed.kind === 'write' ? [...new Set(deed.paths)] : []
  const named: readonly Named[] =
    fileEdits.length > 0
      ? fileEdits.map(({ path, kind }) => ({ path, kind: kind === 'create' ? 'create' : EDIT }))
      : asWritten.map((path) => ({ path, kind: undefined }))
  const shown = diffParts(result?.detailedContent ?? '')
  if (shown.length > 0) return withNames(shown, named)
  if (patch !== undefined) return withNames(patchParts(patch), [])
  const asked = askedFor(fieldsOf(args))
  return named.map(({ path, kind }) => ({
    path,
    kind: kind ?? asked?.kind ?? EDIT,
    diff: (named.length === 1 && asked?.diff) || '',
  }))
}

const EDIT = 'edit' as const

type Named = { readonly path: string; readonly kind: ToldEdit['kind'] | undefined }

/** A diff names its files with prefixes and from other folders: the tool's own names go before. */
function withNames(parts: readonly DiffPart[], named: readonly Named[]): ToldEdit[] {
  const [only] = named
  return parts.flatMap(({ path, kind, diff }) => {
    const isOnly = named.length === 1 || path === undefined
    const own = isOnly ? only : named.find((each) => isSamePath(each.path, path))
    const name = own?.path ?? path
    // What the tool called a new file may be one that was there: a diff that takes lines away tells.
    return name === undefined ? [] : [{ path: name, kind: kind ?? own?.kind ?? EDIT, diff }]
  })
}

const isSamePath = (one: string, other: string): boolean =>
  one === other || one.endsWith(`/${other}`) || other.endsWith(`/${one}`)

/** What was to be written, by the names that agents have for it. */
function askedFor(args: Fields): Pick<ToldEdit, 'kind' | 'diff'> | undefined {
  const content = CONTENTS.map((name) => textIn(args, name)).find((text) => text !== undefined)
  if (content !== undefined) return { kind: 'create', diff: wholeFile(content) }
  const edits = [args, ...objectsOf(args['edits'])].flatMap(replacement)
  return edits.length === 0 ? undefined : { kind: EDIT, diff: edits.join('\n') }
}

const CONTENTS = ['content', 'file_text', 'contents']
const BEFORE = ['old_string', 'old_str', 'oldString', 'oldText']
const AFTER = ['new_string', 'new_str', 'newString', 'newText']

function replacement(args: Fields): string[] {
  const [old, now] = [BEFORE, AFTER].map((names) =>
    names.map((name) => textIn(args, name)).find((text) => text !== undefined),
  )
  if (now === undefined) return []
  // Where in the file it stood is not known.
  return [unifiedDiff(old ?? '', now).replace(/^@@ .*$/gm, '@@')]
}

const PATCH = /\*\*\* Begin Patch\r?\n[\s\S]*?\n\*\*\* End Patch/

/** A patch in the form of `apply_patch`, also where it was given to a shell. */
function patchIn(args: unknown): string | undefined {
  const given = typeof args === 'string' ? [args] : Object.values(fieldsOf(args)).flat()
  for (const text of given) {
    const found = typeof text === 'string' ? PATCH.exec(text)?.[0] : undefined
    if (found !== undefined) return found
  }
  return undefined
}
