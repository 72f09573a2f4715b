/** What stands in the place of a store, a board and a redactor where a home has none: each says so when it is asked for. */
import { EngineError } from '../engine/errors.ts'
import type { HomeServices } from '../store/home-services.ts'

const refuse = (): Promise<never> =>
  Promise.reject(new EngineError('not_found', 'These sessions have no session store and no board.'))

export const noServices: HomeServices = {
  store: refuse,
  board: refuse,
  redactor: refuse,
  cacheFolder: '',
}
