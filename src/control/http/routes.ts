/** Every route of the API, in one table: the server and its document are made of it. */
import { commandRoutes } from './command-routes.ts'
import { blobRoutes } from './blob-routes.ts'
import { copilotRoutes } from './copilot-routes.ts'
import { liveRoutes } from './live-routes.ts'
import { loginRoutes } from './login-routes.ts'
import { peopleRoutes } from './people-routes.ts'
import type { ApiRoute } from './route.ts'
import { sessionRoutes } from './session-routes.ts'
import { taskRoutes } from './task-routes.ts'
import { storeRoutes } from './store-routes.ts'
import { syncRoutes } from './sync-routes.ts'

export const routes: readonly ApiRoute[] = [
  ...loginRoutes,
  ...sessionRoutes,
  ...commandRoutes,
  ...peopleRoutes,
  ...storeRoutes,
  ...syncRoutes,
  ...taskRoutes,
  ...liveRoutes,
  ...blobRoutes,
  ...copilotRoutes,
]
