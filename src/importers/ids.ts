/** The ids that sessions of other agents have here: the same for the same session on every import. */
import { createHash } from 'node:crypto'
import { uuidOf } from '../engine/sessions/import.ts'
import { asSessionId, type SessionId } from '../format/ids.ts'

export function importedId(
  agent: string,
  nativeId: string,
  { branch = '', generation = 0 }: { readonly branch?: string; readonly generation?: number } = {},
): SessionId {
  const name = ['session', agent, nativeId, branch, generation || ''].join('\0')
  return asSessionId(uuidOf(createHash('sha256').update(name).digest('hex')))
}
