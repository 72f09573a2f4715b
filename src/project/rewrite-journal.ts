/**
 * The record of files, line by line as it is to be: what this home sealed is sealed again, what it did not stays as
 * foreign, and what was damaged as damaged, as it was. An end that was never finished is left out, as the next append
 * would.
 */
import { inSession } from '../format/paths.ts'
import type { SessionFs } from '../fs/session-fs.ts'
import { encodeText } from '../lib/bytes.ts'
import { checkOf, withCheck } from '../lib/checked-line.ts'
import { openJournal, printJournalEnd, readLines } from './journal.ts'
import { aboutJournal, printLine } from './journal-line.ts'
import { openSealer } from './record-hmac.ts'

export type RewrittenJournal = {
  readonly bytes: Uint8Array
  /** What `changes.end` is to say; undefined where it is not there, or says that lines are gone. */
  readonly end: Uint8Array | undefined
}

/** `home` is the session's folder when it is not in the trash: seals are made for that. */
export async function rewriteJournal(
  fs: SessionFs,
  dir: string,
  home: string,
  /** Undefined leaves the line out. */
  rewrite: (text: string) => string | undefined,
): Promise<RewrittenJournal> {
  const sealer = await openSealer(fs)
  const about = aboutJournal(home)
  const { hasEnd, missing } = await openJournal(fs, dir)
  const bytes = (await fs.read(inSession(dir, 'changes'))) ?? new Uint8Array()
  const lines: string[] = []
  let last = ''
  for (const read of readLines(bytes, { sealer, dir: home })) {
    const { line, text, seal, checked, link, state } = read
    const next = rewrite(text)
    if (next === undefined) continue
    const check = checked === 'right' ? checkOf(next, last) : checked === 'wrong' ? link : undefined
    last = check ?? checkOf(next, '')
    if (next === text && last === link) lines.push(line)
    else if (seal === undefined) lines.push(check === undefined ? next : withCheck(next, check))
    else
      lines.push(
        await printLine(next, check, (payload) =>
          state === 'ours' ? sealer.seal(about, payload) : seal,
        ),
      )
  }
  return {
    bytes: encodeText(lines.map((line) => `${line}\n`).join('')),
    end: hasEnd && missing === 0 ? printJournalEnd({ lines: lines.length, link: last }) : undefined,
  }
}
