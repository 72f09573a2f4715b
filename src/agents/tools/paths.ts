/**
 * Where a path given to a tool leads, links resolved, and whose place that is: the project's, the
 * session's own, or neither. What needs permission is decided by where a path leads, never by how it is spelled.
 */
import { stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { isAbsolute, join, relative } from 'node:path'
import { layout } from '../../format/layout.ts'
import { folderOf } from '../../format/paths.ts'
import { isBelow } from '../../lib/is-below.ts'
import { realPath } from '../../lib/real-path.ts'
import { ToolFailure, type DeedOf, type ToolContext } from './tool.ts'

export async function locate(path: string, { cwd }: ToolContext): Promise<string> {
  if (path.trim() === '' || path.includes('\0')) {
    throw new ToolFailure('invalid_arguments', 'The path is empty or holds a NUL character.')
  }
  const written = /^~(?=[/\\]|$)/.test(path) ? join(homedir(), path.slice(1)) : path
  return realPath(isAbsolute(written) ? written : `${cwd}/${written}`)
}

/**
 * Reading needs no leave in the project, unless a program decides about every call, nor in what the session keeps for
 * the agent; a rule may deny both.
 */
export async function readingDeed(
  path: string,
  context: ToolContext,
  intention: string,
): Promise<DeedOf<'read'> | undefined> {
  const resolved = await locate(path, context)
  const isFree =
    (context.asksToRead?.() !== true && (await isInProject(resolved, context))) ||
    (await isOwn(resolved, context))
  if (isFree && (await mayRead(resolved, context))) return undefined
  return { kind: 'read', intention, path, resolvedPath: resolved }
}

export const isInProject = async (resolved: string, { cwd }: ToolContext): Promise<boolean> =>
  isBelow(await realPath(cwd), resolved)

export const mayRead = async (resolved: string, context: ToolContext): Promise<boolean> =>
  (await context.mayRead?.(resolved)) ?? true

/** plan.md, files/ and research/ are the agent's to keep; the log beside them is not. */
export async function isOwn(resolved: string, { workspacePath }: ToolContext): Promise<boolean> {
  if ((await kindOf(workspacePath)) !== 'folder') return false
  const own = await realPath(workspacePath)
  if (resolved === join(own, layout.session.plan.path)) return true
  return [layout.session.files, layout.session.research].some((row) =>
    isBelow(join(own, folderOf(row)), resolved),
  )
}

/** The path as it is shown: from the project when it is in it. A name must not be able to look like another line. */
export function shown(path: string, cwd: string): string {
  const inside = isBelow(cwd, path) && path !== cwd
  return quoteOdd(inside ? relative(cwd, path) : path)
}

/** Control, format and separator characters other than a plain blank. */
const ODD = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u

export const quoteOdd = (name: string): string =>
  ODD.test(name)
    ? JSON.stringify(name).replace(
        /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
        (odd) => `\\u{${odd.codePointAt(0)?.toString(16)}}`,
      )
    : name

/** What is there on this disk: a session may live in memory or with a client. */
export async function kindOf(path: string): Promise<'file' | 'folder' | undefined> {
  if (!isAbsolute(path)) return undefined
  const found = await stat(path).catch(() => undefined) // the caller that opens it is told why it cannot
  if (found?.isDirectory()) return 'folder'
  return found?.isFile() ? 'file' : undefined
}
