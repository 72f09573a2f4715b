/** Everything that an agent may ask of us, one row each. */
import { RpcFailure } from '../../lib/rpc-lines.ts'
import { INTERNAL, METHOD_NOT_FOUND, NOT_ALLOWED } from './connection.ts'
import type { Desk } from './desk.ts'
import { elicit } from './elicitation.ts'
import { readTextFile, writeTextFile } from './file-requests.ts'
import type { Outside } from './outside.ts'
import { requestPermission } from './permission-requests.ts'
import type { Raw } from './raw.ts'
import type { Terminals } from './terminals.ts'

type Served = (desk: Desk, params: Raw, terminals: Terminals) => Promise<Raw> | Raw

const served: Readonly<Record<string, Served>> = {
  'session/request_permission': requestPermission,
  'fs/read_text_file': readTextFile,
  'fs/write_text_file': writeTextFile,
  'terminal/create': (desk, params, terminals) => terminals.create(desk, params),
  'terminal/output': (_desk, params, terminals) => terminals.output(params),
  'terminal/wait_for_exit': (_desk, params, terminals) => terminals.waitForExit(params),
  'terminal/kill': (_desk, params, terminals) => terminals.kill(params),
  'terminal/release': (_desk, params, terminals) => terminals.release(params),
  'elicitation/create': elicit,
}

export async function serve(
  {
    desk,
    terminals,
    outside,
    cancelled,
  }: {
    readonly desk: Desk | undefined
    readonly terminals: Terminals
    readonly outside: Outside
    readonly cancelled: AbortSignal
  },
  method: string,
  params: Raw,
): Promise<unknown> {
  const serveThis = Object.hasOwn(served, method) ? served[method] : undefined
  if (serveThis === undefined) {
    const asked = outside.ask(method, params, cancelled)
    if (asked === undefined) throw new RpcFailure(METHOD_NOT_FOUND, `${method} is not offered.`)
    return asked.catch(refusedBy)
  }
  if (desk === undefined) {
    throw new RpcFailure(NOT_ALLOWED, 'No turn runs: nothing is done outside of one.')
  }
  return serveThis(desk, params, terminals)
}

/** A refusal is passed on as it is. */
function refusedBy(error: unknown): never {
  const { code, message, data } = error as { code?: unknown; message?: unknown; data?: unknown }
  throw new RpcFailure(typeof code === 'number' ? code : INTERNAL, String(message), data)
}
