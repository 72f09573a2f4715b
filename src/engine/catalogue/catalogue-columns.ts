/**
 * What a question about all sessions needs of each, as nine numbers: when and how large, where, and its name. A home
 * of a hundred thousand sessions is looked through in milliseconds, and only the rows that are shown are read.
 * A text is one number that is the same for the same text; 0 stands for none. Pure.
 */
import { comparable } from '../../state/resolve.ts'
import {
  bucketOf,
  compared,
  type Bucket,
  type Compared,
  type Whereabouts,
} from '../../state/relevance.ts'
import type { CatalogueRow } from './catalogue-row.ts'

/** Numbers a row. */
export const WIDTH = 9

/** The size and times by which it is known whether a row still holds. */
export type Stamps = {
  readonly logMtimeMs: number
  readonly folderMtimeMs: number
  readonly bytes: number
}

export function columnsOf({ logMtimeMs, folderMtimeMs, session }: CatalogueRow): number[] {
  const { repositoryKey, repository, gitRoot, cwd, branch } = numbersOf(session)
  return [
    logMtimeMs,
    folderMtimeMs,
    session.bytes,
    repositoryKey ?? 0,
    repository ?? 0,
    gitRoot ?? 0,
    cwd ?? 0,
    branch ?? 0,
    nameNumber(session.name) ?? 0,
  ]
}

/** `at` is where the numbers of the row begin. */
export const stampsAt = (columns: Float64Array, at: number): Stamps => ({
  logMtimeMs: columns[at] ?? 0,
  folderMtimeMs: columns[at + 1] ?? 0,
  bytes: columns[at + 2] ?? 0,
})

export const logMtimeAt = (columns: Float64Array, at: number): number => columns[at] ?? 0

export const bucketAt = (columns: Float64Array, at: number, here: Compared<number>): Bucket =>
  bucketOf(
    {
      repositoryKey: columns[at + 3] || undefined,
      repository: columns[at + 4] || undefined,
      gitRoot: columns[at + 5] || undefined,
      cwd: columns[at + 6] || undefined,
      branch: columns[at + 7] || undefined,
    },
    here,
  )

export const nameAt = (columns: Float64Array, at: number): number => columns[at + 8] ?? 0

export const nameNumber = (name: string | undefined): number | undefined => {
  const text = name === undefined ? '' : comparable(name)
  return text === '' ? undefined : numberOf(text)
}

export function numbersOf(where: Whereabouts): Compared<number> {
  const { repositoryKey, repository, gitRoot, cwd, branch } = compared(where)
  return {
    repositoryKey: repositoryKey === undefined ? undefined : numberOf(repositoryKey),
    repository: repository === undefined ? undefined : numberOf(repository),
    gitRoot: gitRoot === undefined ? undefined : numberOf(gitRoot),
    cwd: cwd === undefined ? undefined : numberOf(cwd),
    branch: branch === undefined ? undefined : numberOf(branch),
  }
}

/** 53 bits of it, never 0: of a million texts two share a number once in ten thousand homes. */
function numberOf(text: string): number {
  let [one, two] = [0xdeadbeef, 0x41c6ce57]
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    one = Math.imul(one ^ unit, 2_654_435_761)
    two = Math.imul(two ^ unit, 1_597_334_677)
  }
  one = Math.imul(one ^ (one >>> 16), 2_246_822_507) ^ Math.imul(two ^ (two >>> 13), 3_266_489_909)
  two = Math.imul(two ^ (two >>> 16), 2_246_822_507) ^ Math.imul(one ^ (one >>> 13), 3_266_489_909)
  return 4_294_967_296 * (2_097_151 & two) + (one >>> 0) || 1
}
