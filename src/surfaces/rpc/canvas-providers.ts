/** Which client declares which panels of a session, and under which name. */
import { EngineError } from '../../engine/errors.ts'
import { defined } from '../../lib/defined.ts'
import type { Client } from './client.ts'
import type { Member, Members, OfferedCanvas } from './subscribers.ts'

type Provider = {
  readonly client: Client
  readonly extensionId: string
  readonly extensionName?: string
  readonly canvases: readonly OfferedCanvas[]
}

export type DeclaredCanvas = OfferedCanvas & Pick<Provider, 'extensionId' | 'extensionName'>

export interface CanvasProviders {
  list(): readonly DeclaredCanvas[]
  of(member: Member): readonly DeclaredCanvas[]
  nameOf(member: Member): string
  owner(extensionId: string): Provider | undefined
  /** The one of that name; refuses when there is none, or more than one. */
  one(wanted: {
    readonly canvasId: string
    readonly extensionId?: string | undefined
  }): DeclaredCanvas
  /** A client declares more of them, in the name of a connection of its own. */
  register(connectionId: string, provider: Provider): void
  unregister(connectionId: string): void
}

export function createCanvasProviders(members: Members): CanvasProviders {
  const names = new Map<Client, string>()
  const registered = new Map<string, Provider>()

  const nameOf = ({ client, canvasProvider }: Member): string => {
    if (client.extension !== undefined) return client.extension.id
    if (canvasProvider !== undefined) return canvasProvider.id
    const name = names.get(client) ?? `connection:${names.size + 1}`
    names.set(client, name)
    return name
  }
  const asProvider = (member: Member): Provider => ({
    client: member.client,
    extensionId: nameOf(member),
    ...defined({ extensionName: member.client.extension?.name ?? member.canvasProvider?.name }),
    canvases: member.canvases,
  })
  const all = (): readonly Provider[] => [
    ...members.all().flatMap((it) => (it.canvases.length === 0 ? [] : [asProvider(it)])),
    ...[...registered.values()].filter(({ client }) => members.of(client) !== undefined),
  ]

  const providers: CanvasProviders = {
    nameOf,
    list: () => all().flatMap(declaredBy),
    of: (member) => declaredBy(asProvider(member)),
    owner: (extensionId) => all().find((it) => it.extensionId === extensionId),
    one({ canvasId, extensionId }) {
      const found = providers
        .list()
        .filter((it) => it.canvasId === canvasId && isOf(it, extensionId))
      const [one, ...others] = found
      if (one === undefined) {
        const named = extensionId === undefined ? canvasId : `${extensionId}/${canvasId}`
        throw new EngineError(
          'not_found',
          `No canvas "${named}" is registered. Nothing was opened.`,
        )
      }
      if (others.length === 0) return one
      const owners = found.map((it) => `"${it.extensionId}"`).join(', ')
      throw new EngineError(
        'ambiguous',
        `Canvas "${canvasId}" is provided by several extensions (${owners}). Nothing was opened. Say which with extensionId.`,
      )
    },
    register: (connectionId, provider) => void registered.set(connectionId, provider),
    unregister: (connectionId) => void registered.delete(connectionId),
  }
  return providers
}

const isOf = (canvas: DeclaredCanvas, extensionId: string | undefined): boolean =>
  extensionId === undefined || canvas.extensionId === extensionId

const declaredBy = ({
  extensionId,
  extensionName,
  canvases,
}: Provider): readonly DeclaredCanvas[] =>
  canvases.map((canvas) => ({ extensionId, ...defined({ extensionName }), ...canvas }))
