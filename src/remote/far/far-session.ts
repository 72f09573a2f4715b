/**
 * The handle of a session on another machine. What is read comes from the copy in Mission Control; what is done is done
 * by the session's own machine, which decides; and what can only be done at a machine says so and changes nothing.
 */
import type { Session } from '../../engine/session.ts'
import type { SessionId } from '../../format/ids.ts'
import { defined } from '../../lib/defined.ts'
import { asEngineErrors } from '../engine-errors.ts'
import type { Server } from '../control-client.ts'
import { farFiles } from './far-files.ts'
import { atMachine, farLink } from './far-link.ts'
import type { FarLink } from './far-link.ts'
import { farTime } from './far-time.ts'
import { farTurns } from './far-turns.ts'
import { openMirror } from './mirror.ts'
import type { Mirror } from './mirror.ts'

type FarOptions = { readonly onClose?: () => void }

export async function openFar(
  server: Server,
  id: SessionId,
  options: FarOptions = {},
): Promise<{ readonly session: Session; heard(): Heard }> {
  const mirror = await asEngineErrors(() => openMirror(server, id))
  const link = farLink(server, id, mirror)
  const session = farSession(link, mirror, options)
  return {
    session,
    heard: () => ({
      at: new Date(mirror.known()?.presence.heardAt ?? 0),
      isThere: link.isThere(),
      isSteerable: mirror.known()?.isSteerable === true,
    }),
  }
}

/** When its machine was last heard of. */
export type Heard = {
  readonly at: Date
  readonly isThere: boolean
  readonly isSteerable: boolean
}

function farSession(link: FarLink, mirror: Mirror, { onClose }: FarOptions): Session {
  const { id, copy, fresh, ask, operate, orElse, isThere } = link
  const handle: Session = {
    id,
    machine: mirror.known()?.machine ?? 'another machine',
    get now() {
      return {
        isRunning: false,
        isAtWorkElsewhere:
          isThere() && /working|input-needed/.test(mirror.known()?.presence.state ?? ''),
        isCompacting: false,
        isQueueHeld: false,
        queued: 0,
        steering: [],
        hasLog: true,
        unwritten: [],
        cwd: '',
      }
    },
    with: () => handle,
    async resume() {
      const state = await (await fresh()).state()
      const holder = await handle.holder()
      return { state, wasActive: false, ...defined({ holder }) }
    },
    save: async () => {},
    async close() {
      onClose?.()
      await mirror[Symbol.asyncDispose]()
    },
    releaseLease: () => atMachine('let go of it'),
    async holder() {
      const { machine, presence } = mirror.known() ?? {}
      if (presence === undefined || !isThere()) return undefined
      return { pid: 0, label: machine ?? 'another machine', since: presence.heardAt }
    },

    ...farTurns(link),
    agentOptions: async () => undefined,
    setAgentOption: () => atMachine('choose the options of its agent'),
    setAgent: () => atMachine('choose its agent'),
    setModel: (choice) => operate('model', choice),
    setMode: (mode) => ask({ kind: 'mode_switch', content: { mode } }),
    guidance: () => operate('guidance'),
    selectAgent: (name) => operate('agent-select', defined({ agent: name })),
    switchGuidance: (change) => operate('guidance-switch', change),
    setSteerable: () => atMachine('say whether it can be steered'),
    moveTo: () => atMachine('move it to another directory'),
    rename: (title) => operate('rename', { title }),
    nameByDefault: async () => false,

    state: async () => (await fresh()).state(),
    async metadata() {
      const known = mirror.known()
      const metadata = await (await fresh()).metadata()
      return { ...metadata, ...defined({ name: known?.name ?? undefined, person: known?.person }) }
    },
    workspaceFile: async () => (await fresh()).workspaceFile(),
    follow: (options) => mirror.follow(options),
    events: async (query) => (await fresh()).events(query),
    eventItems: async () => (await fresh()).eventItems(),
    async *raw() {
      yield* (await fresh()).raw()
    },
    async *transcript() {
      yield* (await fresh()).transcript()
    },
    contextSize: () => orElse('context-size', () => copy.contextSize()),
    contextParts: (given) => orElse('context-parts', () => copy.contextParts(given)),
    // All that it needs is in the copy of the log.
    contextAt: async (moment) => (await fresh()).contextAt(moment),
    contextItem: async (item) => (await fresh()).contextItem(item),
    askAside: (question) => operate('ask-aside', { question }),
    note: (remark) => operate('note', remark),
    recordHandoff: () => atMachine('say where it came from'),

    ...farTime(link),
    ...farFiles(link),
    clientMetadata: async () => copy.clientMetadata(),
    updateClientMetadata: () => atMachine('keep notes of programs in it'),
  }
  return handle
}
