/** What Mission Control refuses, or that it cannot be asked, as every surface tells failures. */
import { EngineError, type ErrorCode } from '../engine/errors.ts'
import { RemoteError, type RemoteTrouble } from './remote-error.ts'

const CODES: Readonly<Record<RemoteTrouble, ErrorCode>> = {
  unreachable: 'unreachable',
  unauthorised: 'invalid',
  overtaken: 'in_use',
  gone: 'not_found',
  refused: 'invalid',
}

export async function asEngineErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    if (!(cause instanceof RemoteError)) throw cause
    throw new EngineError(CODES[cause.trouble], cause.message, { cause })
  }
}
