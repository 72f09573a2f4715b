/**
 * Which calls of one answer wait for which. All begin at once, except that a call waits for earlier ones that may write
 * what it reads or writes. A tool whose files are not known may write anything; shell commands run beside each other
 * where their words tell that they do not meet.
 */
import { isBelow } from '../../lib/is-below.ts'
import type { ToolCall } from '../../state/model-context.ts'
import { deedOf } from '../../state/tool-effects.ts'
import { locate } from '../tools/paths.ts'
import type { Tool, ToolContext } from '../tools/tool.ts'
import { mayDisturb, shellReach, type ShellReach } from './shell-order.ts'

type Reach = {
  readonly isWriting: boolean
  readonly paths: readonly string[] | 'any'
  /** Of a shell command, for other shell commands. */
  readonly shell?: ShellReach
}

/** For each call the places of those that it waits for. */
export async function waitsOf(
  calls: readonly ToolCall[],
  toolOf: (name: string) => Tool | undefined,
  context: Pick<ToolContext, 'cwd'>,
): Promise<readonly (readonly number[])[]> {
  const reaches = await Promise.all(
    calls.map((call) => reachOf(call, toolOf(call.name), context.cwd)),
  )
  return reaches.map((reach, index) =>
    reaches.slice(0, index).flatMap((earlier, at) => (mayMeet(earlier, reach) ? [at] : [])),
  )
}

const NOWHERE: Reach = { isWriting: false, paths: [] }

async function reachOf(
  { name, arguments: given }: ToolCall,
  tool: Tool | undefined,
  cwd: string,
): Promise<Reach> {
  if (tool === undefined || tool.isElsewhere) return NOWHERE
  const isWriting = tool.isReadOnly !== true
  const deed = deedOf(name, given)
  const named = 'paths' in deed ? deed.paths : pathIn(given)
  if (isWriting && deed.kind === 'command')
    return { isWriting, paths: 'any', shell: shellReach(deed.command, cwd) }
  if (isWriting && (deed.kind !== 'write' || named.length === 0)) return { isWriting, paths: 'any' }
  try {
    const places = named.length === 0 ? ['.'] : named
    const found = await Promise.all(places.map((path) => locate(path, { cwd } as ToolContext)))
    // Two spellings are one file on some disks; on the others a call waits without need.
    return { isWriting, paths: found.map((path) => path.toLowerCase()) }
  } catch {
    // A path that cannot be one: the call itself says so.
    return { isWriting, paths: 'any' }
  }
}

const pathIn = (given: unknown): readonly string[] => {
  const { path } = (given ?? {}) as { readonly path?: unknown }
  return typeof path === 'string' ? [path] : []
}

function mayMeet(one: Reach, other: Reach): boolean {
  if (!one.isWriting && !other.isWriting) return false
  if (one.shell !== undefined && other.shell !== undefined)
    return mayDisturb(one.shell, other.shell)
  const { paths } = one
  const others = other.paths
  if (paths === 'any') return others === 'any' || others.length > 0
  if (others === 'any') return paths.length > 0
  return paths.some((path) => others.some((each) => isBelow(path, each) || isBelow(each, path)))
}
