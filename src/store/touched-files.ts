/** Which files a tool call changes, as far as its arguments and its result say. Paths are as they were given. */
import type { Payload } from '../format/event.ts'
import { deedOf } from '../state/tool-effects.ts'
import { clean } from './text.ts'

const MOST = 100
const LONGEST = 1024

/** From the start of the call: counted only when it succeeds. */
export function pathsOfStart(data: Payload<'tool.execution_start'>): string[] {
  const deed = deedOf(data.toolName, data.arguments)
  if (deed.kind === 'write') return plain(deed.paths)
  const { shellToolInfo: shell } = data
  return shell?.hasWriteFileRedirection === true ? plain(shell.possiblePaths) : []
}

/** From its end: what the tool itself tells of, and the diffs of ACP agents. */
export function pathsOfEnd(data: Payload<'tool.execution_complete'>): string[] {
  if (!data.success) return []
  const told = (data.fileEdits ?? []).map(({ path }) => path)
  return plain([...told, ...diffs(data.result?.contents), ...diffs(data.result?.structuredContent)])
}

/** `{ type: 'diff', path, newText }`, alone or in a list. */
function diffs(value: unknown): string[] {
  if (Array.isArray(value)) return value.slice(0, MOST).flatMap(diffs)
  if (typeof value !== 'object' || value === null) return []
  const { type, path, content, contents } = value as Record<string, unknown>
  if (type === 'diff' && typeof path === 'string') return [path]
  return [content, contents].flatMap((inner) => (Array.isArray(inner) ? diffs(inner) : []))
}

const plain = (paths: readonly string[]): string[] => [
  ...new Set(
    paths
      .slice(0, MOST)
      .map((path) => clean(path.trim()))
      .filter((path) => path !== '' && path.length <= LONGEST),
  ),
]
