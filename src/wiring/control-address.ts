/** Where the Mission Control of a home is, and as whom it is asked. The environment comes before the configuration. */
import type { Config } from '../config/config-file.ts'

export function controlOf(
  { control = {} }: Pick<Config, 'control'>,
  env: NodeJS.ProcessEnv,
): { readonly url: string; readonly token: string } | undefined {
  const url = env['REPRISE_CONTROL_URL'] ?? control.url
  const token = env['REPRISE_CONTROL_TOKEN'] ?? control.token
  if (url === undefined || token === undefined) return undefined
  return { url: url.replace(/\/+$/, ''), token }
}
