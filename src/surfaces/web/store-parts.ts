/** The session store of this server, for the routes that cannot do without it. */
import { WebFailure } from './failure.ts'
import type { HomeServices } from '../../store/home-services.ts'
import type { Web } from './route.ts'

export function storeOf({ store }: Web): HomeServices {
  if (store !== undefined) return store
  throw new WebFailure('unavailable', 'This server was started without a session store.')
}
