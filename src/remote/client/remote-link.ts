/** The two ways to a session on another machine: its copy in Mission Control, and the machine itself, which decides. */
import { EngineError } from '../../engine/errors.ts'
import type { Session } from '../../engine/session.ts'
import { rowOf, type OperationName } from '../../engine/operations/table.ts'
import { toWire, type Operation } from '../../engine/operations/operation.ts'
import type { SessionId } from '../../format/ids.ts'
import { RemoteError } from '../remote-error.ts'
import type { Server } from '../control-client.ts'
import { askMachine, type Asking } from './ask-machine.ts'
import type { Mirror } from './mirror.ts'

/** Who reads does not wait long for a machine: the copy tells most of it. */
const READ_SECONDS = 3
/** Clocks of two machines differ. */
const CLOCKS_MS = 5000

export type FarLink = ReturnType<typeof farLink>

export function farLink(server: Server, id: SessionId, mirror: Mirror) {
  const { session: copy } = mirror
  const fresh = async (): Promise<Session> => {
    await mirror.refresh()
    return copy
  }
  /** Returns when what it did is here, too. */
  async function ask(asking: Asking): Promise<unknown> {
    const answer = await askMachine(server, id, asking)
    await mirror.refresh()
    return answer
  }
  /** Its machine was heard of lately. */
  const isThere = (): boolean =>
    Date.parse(mirror.known()?.presence.staleAt ?? '') > Date.now() - CLOCKS_MS
  const isSteerable = (): boolean => mirror.known()?.isSteerable === true

  async function perform(name: OperationName, params: object): Promise<unknown> {
    const operation = rowOf(name)
    if (operation.where === 'log') return (await fresh()).perform(name, params)
    if (!operation.may.includes('steer')) throw onlyThere(operation.summary)
    const json =
      (await ask({ ...commandFor(name, operation, params), ...patience(operation) })) ?? undefined
    return operation.fromJson === undefined ? json : operation.fromJson(json as never)
  }

  /** For who may watch and not steer, and while the machine is away, what the copy tells has to do. */
  async function performOrCopy(name: OperationName, params: object): Promise<unknown> {
    const known = async () => (await fresh()).perform(name, params)
    if (!isSteerable() || !isThere()) return known()
    try {
      return await perform(name, params)
    } catch (error) {
      const isAway = error instanceof EngineError && error.code === 'unreachable'
      if (isAway || isRefused(error)) return known()
      throw error
    }
  }

  return {
    server,
    id,
    mirror,
    fresh,
    ask,
    isThere,
    isSteerable,
    perform: (name: OperationName, params: object): Promise<unknown> =>
      rowOf(name).orCopy === true ? performOrCopy(name, params) : perform(name, params),
  }
}

const patience = ({ orCopy }: Operation) => (orCopy === true ? { seconds: READ_SECONDS } : {})

/** Kinds of command of their own: Mission Control and other programs know these. */
const COMMANDS: Readonly<
  Partial<Record<OperationName, (params: Readonly<Record<string, unknown>>) => Asking>>
> = {
  cancel: (content) => ({ kind: 'abort', content }),
  answer: ({ requestId: promptId, kind: decision, feedback, option }) => ({
    kind: 'permission_response',
    content: { promptId, decision, feedback, option },
  }),
  answerQuestion: ({ requestId: promptId, answer = null }) => ({
    kind: 'ask_user_response',
    content: { promptId, answer },
  }),
  setMode: (content) => ({ kind: 'mode_switch', content }),
}

/** All others are one kind, with the name under which machines of the release before know them, too. */
function commandFor(name: OperationName, operation: Operation, params: object): Asking {
  const { formerly = name } = operation
  const content = toWire(operation, params)
  const made = COMMANDS[name]?.(content as Readonly<Record<string, unknown>>)
  if (made !== undefined) return made
  // A parameter may be called "name", too.
  const wish =
    'name' in content ? { name: formerly, params: content } : { name: formerly, ...content }
  return { kind: 'operation', content: wish }
}

/** Who asks may watch and not steer. */
export const isRefused = (error: unknown): boolean =>
  error instanceof EngineError &&
  error.cause instanceof RemoteError &&
  error.cause.trouble === 'unauthorised'

/** What can only be done where the session runs. */
export const onlyThere = (summary: string): EngineError =>
  new EngineError(
    'invalid',
    `This session runs on another machine, and this can be done only there: ${summary} Nothing was changed.`,
  )
