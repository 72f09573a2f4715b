/**
 * The types of a client of the web API, made from its document by openapi-typescript: schema/openapi.d.ts. The generator
 * works with TypeScript's programming interface, which TypeScript 7 does not have; it is given that of TypeScript 5 as
 * ts-morph carries it, which does not bring a second `tsc` along.
 */
import { registerHooks } from 'node:module'

export async function generateClient(document: string): Promise<string> {
  using _hooks = withTypeScriptApi()
  const { default: openapiTypescript, astToString } = await import('openapi-typescript')
  const types = await openapiTypescript(document, { alphabetize: true })
  return `/** Generated from openapi.json. */\n${astToString(types)}`
}

function withTypeScriptApi(): Disposable {
  const hooks = registerHooks({
    resolve: (name, context, next) =>
      next(name === 'typescript' ? '@ts-morph/common/dist/typescript.js' : name, context),
  })
  return { [Symbol.dispose]: () => hooks.deregister() }
}
