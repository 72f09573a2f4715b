/** How a machine joins Mission Control: it shows a short code, its person says yes to it there, and it gets a token of its own. */
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { askJson } from './ask-server.ts'
import { openServer, type Me } from './control-client.ts'
import { RemoteError } from './remote-error.ts'

const Begun = z.object({
  deviceCode: z.string(),
  userCode: z.string(),
  /** Seconds. */
  interval: z.number().optional(),
  expiresIn: z.number().optional(),
})
const Token = z.object({ token: z.string() })

type DeviceCode = { readonly userCode: string }

const SCOPES = ['export', 'watch', 'steer', 'start'] as const

/** Resolves with the token when the person has said yes. `show` is called once with what they need for that. */
export async function loginByCode(
  url: string,
  machine: string,
  show: (code: DeviceCode) => void,
  signal: AbortSignal,
): Promise<string> {
  const begun = await askJson({ url }, '/api/login/device', Begun, {
    method: 'POST',
    json: { name: machine, machine, scopes: SCOPES },
    signal,
  })
  show({ userCode: begun.userCode })
  const until = Date.now() + (begun.expiresIn ?? 600) * 1000
  while (Date.now() < until) {
    await sleep((begun.interval ?? 2) * 1000, undefined, { signal })
    const token = await tokenFor(url, begun.deviceCode, signal)
    if (token !== undefined) return token
  }
  throw new RemoteError('refused', 'Nobody said yes to this code in time. Nothing was changed.')
}

/** By the code of a link that is used once: of the first owner, or of an invitation. */
export async function loginByLink(
  url: string,
  wish: {
    readonly code: string
    readonly machine: string
    /** What they want to be called; without it as the invitation says, else by their account here. */
    readonly name?: string
    readonly account?: string
  },
): Promise<string> {
  const json = wish
  return (await askJson({ url }, '/api/login/code', Token, { method: 'POST', json })).token
}

/** Undefined while nobody has decided, or too many from this address ask at once. */
async function tokenFor(
  url: string,
  deviceCode: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    const body = { method: 'POST', json: { deviceCode }, signal } as const
    return (await askJson({ url }, '/api/login/device/token', Token, body)).token
  } catch (cause) {
    if (cause instanceof RemoteError && NOT_YET.has(cause.status ?? 0)) return undefined
    throw cause
  }
}

const NOT_YET = new Set([428, 429])

/** Who the token says one is there; refuses one that does not hold. */
export const whoAmI = (url: string, token: string): Promise<Me> => openServer({ url, token }).me()
