/**
 * The record of files, line by line as it is to be: what this home sealed is sealed again, what it did not stays as
 * foreign as it was. An end that was never finished is left out, as the next append would.
 */
import { inSession } from '../format/paths.ts'
import type { SessionFs } from '../fs/session-fs.ts'
import { decodeText, encodeText } from '../lib/bytes.ts'
import { aboutJournal, sealed, unsealed } from './journal.ts'
import { openSealer } from './seal.ts'

/** `home` is the session's folder when it is not in the trash: seals are made for that. */
export async function rewriteJournal(
  fs: SessionFs,
  dir: string,
  home: string,
  /** Undefined leaves the line out. */
  rewrite: (text: string) => string | undefined,
): Promise<Uint8Array> {
  const sealer = await openSealer(fs)
  const about = aboutJournal(home)
  const bytes = (await fs.read(inSession(dir, 'changes'))) ?? new Uint8Array()
  const lines: string[] = []
  for (const line of decodeText(bytes.subarray(0, bytes.lastIndexOf(0x0a) + 1)).split('\n')) {
    if (line === '') continue
    const { text, seal } = unsealed(line)
    const next = rewrite(text)
    if (next === undefined) continue
    const isOurs = seal !== undefined && sealer.isSealed(about, text, seal)
    if (next === text) lines.push(line)
    else if (seal === undefined) lines.push(next)
    else lines.push(sealed(next, isOurs ? await sealer.seal(about, next) : seal))
  }
  return encodeText(lines.map((line) => `${line}\n`).join(''))
}
