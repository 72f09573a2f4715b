/**
 * NOTIFY, after the commit and not in it: in each transaction it takes a lock that all share, and appends become 6 to
 * 16 times slower. One call a batch. A call that is lost costs a moment: heads are looked at all the same. What is told
 * live travels on a channel of its own, and there what is lost is lost.
 */
import { sql as words } from 'kysely'
import type { Sql } from 'postgres'
import { errorText } from '../../lib/error-text.ts'
import type { Query } from '../database/port.ts'

const CHANNEL = 'reprise_control'
const LIVE = 'reprise_control_live'
/** A payload may have 8,000 bytes. */
const MOST_BYTES = 7900

/** `listening`: a client that does nothing else. */
export function openWakes(listening: Sql, query: Query, onTrouble: (message: string) => void) {
  const trouble = (cause: unknown) =>
    onTrouble(`Other nodes could not be woken; they look by themselves. (${errorText(cause)})`)
  const call = (channel: string, payload: string) =>
    void words`select pg_notify(${channel}, ${payload})`.execute(query).catch(trouble)
  return {
    tell(keys: readonly string[]): void {
      for (const payload of inCalls(keys)) call(CHANNEL, payload)
    },
    listen: (listener: (keys: readonly string[]) => void): Promise<void> =>
      listening.listen(CHANNEL, (payload) => listener(payload.split(','))).then(() => {}, trouble),
    pass(text: string): boolean {
      if (Buffer.byteLength(text) > MOST_BYTES) return false
      call(LIVE, text)
      return true
    },
    hear: (listener: (text: string) => void): Promise<void> =>
      listening.listen(LIVE, listener).then(() => {}, trouble),
  }
}

/** As few calls as they fit in. No key has a comma. */
function* inCalls(keys: readonly string[]): Generator<string> {
  let payload = ''
  for (const key of keys) {
    if (payload !== '' && payload.length + key.length + 1 > MOST_BYTES) {
      yield payload
      payload = ''
    }
    payload = payload === '' ? key : `${payload},${key}`
  }
  if (payload !== '') yield payload
}
