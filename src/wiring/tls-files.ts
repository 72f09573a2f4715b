/** The certificate and the key of a server, from the files that are named. */
import { createSecureContext } from 'node:tls'
import { resolve } from 'node:path'
import { EngineError } from '../engine/errors.ts'
import { readSmallText } from '../lib/small-text.ts'

type Named = {
  readonly cwd: string
  readonly tlsCert?: string
  readonly tlsKey?: string
}

type Tls = { readonly cert: string; readonly key: string }

/** Undefined when neither is named. */
export async function readTls({ cwd, tlsCert, tlsKey }: Named): Promise<Tls | undefined> {
  if (tlsCert === undefined && tlsKey === undefined) return undefined
  const [cert, key] = await Promise.all(
    [tlsCert, tlsKey].map((path) => readSmallText(path === undefined ? '' : resolve(cwd, path))),
  )
  if (cert === undefined || key === undefined)
    throw refused('TLS needs --tls-cert and --tls-key, two files that can be read.')
  try {
    createSecureContext({ cert, key })
  } catch (cause) {
    throw refused('--tls-cert and --tls-key are no certificate with its key, in PEM.', cause)
  }
  return { cert, key }
}

const refused = (what: string, cause?: unknown) =>
  new EngineError('invalid', `${what} Nothing was started.`, { cause })
