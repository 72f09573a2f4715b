/** The document of the web API, as the server itself gives it. */
import { openApi } from '../src/surfaces/web/openapi.ts'

export const generateOpenApi = (): string => `${JSON.stringify(openApi(), null, 2)}\n`
