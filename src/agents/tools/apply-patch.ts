/**
 * Changes several files of the project by one patch: all of it or nothing. Every file is asked for by itself, so a
 * rule for one allows no other; when a write fails, what was written before it is put back.
 */
import { rm, stat } from 'node:fs/promises'
import { z } from 'zod'
import { diff } from './diff.ts'
import { readProjectText, writeProjectText } from './editor.ts'
import { asFailure } from './files.ts'
import { applyHunks } from './patch-hunks.ts'
import { parsePatch, type FileChange } from './patch-format.ts'
import { kindOf, locate, readingDeed, shown } from './paths.ts'
import { ToolFailure, type Deed, type Tool, type ToolContext } from './tool.ts'
import { modeFor, writingDeed } from './writing.ts'

const Args = z.object({
  patch: z.string().describe('The patch, from "*** Begin Patch" to "*** End Patch".'),
})

/** Undefined stands for: no such file. */
type Write = {
  readonly path: string
  readonly file: string
  readonly before: string | undefined
  readonly after: string | undefined
  /** The mode of a file that is made; the user's own mask decides when left out. */
  readonly mode?: number
}

export const applyPatch: Tool<z.output<typeof Args>> = {
  name: 'apply_patch',
  description: `Adds, changes and deletes files by one patch:
*** Begin Patch
*** Add File: new.txt
+every line begins with a plus
*** Update File: src/a.ts
@@ function name()
 a line that stays
-a line that goes
+a line that comes
*** Delete File: old.txt
*** End Patch
"*** Move to: path" after "*** Update File" renames. Give three lines around a change, and "@@ line" to say where when they are not unique.`,
  args: Args,
  async permission({ patch }, context) {
    const deeds: Deed[] = []
    for (const { path, before, after } of await writesOf(patch, context)) {
      const verb = after === undefined ? 'Delete' : before === undefined ? 'Create' : 'Edit'
      const deed = await writingDeed(path, context, { before, after: after ?? '', verb })
      if (deed !== undefined) deeds.push(deed)
    }
    return deeds
  },
  async run({ patch }, context) {
    const writes = await writesOf(patch, context)
    const done: Write[] = []
    for (const write of writes) {
      try {
        done.push(write)
        await put(write, write.after, context)
      } catch (error) {
        const left = await undo(done, context)
        const outcome =
          left.length === 0 ? 'Nothing was changed' : `Could not put back ${left.join(', ')}`
        throw asFailure(error, `${outcome}: ${shown(write.file, context.cwd)}`)
      }
    }
    const change = ({ file, before, after }: Write) =>
      diff(shown(file, context.cwd), before, after ?? '')
    return {
      content: writes.map((write) => told(write, context)).join('\n'),
      detailedContent: writes.map(change).join(''),
    }
  },
}

async function writesOf(patch: string, context: ToolContext): Promise<readonly Write[]> {
  const writes: Write[] = []
  for (const change of parsePatch(patch)) writes.push(...(await writesFor(change, context)))
  const files = writes.map(({ file }) => file)
  if (new Set(files).size < files.length)
    throw new ToolFailure(
      'invalid_arguments',
      'The patch names one file twice. Nothing was changed.',
    )
  return writes
}

async function writesFor(change: FileChange, context: ToolContext): Promise<Write[]> {
  const { path } = change
  const file = await placeOf(path, context)
  try {
    if (change.kind === 'add') {
      await mustBeFree(file)
      const after = change.lines.map((line) => `${line}\n`).join('')
      return [{ path, file, before: undefined, after }]
    }
    const before = await readProjectText(file, context)
    if (change.kind === 'delete') return [{ path, file, before, after: undefined }]
    const after = applyHunks(before, change.hunks)
    if (change.moveTo === undefined) return [{ path, file, before, after }]
    const target = await placeOf(change.moveTo, context)
    await mustBeFree(target)
    return [
      { path: change.moveTo, file: target, before: undefined, after, mode: await modeOf(file) },
      { path, file, before, after: undefined },
    ]
  } catch (error) {
    throw asFailure(error, `Nothing was changed: ${shown(file, context.cwd)}`)
  }
}

/** A patch is compared with what is there, and that must not tell what is in files outside the project. */
async function placeOf(path: string, context: ToolContext): Promise<string> {
  const file = await locate(path, context)
  if ((await readingDeed(path, context, '')) === undefined) return file
  throw new ToolFailure(
    'failed',
    `${shown(file, context.cwd)} is outside the project: a patch changes files in it alone. Nothing was changed.`,
  )
}

async function mustBeFree(file: string): Promise<void> {
  if ((await kindOf(file)) !== undefined) throw new ToolFailure('failed', 'It is there already.')
}

const modeOf = async (file: string) => (await stat(file)).mode & 0o777

async function put(
  { file, mode }: Write,
  text: string | undefined,
  context: ToolContext,
): Promise<void> {
  if (text === undefined) return rm(file)
  const given = mode === undefined ? {} : { mode }
  const options = { how: 'replace', ...given, ...(await modeFor(file, context)) } as const
  await writeProjectText(file, text, options, context)
}

/** Gives the names of those that are not as they were. */
async function undo(writes: readonly Write[], context: ToolContext): Promise<string[]> {
  const left: string[] = []
  for (const write of writes.toReversed()) {
    if (await isAsBefore(write, context)) continue
    // Whether it went well is seen in the file.
    await put(write, write.before, context).catch(() => {})
    if (!(await isAsBefore(write, context))) left.push(shown(write.file, context.cwd))
  }
  return left
}

async function isAsBefore({ file, before }: Write, context: ToolContext): Promise<boolean> {
  if ((await kindOf(file)) === undefined) return before === undefined
  // What cannot be read is not known to be as it was.
  return (await readProjectText(file, context).catch(() => undefined)) === before
}

function told({ file, before, after }: Write, { cwd }: ToolContext): string {
  const name = shown(file, cwd)
  if (after === undefined) return `Deleted ${name}.`
  return before === undefined ? `Created ${name}.` : `Changed ${name}.`
}
