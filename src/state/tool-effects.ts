/** What a tool call does to the world, as far as its name and arguments say. */
type Deed =
  | { readonly kind: 'write' | 'read'; readonly paths: readonly string[] }
  | { readonly kind: 'command'; readonly command: string }
  | { readonly kind: 'other' }

const WRITES = /edit|create|write|patch|replace|insert/i
const READS = /read|view|open|cat/i
const SHELLS = /bash|shell|run|exec|terminal|command/i
const PATCH_HEADER = /^\*\*\* (?:Update|Add|Delete) File: (.+)$/gm

export function deedOf(toolName: string, args: unknown): Deed {
  const { command } = asFields(args)
  const paths = pathsOf(args)
  // One tool for all says in `command` whether it looks or writes.
  if (command === 'view') return { kind: 'read', paths }
  if (WRITES.test(toolName)) return { kind: 'write', paths }
  if (SHELLS.test(toolName) && typeof command === 'string') return { kind: 'command', command }
  if (READS.test(toolName) && paths.length > 0) return { kind: 'read', paths }
  return { kind: 'other' }
}

function pathsOf(args: unknown): string[] {
  const { path, file_path, filePath, fileName, file, input, patch } = asFields(args)
  const named = [path, file_path, filePath, fileName, file].filter(
    (each) => typeof each === 'string',
  )
  const patches = [args, input, patch].filter((each) => typeof each === 'string')
  return [
    ...named,
    ...patches.flatMap((text) =>
      Array.from(text.matchAll(PATCH_HEADER), ([, name = '']) => name.trim()),
    ),
  ]
}

const asFields = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
