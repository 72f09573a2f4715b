/** Every route there is: the server, its document and its tests go by this table. */
import type { LoginAnswer } from './api.ts'
import { actRoutes } from './act-routes.ts'
import { addressRoutes } from './address-routes.ts'
import { boardRoutes } from './board-routes.ts'
import { changeRoutes } from './change-routes.ts'
import { choiceRoutes } from './choice-routes.ts'
import { aliasRoutes, operationRoutes } from './operation-routes.ts'
import { readRoutes } from './read-routes.ts'
import { LoginBody } from './requests.ts'
import { post, type Route } from './route.ts'
import { storeRoutes } from './store-routes.ts'
import { streamRoutes } from './stream-routes.ts'

/** The only one that needs no token: it is how a browser gets one. The server itself does it. */
export const loginRoute: Route = post(
  '/api/login',
  {
    summary:
      "Gives the cookie for the code of a link: once for the owner's, until it expires for a guest's",
    answer: 'LoginAnswer',
    body: LoginBody,
    mostBytes: 4096,
  },
  (_web, { guest }): LoginAnswer => ({ ok: true, ...(guest && { guestOf: guest.sessionId }) }),
)

export const routes: readonly Route[] = [
  ...readRoutes,
  ...actRoutes,
  ...aliasRoutes,
  ...operationRoutes,
  ...addressRoutes,
  ...changeRoutes,
  ...choiceRoutes,
  ...streamRoutes,
  ...storeRoutes,
  ...boardRoutes,
]
