/** What is known over all sessions of a home. Each part is opened when it is first asked for. */
import type { Redactor } from '../lib/redact/redact.ts'
import type { Board } from './board.ts'
import type { FarStore } from './far-store.ts'
import type { Store } from './store.ts'

export interface HomeServices {
  store(): Promise<Store>
  board(): Promise<Board>
  /** Takes secrets out of what leaves a session. */
  redactor(): Promise<Redactor>
  /** That of Mission Control; undefined where none was joined. Refuses where it is turned off. */
  far?(): Promise<FarStore | undefined>
  readonly cacheFolder: string
}
