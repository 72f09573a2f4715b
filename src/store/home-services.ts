/** What is known over all sessions of a home. Each part is opened when it is first asked for. */
import type { LoadedRedactor } from '../lib/redact/redact.ts'
import type { Board } from './board.ts'
import type { Store } from './store.ts'

export interface HomeServices {
  store(): Promise<Store>
  board(): Promise<Board>
  /** Takes secrets out of what leaves a session. */
  redactor(): Promise<LoadedRedactor>
  readonly cacheFolder: string
}
