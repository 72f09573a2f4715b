/** The document of the API, made of the schemas that check the requests and of those that the answers are written in. */
import { z } from 'zod'
import { answers } from './answers.ts'
import type { ApiErrorCode } from './api.ts'
import { statuses } from './failure.ts'
import { hasBody, type Route } from './route.ts'
import { loginRoute, routes } from './routes.ts'

type Json = Record<string, unknown>

const OWNER = [{ token: [] }, { cookie: [] }]

/** `server`: where it is reached; in a file, where it usually is. */
export function openApi(server = 'http://127.0.0.1:7373'): Json {
  const paths: Record<string, Json> = {}
  for (const route of [loginRoute, ...routes]) {
    const path = route.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Reprise',
      version: '1',
      description:
        'Sessions of coding agents: read, followed and steered. docs/web.md explains it.',
    },
    servers: [{ url: server, description: 'As “reprise web” prints it.' }],
    security: OWNER,
    paths,
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer' },
        cookie: { type: 'apiKey', in: 'cookie', name: 'reprise_{port}' },
        guest: {
          type: 'apiKey',
          in: 'cookie',
          name: 'reprise_guest_{port}',
          description: 'Of one session alone; every answer is redacted.',
        },
      },
      schemas: { ...answerSchemas(), Error: errorSchema() },
    },
  }
}

function operation(route: Route): Json {
  return {
    operationId: nameOf(route),
    summary: route.summary,
    ...(route === loginRoute && { security: [] }),
    ...(route.guests && { security: [...OWNER, { guest: [] }] }),
    parameters: [...parametersOf(route.params, 'path'), ...parametersOf(route.query, 'query')],
    ...(hasBody(route.method) && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: schemaOf(route.body) } },
      },
    }),
    responses: {
      [route.status]: { description: route.answer, content: contentOf(route) },
      default: {
        description: 'Failed',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    },
  }
}

const nameOf = ({ method, path }: Route): string =>
  [method.toLowerCase(), ...path.split(/\W+/).slice(2)].join('_').replaceAll('-', '_')

function contentOf({ isStream, answer }: Route): Json {
  if (answer === 'bytes') return { 'application/octet-stream': { schema: { type: 'string' } } }
  if (answer === 'picture') return { 'image/*': { schema: { type: 'string' } } }
  const schema = { $ref: `#/components/schemas/${answer}` }
  // A document of this version has no word for one frame of a stream: it is an extension, with the name of later ones.
  if (isStream)
    return { 'text/event-stream': { schema: { type: 'string' }, 'x-itemSchema': schema } }
  return { 'application/json': { schema } }
}

/** Each once, by its name; what one has of another is a reference. */
function answerSchemas(): Json {
  const named = z.registry<{ id: string }>()
  for (const [id, schema] of Object.entries(answers)) named.add(schema, { id })
  const { schemas } = z.toJSONSchema(named, {
    uri: (id) => `#/components/schemas/${id}`,
    unrepresentable: 'any',
    // That nobody changes an answer is a matter of our types, not of the wire.
    override: ({ jsonSchema }) => void delete jsonSchema.readOnly,
  })
  return Object.fromEntries(
    Object.entries(schemas).map(([name, { $schema: _schema, $id: _id, ...rest }]) => [name, rest]),
  )
}

function parametersOf(schema: z.ZodType, place: 'path' | 'query'): Json[] {
  const { properties = {}, required = [] } = schemaOf(schema)
  return Object.entries(properties as Json).map(([name, each]) => ({
    name,
    in: place,
    required: place === 'path' || (required as string[]).includes(name),
    schema: each,
  }))
}

/** As a client writes it. */
function schemaOf(schema: z.ZodType): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  return rest as Json
}

function errorSchema(): Json {
  const codes = Object.keys(statuses) as ApiErrorCode[]
  return {
    type: 'object',
    required: ['error'],
    properties: {
      error: {
        type: 'object',
        required: ['code', 'message', 'details'],
        properties: {
          code: { enum: codes },
          message: { type: 'string' },
          details: { type: 'object' },
        },
      },
    },
  }
}
