/**
 * Of the hosts that a URL names, the one that writes. The driver goes on to the next host only where a connection is
 * refused: a standby that starts up, or a machine that is gone without a word, would end its search. So each host is
 * asked by itself, the one that wrote last first.
 */
import type { Sql } from 'postgres'

/** A client of the driver for one host; undefined: the only one that the URL names. */
type ConnectTo = (
  host: string | undefined,
  more: { readonly max: number; readonly idle_timeout: number; readonly onclose: () => void },
) => Sql

export interface Hosts {
  /** A client with one connection, to a host that writes. `onLost`: it broke since. */
  reach(onLost: () => void): Promise<Sql>
}

/** One that nobody wants is closed. */
const IDLE_SECONDS = 300
/** So long one host may take to say whether it writes; with several the next one is waiting. */
const ALONE_MS = 10_000
const EACH_MS = 3000

export function openHosts(url: string, connectTo: ConnectTo): Hosts {
  const names = namesIn(url)
  const patienceMs = names.length > 1 ? EACH_MS : ALONE_MS
  let first = 0
  return {
    async reach(onLost) {
      let failure: unknown
      for (let turn = 0; turn < names.length; turn++) {
        const at = (first + turn) % names.length
        let isReached = false
        const onclose = () => void (isReached && onLost())
        const sql = connectTo(names[at], { max: 1, idle_timeout: IDLE_SECONDS, onclose })
        try {
          await requireWriting(sql, patienceMs)
          isReached = true
          first = at
          return sql
        } catch (cause) {
          failure ??= cause
          // It is thrown away, however it ends.
          void sql.end({ timeout: 0 }).catch(() => undefined)
        }
      }
      throw failure
    },
  }
}

/** With a code, as what the system says of a connection has one. */
export const noAnswer = (message: string, cause?: unknown): Error =>
  Object.assign(new Error(message, { cause }), { code: 'NO_ANSWER' })

/** As the driver reads them. */
function namesIn(url: string): readonly (string | undefined)[] {
  const [authority = ''] = url.slice(url.indexOf('://') + 3).split(/[?/]/)
  const names = decodeURIComponent(authority.slice(authority.indexOf('@') + 1)).split(',')
  return names.length > 1 ? names : [undefined]
}

async function requireWriting(sql: Sql, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(noAnswer('The host did not answer in time.')), ms)
  })
  try {
    const [row] = await Promise.race([sql`select pg_is_in_recovery() as follows`, late])
    if (row?.['follows'] !== false) throw noAnswer('The host only reads: it follows another one.')
  } finally {
    clearTimeout(timer)
  }
}
