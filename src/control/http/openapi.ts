/** The document of the API, made of the table of routes. The streams are those of the Durable Streams protocol. */
import { z } from 'zod'
import type { ApiRoute } from './route.ts'
import { routes } from './routes.ts'

type Json = Record<string, unknown>

export function openApi(): Json {
  const paths: Record<string, Json> = {}
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Reprise Mission Control',
      version: '1',
      description:
        'Sessions of a team. Logs are streams under /streams; docs/control.md explains it.',
    },
    security: [{ token: [] }],
    paths,
    components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
  }
}

function operation(route: ApiRoute): Json {
  const { path, summary, scopes, status = 200, body, mostBytes, answers } = route
  return {
    summary,
    ...(scopes === 'open' ? { security: [] } : { 'x-scopes': scopes }),
    parameters: Array.from(path.matchAll(/:(\w+)/g), ([, name]) => ({
      name,
      in: 'path',
      required: true,
      schema: { type: 'string' },
    })),
    ...(body !== undefined && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: z.toJSONSchema(body) } },
      },
    }),
    ...(mostBytes !== undefined && {
      requestBody: { required: true, content: { 'application/octet-stream': {} } },
    }),
    responses: {
      [status]: {
        description: 'Done.',
        ...(answers !== undefined && { content: { [answers]: {} } }),
      },
      default: { description: 'Refused: {"error": {"code", "message"}}.' },
    },
  }
}
