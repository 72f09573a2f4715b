/**
 * NOTIFY, after the commit and not in it: in each transaction it takes a lock that all share, and appends become 6 to
 * 16 times slower. One call a batch. A call that is lost costs a moment: heads are looked at all the same.
 */
import type { Sql } from 'postgres'
import { errorText } from '../../lib/error-text.ts'

const CHANNEL = 'reprise_control'
/** A payload may have 8,000 bytes; an id has 16. */
const IDS_A_CALL = 400

export function openWakes(sql: Sql, onTrouble: (message: string) => void) {
  const trouble = (cause: unknown) =>
    onTrouble(`Other nodes could not be woken; they look by themselves. (${errorText(cause)})`)
  return {
    tell(streams: readonly string[]): void {
      for (let at = 0; at < streams.length; at += IDS_A_CALL) {
        void sql.notify(CHANNEL, streams.slice(at, at + IDS_A_CALL).join()).catch(trouble)
      }
    },
    listen: (listener: (streams: readonly string[]) => void): Promise<void> =>
      sql.listen(CHANNEL, (payload) => listener(payload.split(','))).then(() => {}, trouble),
  }
}
