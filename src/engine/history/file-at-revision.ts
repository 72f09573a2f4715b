/** One side of a changed file, for people: its text where it is text, else why there is none to be shown. */
import type { GetContent } from '../../project/describe.ts'
import type { Absent, FileState } from '../../project/file-state.ts'

export type FileSide =
  | { readonly kind: 'text'; readonly text: string; readonly sha256: string }
  | { readonly kind: 'binary'; readonly size: number; readonly sha256: string }
  | { readonly kind: 'link'; readonly target: string }
  | { readonly kind: 'absent' }
  /** Its content was not kept, or is longer than anybody reads. */
  | { readonly kind: 'unknown'; readonly why: string }

const MOST_BYTES = 2 * 1024 * 1024
const LOOKED_AT = 8000

export async function sideOf(state: FileState | Absent, get: GetContent): Promise<FileSide> {
  if (state === null) return { kind: 'absent' }
  if (state.type === 'link') return { kind: 'link', target: state.target }
  if (state.type !== 'file') return { kind: 'unknown', why: 'its content was not recorded' }
  const { sha256, size } = state
  if (size > MOST_BYTES) return { kind: 'unknown', why: 'it is too long to be shown' }
  const bytes = await get(sha256)
  if (bytes === undefined) return { kind: 'unknown', why: 'its content was not kept' }
  if (bytes.subarray(0, LOOKED_AT).includes(0)) return { kind: 'binary', size, sha256 }
  return { kind: 'text', text: new TextDecoder().decode(bytes), sha256 }
}
