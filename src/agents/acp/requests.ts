/** Everything that an agent may ask of us, one row each. */
import { RpcFailure, rpcCodes } from '../../lib/json-rpc/failure.ts'
import { NOT_ALLOWED } from './connection.ts'
import type { TurnServices } from './turn-services.ts'
import { elicit } from './elicitation.ts'
import { readTextFile, writeTextFile } from './file-requests.ts'
import type { Outside } from './acp-passthrough.ts'
import { requestPermission } from './permission-requests.ts'
import type { Fields } from '../../lib/fields.ts'
import type { Terminals } from './terminals.ts'

type Served = (
  services: TurnServices,
  params: Fields,
  terminals: Terminals,
) => Promise<Fields> | Fields

const served: Readonly<Record<string, Served>> = {
  'session/request_permission': requestPermission,
  'fs/read_text_file': readTextFile,
  'fs/write_text_file': writeTextFile,
  'terminal/create': (services, params, terminals) => terminals.create(services, params),
  'terminal/output': (_services, params, terminals) => terminals.output(params),
  'terminal/wait_for_exit': (_services, params, terminals) => terminals.waitForExit(params),
  'terminal/kill': (_services, params, terminals) => terminals.kill(params),
  'terminal/release': (_services, params, terminals) => terminals.release(params),
  'elicitation/create': elicit,
}

export async function serve(
  {
    services,
    terminals,
    outside,
    cancelled,
  }: {
    readonly services: TurnServices | undefined
    readonly terminals: Terminals
    readonly outside: Outside
    readonly cancelled: AbortSignal
  },
  method: string,
  params: Fields,
): Promise<unknown> {
  const serveThis = Object.hasOwn(served, method) ? served[method] : undefined
  if (serveThis === undefined) {
    const asked = outside.ask(method, params, cancelled)
    if (asked === undefined)
      throw new RpcFailure(rpcCodes.unknownMethod, `${method} is not offered.`)
    return asked.catch(refusedBy)
  }
  if (services === undefined) {
    throw new RpcFailure(NOT_ALLOWED, 'No turn runs: nothing is done outside of one.')
  }
  return serveThis(services, params, terminals)
}

/** A refusal is passed on as it is. */
function refusedBy(error: unknown): never {
  const { code, message, data } = error as { code?: unknown; message?: unknown; data?: unknown }
  throw new RpcFailure(typeof code === 'number' ? code : rpcCodes.internal, String(message), data)
}
