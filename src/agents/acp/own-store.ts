/**
 * The files in which agents keep sessions of their own, where their layout is known: a copy of the beginning of such a
 * file, under another id, is another session to the agent. What it has itself is read and never written.
 */
import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { errorText } from '../../lib/error-text.ts'
import type { CommandLine } from './agent-process.ts'

export type OwnStore = {
  /** Keeps some of its prompts and what was answered to them. Gives the id of the copy. */
  copy(place: StorePlace, prompts: KeptPrompts): Promise<Copied>
  /** Why it must not be asked to load this session now. */
  doubt?(place: StorePlace): Promise<string | undefined>
}

export type StorePlace = {
  readonly env: NodeJS.ProcessEnv
  readonly sessionId: string
  /** How the agent itself was started, and where. */
  readonly line: CommandLine
  readonly cwd: string
}
export type Copied = string | { readonly why: string }

/** Counted from the beginning, or, of a session that began before it came here, from the end. */
export type KeptPrompts = { readonly kept: number } | { readonly dropped: number }

/** Undefined when there are not as many. */
export function promptsKept(all: number, prompts: KeptPrompts): number | undefined {
  const count = 'kept' in prompts ? prompts.kept : all - prompts.dropped
  return count < 1 || count > all ? undefined : count
}

export const NOT_AS_EXPECTED = { why: 'its own log is not what was expected' } as const

/** Makes a copy; whatever stands against it is a reason, and no failure. */
export async function copying(make: () => Promise<Copied>): Promise<Copied> {
  try {
    return await make()
  } catch (error) {
    return { why: `its own log could not be copied: ${errorText(error)}` }
  }
}

/** A new file in one step. */
export async function putAside(folder: string, name: string, lines: readonly string[]) {
  const building = join(folder, `.${name}.tmp`)
  try {
    await writeFile(building, `${lines.join('\n')}\n`, { mode: 0o600, flag: 'wx' })
    await rename(building, join(folder, name))
  } catch (error) {
    await rm(building, { force: true }).catch(() => {}) // a file that no agent lists
    throw error
  }
}
