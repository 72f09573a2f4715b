/** The documents of the web API and of Mission Control's, as the servers themselves give them. */
import { openApi as controlOpenApi } from '../src/control/http/openapi.ts'
import { openApi } from '../src/surfaces/web/openapi.ts'

export const generateOpenApi = (): string => `${JSON.stringify(openApi(), null, 2)}\n`

export const generateControlOpenApi = (): string => `${JSON.stringify(controlOpenApi(), null, 2)}\n`
