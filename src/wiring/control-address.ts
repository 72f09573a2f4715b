/** Where the Mission Control of a home is, and as whom it is asked. The environment comes before the configuration. */
import type { Config } from '../config/config-file.ts'

export function controlOf(
  { control = {} }: Pick<Config, 'control'>,
  env: NodeJS.ProcessEnv,
): { readonly url: string; readonly token: string } | undefined {
  const configured = addressIn(control.url)
  const url = addressIn(env['REPRISE_CONTROL_URL']) ?? configured
  // A token is for the server that gave it: no other one is told it.
  const token = env['REPRISE_CONTROL_TOKEN'] ?? (url === configured ? control.token : undefined)
  if (url === undefined || token === undefined) return undefined
  return { url, token }
}

const addressIn = (url: string | undefined): string | undefined => url?.replace(/\/+$/, '')
