/**
 * Panels ("canvases") that clients declare and show beside a session. People and models open them, act in them and close
 * them; the client that declared one does the work. Which are open is in the log, and a client that comes back with the
 * same name is asked to show its own again.
 */
import { z } from 'zod'
import { EngineError } from '../../engine/errors.ts'
import type { Session } from '../../engine/session.ts'
import type { SessionId } from '../../format/ids.ts'
import { defined } from '../../lib/defined.ts'
import { errorText } from '../../lib/error-text.ts'
import type { RecordedCanvas } from '../../state/canvases.ts'
import type { Client } from './client.ts'
import {
  createCanvasProviders,
  type CanvasProviders,
  type DeclaredCanvas,
} from './canvas-providers.ts'
import type { CanvasAction, Member, Members } from './subscribers.ts'
import type { Told } from './wire.ts'

type Place = Pick<RecordedCanvas, 'instanceId' | 'extensionId' | 'canvasId'>
type OpenCanvas = Place & {
  readonly extensionName?: string
  readonly title?: string
  readonly status?: string
  readonly url?: string
  readonly input?: unknown
}

type OpenWish = {
  readonly canvasId: string
  readonly instanceId: string
  readonly extensionId?: string | undefined
  readonly input?: unknown
}
type ActionWish = {
  readonly instanceId: string
  readonly actionName: string
  readonly input?: unknown
}

export interface Canvases {
  readonly providers: CanvasProviders
  listOpen(): readonly OpenCanvas[]
  /** A client is connected that shows panels: only then is the model told of them. */
  readonly canBeShown: boolean
  open(wish: OpenWish): Promise<OpenCanvas>
  invoke(wish: ActionWish): Promise<unknown>
  close(instanceId: string): Promise<void>
  /** Panels of the log that this client declares are shown again; one that fails stays in the log. */
  showAgain(client: Client): Promise<void>
  /** The client has gone, and its panels with it. */
  left(member: Member): void
}

type Parts = {
  readonly id: SessionId
  readonly members: Members
  readonly ops: () => Session
  readonly cwd: () => string
  readonly tell: (told: Told) => void
}

export function createCanvases({ id, members, ops, cwd, tell }: Parts): Canvases {
  const providers = createCanvasProviders(members)
  const open = new Map<string, OpenCanvas>()
  const records = async () => (await ops().state()).canvases ?? []

  async function ask(
    method: 'open' | 'close' | 'action.invoke',
    { extensionId, canvasId, instanceId }: Place,
    more: object,
  ): Promise<unknown> {
    const provider = providers.owner(extensionId)
    if (provider === undefined)
      throw new EngineError(
        'unreachable',
        `Canvas instance "${instanceId}" cannot be reached: its provider "${extensionId}" is not connected. Open it again when it is.`,
      )
    const place = { sessionId: id, extensionId, canvasId, instanceId }
    const params = { ...place, ...more, session: { workingDirectory: cwd() } }
    try {
      return await provider.client.peer.request(`canvas.${method}`, params)
    } catch (error) {
      // The client's own words: it knows why.
      throw new EngineError('invalid', errorText(error), { cause: error })
    }
  }

  async function show(canvas: DeclaredCanvas, instanceId: string, input: unknown) {
    const { extensionId, extensionName, canvasId } = canvas
    const place = { instanceId, extensionId, canvasId }
    const shown = answered.parse((await ask('open', place, defined({ input }))) ?? {})
    const it: OpenCanvas = { ...place, ...defined({ extensionName, ...shown, input }) }
    open.set(instanceId, it)
    tell({ type: 'session.canvas.opened', data: it })
    return it
  }

  const canvases: Canvases = {
    providers,
    listOpen: () => [...open.values()],
    get canBeShown() {
      return members.some(({ showsCanvases }) => showsCanvases)
    },
    async open({ instanceId, input, ...named }) {
      if (!/^[^\p{Cc}]{1,256}$/u.test(instanceId))
        throw new EngineError('invalid', `Invalid canvas instance ID "${instanceId}".`)
      const canvas = providers.one(named)
      const { canvasId, extensionId } = canvas
      const before = open.get(instanceId) ?? (await records()).find(isOf(instanceId))
      if (before && (before.canvasId !== canvasId || before.extensionId !== extensionId))
        throw new EngineError(
          'conflict',
          `Canvas instance ID "${instanceId}" belongs to another canvas. Nothing was opened. Take another.`,
        )
      refuseInput(canvas.inputSchema, input, `canvas "${canvasId}" open input`)
      const it = await show(canvas, instanceId, input)
      if (before === undefined)
        await ops().canvases.record({
          instanceId,
          extensionId,
          canvasId,
          ...defined({ title: it.title, input }),
        })
      return it
    },
    async invoke({ instanceId, actionName, input }) {
      const at = open.get(instanceId) ?? (await records()).find(isOf(instanceId))
      if (at === undefined) {
        const others = [...open.keys()].map((it) => `"${it}"`).join(', ')
        throw new EngineError(
          'not_found',
          `Canvas instance "${instanceId}" is not open. Open are: [${others}]. Give the instanceId with which it was opened, not the canvasId.`,
        )
      }
      const { canvasId, extensionId } = at
      const { actions = [] } =
        providers.list().find((it) => it.canvasId === canvasId && it.extensionId === extensionId) ??
        {}
      const action = actions.find(({ name }) => name === actionName)
      if (action === undefined && providers.owner(extensionId) !== undefined)
        throw new EngineError('invalid', unknownAction(at, actionName, actions))
      refuseInput(action?.inputSchema, input, `action "${actionName}" on canvas "${canvasId}"`)
      return ask('action.invoke', at, { actionName, ...defined({ input }) })
    },
    async close(instanceId) {
      const at = open.get(instanceId) ?? (await records()).find(isOf(instanceId))
      if (at === undefined)
        throw new EngineError('not_found', `Canvas instance "${instanceId}" is not open.`)
      const { extensionId, canvasId } = at
      open.delete(instanceId)
      // What a client makes of the end of its panel changes nothing of it.
      await ask('close', at, {}).catch(() => {})
      tell({ type: 'session.canvas.closed', data: { instanceId, extensionId, canvasId } })
      await ops().canvases.remove({ instanceId, extensionId, canvasId })
    },
    async showAgain(client) {
      const member = members.of(client)
      if (member === undefined || member.canvases.length === 0) return
      for (const { instanceId, canvasId, extensionId, input } of await records()) {
        const canvas = providers
          .of(member)
          .find((it) => it.canvasId === canvasId && it.extensionId === extensionId)
        if (canvas === undefined || open.has(instanceId)) continue
        const given: unknown = input === undefined ? undefined : JSON.parse(input)
        // Its client knows why it does not show it; it is asked again when it comes again.
        await show(canvas, instanceId, given).catch(() => {})
      }
    },
    left(member) {
      const extensionId = providers.nameOf(member)
      if (providers.owner(extensionId) !== undefined) return
      for (const it of open.values()) {
        if (it.extensionId !== extensionId) continue
        const { instanceId, canvasId } = it
        open.delete(instanceId)
        tell({ type: 'session.canvas.unavailable', data: { instanceId, extensionId, canvasId } })
      }
    },
  }
  return canvases
}

const isOf =
  (instanceId: string) =>
  (it: RecordedCanvas): boolean =>
    it.instanceId === instanceId

const text = z.string().optional()
const answered = z.object({ title: text, status: text, url: text })

const unknownAction = (
  { canvasId }: Place,
  actionName: string,
  actions: readonly CanvasAction[],
): string =>
  `Unknown action "${actionName}" on canvas "${canvasId}". There are: [${actions.map(({ name }) => name).join(', ')}].`

function refuseInput(schema: unknown, input: unknown, of: string): void {
  const { issues } = schemaOf(schema)?.safeParse(input ?? {}).error ?? {}
  if (issues === undefined) return
  const [issue] = issues
  const at = issue === undefined || issue.path.length === 0 ? '(root)' : `/${issue.path.join('/')}`
  throw new EngineError(
    'invalid',
    `Invalid input for ${of}: ${at}: ${issue?.message ?? 'not as expected'}. Look at its declaration for the schema.`,
  )
}

/** A schema that is none refuses nothing: the client that declared it checks what it is given. */
function schemaOf(schema: unknown): z.ZodType | undefined {
  if (schema === undefined) return undefined
  try {
    return z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0])
  } catch {
    // As said above: nobody but its author can mend it, and their own check is still there.
    return undefined
  }
}
