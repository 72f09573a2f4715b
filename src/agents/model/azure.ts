/** Where Azure has the dialects of OpenAI, and how a key is shown there. */

export type Azure = {
  /** With it the addresses of that version are used, with the name of the deployment in them. */
  readonly apiVersion?: string
  /** Shown in a header of its own, unless there is a token. */
  readonly apiKey?: string
}

/** `host` is the address of the resource, without a path. */
export function azureAddress(
  host: string,
  deployment: string,
  { apiVersion }: Azure,
  dialect: 'completions' | 'responses',
): string {
  const base = `${host.replace(/\/+$/, '')}/openai`
  if (apiVersion === undefined) return `${base}/v1`
  return dialect === 'responses' ? base : `${base}/deployments/${encodeURIComponent(deployment)}`
}

export const azureFetch =
  (fetch: typeof globalThis.fetch, { apiVersion, apiKey }: Azure): typeof globalThis.fetch =>
  (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input)
    if (apiVersion !== undefined) url.searchParams.set('api-version', apiVersion)
    const headers = new Headers(init?.headers)
    // A library that has no token shows an empty one.
    const hasToken = /^Bearer\s+\S/i.test(headers.get('authorization') ?? '')
    if (!hasToken) headers.delete('authorization')
    if (!hasToken && apiKey !== undefined) headers.set('api-key', apiKey)
    return fetch(url, { ...init, headers })
  }
