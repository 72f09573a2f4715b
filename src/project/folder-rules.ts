/** The .gitignore of a folder and of those around it, read when a name has to be held against them. */
import { lstatSync, readFileSync } from 'node:fs'
import { stampOf } from './beneath-root.ts'
import type { Stamp } from './file-state.ts'
import { readRules, type IgnoreRules } from './ignore.ts'

export type Rules = {
  /** The stamp of the folder's own file, when it has one. */
  readonly seen: Stamp | undefined
  read(): IgnoreRules | undefined
}

const MAX_RULES_BYTES = 256 * 1024

export function rulesIn(
  root: string,
  folder: string,
  outer: Rules | undefined,
  hasOwn: boolean,
): Rules {
  const place = folder === '' ? `${root}/.gitignore` : `${root}/${folder}/.gitignore`
  const seen = hasOwn ? fileAt(place) : undefined
  let rules: { readonly read: IgnoreRules | undefined } | undefined
  return {
    seen,
    read() {
      rules ??= { read: seen === undefined ? outer?.read() : readAt(place, folder, outer?.read()) }
      return rules.read
    },
  }
}

function fileAt(place: string): Stamp | undefined {
  try {
    const stats = lstatSync(place, { throwIfNoEntry: false })
    const stamp = stats && stampOf(stats)
    const isFile = typeof stamp === 'object' && stamp.type === 'file'
    return isFile && stamp.size <= MAX_RULES_BYTES ? stamp : undefined
  } catch {
    // The folder is closed, or was replaced meanwhile: it has no rules then.
    return undefined
  }
}

function readAt(
  place: string,
  folder: string,
  outer: IgnoreRules | undefined,
): IgnoreRules | undefined {
  try {
    return readRules(readFileSync(place, 'utf8'), folder, outer)
  } catch {
    // Rules that cannot be read rule nothing: more is covered, not less.
    return outer
  }
}
