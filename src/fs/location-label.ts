/** Where the bytes live, in words for people: "Its files live …". */
import type { SessionFs } from './session-fs.ts'

export const livesWhere = ({ backend }: SessionFs): string => WORDS[backend]

const WORDS: Readonly<Record<SessionFs['backend'], string>> = {
  disk: 'on this disk',
  memory: 'in memory',
  client: 'with a connected client',
}
