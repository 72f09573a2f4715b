/** The permission to write a file: what it is for, which file, and what would change in it. */
import { errorText } from '../../lib/error-text.ts'
import { diff } from './diff.ts'
import { readProjectText } from './editor.ts'
import { isOwn, locate, shown } from './paths.ts'
import type { DeedOf, ToolContext } from './tool.ts'

export async function writingDeed(
  path: string,
  context: ToolContext,
  change: { readonly before: string | undefined; readonly after: string; readonly verb: string },
): Promise<DeedOf<'write'> | undefined> {
  const resolved = await locate(path, context)
  if (await isOwn(resolved, context)) return undefined
  const name = shown(resolved, context.cwd)
  return {
    kind: 'write',
    intention: `${change.verb} ${name}`,
    fileName: path,
    diff: diff(name, change.before, change.after),
    resolvedPath: resolved,
    canOfferSessionApproval: true,
  }
}

/** What is there now, as far as it can be compared: missing, text, or something that has no lines. */
export async function textNow(path: string, context: ToolContext): Promise<string | undefined> {
  try {
    return await readProjectText(await locate(path, context), context)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    return `(what is there now cannot be shown: ${errorText(error)})\n`
  }
}

/** What a session keeps is its owner's alone; in the project the user's own mask decides. */
export const modeFor = async (
  resolved: string,
  context: ToolContext,
): Promise<{ mode?: number }> => ((await isOwn(resolved, context)) ? { mode: 0o600 } : {})
