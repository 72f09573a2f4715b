/**
 * Something is to be done in a session on another machine: it is left at Mission Control, its machine takes it and says
 * what became of it. What the machine does not take in time is withdrawn (`unreachable`: nothing was changed), but for
 * messages: they wait for it (`waits`).
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { EngineError, type ErrorCode } from '../../engine/errors.ts'
import { asEngineErrors } from '../engine-errors.ts'
import { RemoteError } from '../remote-error.ts'
import type { Server, Settled } from '../control-client.ts'

export type Asking = {
  readonly kind: string
  readonly content: unknown
  /** It is done whenever the machine is back. */
  readonly mayWait?: boolean
  /** How long its machine has to take it. */
  readonly seconds?: number
}

/** How long a machine has to take what does not wait for it. */
const TAKEN_SECONDS = 8
/** How long the asker of a message looks at it before it is left to itself. */
const PATIENCE_SECONDS = 5
/** What takes long, as a compaction, is waited for while its machine is at it. */
const LONGEST_MS = 10 * 60_000

/** What the machine answered. */
export async function askMachine(server: Server, id: string, asking: Asking): Promise<unknown> {
  const { kind, content, mayWait = false, seconds = TAKEN_SECONDS } = asking
  const wish = { id: crypto.randomUUID(), kind, content: JSON.stringify(content) }
  const first = await asEngineErrors(async () => {
    try {
      return await server.command(id, { ...wish, ...(!mayWait && { seconds }) })
    } catch (cause) {
      // Of two answers the first one counts: the second has no question any more.
      if (cause instanceof RemoteError && cause.status === 409 && kind.endsWith('_response'))
        throw new EngineError('not_found', cause.message, { cause })
      throw cause
    }
  })
  return resultOf(await ended(server, id, first, mayWait))
}

async function ended(
  server: Server,
  id: string,
  first: Settled,
  mayWait: boolean,
): Promise<Settled> {
  const begun = Date.now()
  let now = first
  for (;;) {
    if (now.state === 'queued' || now.state === 'claimed') {
      const isLate = Date.now() - begun >= (mayWait ? PATIENCE_SECONDS * 1000 : LONGEST_MS)
      if (isLate) throw waits(now)
      const wait = mayWait ? PATIENCE_SECONDS : TAKEN_SECONDS
      now = await asEngineErrors(() => server.settled(id, now.id, { wait }))
    } else if (now.state === 'applied' && typeof now.result !== 'string') {
      // The event that shows it has come; what the machine has to say of it comes in a moment.
      if (Date.now() - begun > PATIENCE_SECONDS * 1000) return now
      await sleep(20)
      now = await asEngineErrors(() => server.settled(id, now.id, { wait: 0 }))
    } else return now
  }
}

const waits = ({ id }: Settled): EngineError =>
  new EngineError(
    'waits',
    'The machine of this session does not answer now. It was accepted, and is done when the machine is back.',
    { details: { commandId: id } },
  )

function resultOf({ state, reason, result }: Settled): unknown {
  const value: unknown = typeof result === 'string' ? JSON.parse(result) : undefined
  if (state === 'applied') return value
  if (state === 'refused') {
    const code = codeIn(value)
    const details = { isIdle: code === undefined && isIdleCode(value) }
    throw new EngineError(code ?? 'invalid', reason ?? 'It was refused.', { details })
  }
  if (state === 'expired')
    throw new EngineError(
      'unreachable',
      'The machine of this session did not take it in time. Nothing was changed.',
    )
  throw new EngineError(
    'unreachable',
    'The machine of this session took it and was not heard of again: it may have been done. Look at the session before you do it again.',
  )
}

const CODES: ReadonlySet<string> = new Set<ErrorCode>([
  'not_found',
  'ambiguous',
  'invalid',
  'in_use',
  'busy',
  'conflict',
  'expired',
  'corrupt',
  'legacy',
  'not_durable',
  'cancelled',
])

const saidCode = (value: unknown): unknown =>
  (value as { readonly code?: unknown } | null | undefined)?.code

/** As the machine's engine said it. */
function codeIn(value: unknown): ErrorCode | undefined {
  const code = saidCode(value)
  return typeof code === 'string' && CODES.has(code) ? (code as ErrorCode) : undefined
}

const isIdleCode = (value: unknown): boolean => saidCode(value) === 'idle'

/** Nothing ran that could be stopped. */
export const wasIdle = (error: unknown): boolean =>
  error instanceof EngineError && error.details['isIdle'] === true
