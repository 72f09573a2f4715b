/** The document names every route, and says of each what it takes. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openApi } from './openapi.ts'
import { loginRoute, routes } from './routes.ts'

type Operation = {
  readonly operationId: string
  readonly parameters: readonly { readonly name: string; readonly in: string }[]
}

test('every route is in the document once, with the parameters of its path', () => {
  const paths = openApi()['paths'] as Record<string, Record<string, Operation>>
  const named = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
  assert.equal(named.length, routes.length + 1)
  assert.equal(new Set(named.map(({ operation }) => operation.operationId)).size, named.length)
  for (const { method, path } of [loginRoute, ...routes]) {
    const own = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name)
    const operation = paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]
    assert.deepEqual(
      operation?.parameters.filter((each) => each.in === 'path').map(({ name }) => name),
      own,
      path,
    )
  }
})

test('every answer is a schema of the document, and every reference leads to one', () => {
  const document = openApi()
  const { schemas } = document['components'] as { schemas: Record<string, unknown> }
  for (const { answer, path } of routes)
    assert.ok(['bytes', 'picture'].includes(answer) || answer in schemas, `${path}: ${answer}`)
  const named = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)]
  assert.deepEqual(
    named.map(([, name = '']) => name).filter((name) => !(name in schemas)),
    [],
  )
  assert.doesNotMatch(JSON.stringify(document), /"\$ref":"(?!#\/components)/)
})
