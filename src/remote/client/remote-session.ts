/**
 * The handle of a session on another machine. What is read comes from the copy in Mission Control; what is done is done
 * by the session's own machine, which decides; and what can only be done at a machine says so and changes nothing.
 */
import { EngineError } from '../../engine/errors.ts'
import { bindOperations } from '../../engine/operations/table.ts'
import type { Session } from '../../engine/session.ts'
import type { QueueView } from '../../engine/turn/queue.ts'
import type { Sent } from '../../engine/turn/send.ts'
import { turnElsewhere } from '../../engine/turn/remote-turn.ts'
import type { SessionId } from '../../format/ids.ts'
import { asEngineErrors } from '../engine-errors.ts'
import type { Server } from '../control-client.ts'
import { wasIdle } from './ask-machine.ts'
import { farLink, isRefused, onlyThere, type FarLink } from './remote-link.ts'
import { openMirror } from './mirror.ts'

type FarOptions = { readonly onClose?: () => void }

export async function openFar(
  server: Server,
  id: SessionId,
  options: FarOptions = {},
): Promise<{ readonly session: Session; heard(): Heard }> {
  const mirror = await asEngineErrors(() => openMirror(server, id))
  const link = farLink(server, id, mirror)
  return {
    session: farSession(link, options),
    heard: () => ({
      at: new Date(mirror.known()?.presence.heardAt ?? 0),
      isThere: link.isThere(),
      isSteerable: link.isSteerable(),
    }),
  }
}

/** When its machine was last heard of. */
export type Heard = {
  readonly at: Date
  readonly isThere: boolean
  readonly isSteerable: boolean
}

function farSession(link: FarLink, { onClose }: FarOptions): Session {
  const { id, server, mirror, fresh, isThere, isSteerable } = link
  const bound = bindOperations(link.perform)
  const handle: Session = {
    ...bound,
    id,
    machine: mirror.known()?.machine ?? 'another machine',
    perform: link.perform,
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
      return { state, wasActive: false, holder: await handle.holder() }
    },
    save: async () => {},
    async close() {
      onClose?.()
      await mirror[Symbol.asyncDispose]()
    },
    releaseLease: async () => {
      throw onlyThere('Let another process write.')
    },
    async holder() {
      const { machine, presence } = mirror.known() ?? {}
      if (presence === undefined || !isThere()) return undefined
      return { pid: 0, label: machine ?? 'another machine', since: presence.heardAt }
    },

    // A promise of the end does not travel: the copy tells it.
    send: (message, options) => send(link, message, options),
    async cancel(options = {}) {
      try {
        await link.perform('cancel', options)
        return true
      } catch (error) {
        if (wasIdle(error)) return false
        throw error
      }
    },
    // A queue is no part of the copy: who may only watch sees none.
    async queue() {
      const nothing = { entries: [], isHeld: false }
      if (!isSteerable() || !isThere()) return nothing
      return (link.perform('queue', {}) as Promise<QueueView>).catch((error: unknown) => {
        if (isRefused(error)) return nothing
        throw error
      })
    },
    // The list of Mission Control knows the name before the copy does.
    async metadata() {
      const { name, person } = mirror.known() ?? {}
      const metadata = await (await fresh()).metadata()
      return { ...metadata, ...(name != null && { name }), person }
    },
    nameByDefault: async () => false,
    // What a sub-agent does is told by the copy as it comes.
    tasks: { ...bound.tasks, progress: async () => [], ended: async () => {} },

    // Objects of this process, and agents that run on the machine.
    runTool: async () => {
      throw onlyThere('Run a tool in it.')
    },
    startAgent: async () => false,
    agentOptions: async () => undefined,
    setAgent: async () => {
      throw onlyThere('Choose its agent.')
    },
    setAgentOption: async () => {
      throw onlyThere('Choose the options of its agent.')
    },

    // Streams, and bytes by their hash.
    follow: (options) => mirror.follow(options),
    eventItems: async () => (await fresh()).eventItems(),
    async *raw() {
      yield* (await fresh()).raw()
    },
    async *transcript() {
      yield* (await fresh()).transcript()
    },
    async readBlob(sha256, { mostBytes }) {
      const bytes = await asEngineErrors(() => server.blob(id, sha256))
      if (bytes.length <= mostBytes) return bytes
      throw new EngineError('invalid', `The content has ${bytes.length} bytes: too many to show.`)
    },
  }
  return handle
}

const KINDS = { refuse: 'user_message', enqueue: 'queue', steer: 'steer' } as const

async function send(
  { mirror, ask, perform }: FarLink,
  ...[message, { whenBusy = 'refuse' } = {}]: Parameters<Session['send']>
): Promise<Sent> {
  const { prompt, messageId = crypto.randomUUID(), displayPrompt, attachments } = message
  const ending = turnElsewhere({ messageId, lookMs: 2000, listen: mirror.listen })
  const content = { content: prompt, messageId, whenBusy, displayPrompt, attachments }
  try {
    const sent = (await ask({ kind: KINDS[whenBusy], content, mayWait: true })) as Pick<
      Sent,
      'how'
    > | null
    const how = sent?.how ?? 'started'
    const isWaiting = async () =>
      ((await perform('queue', {})) as QueueView).entries.some((entry) => entry.id === messageId)
    return { messageId, how, ended: ending.wait(how === 'queued' ? isWaiting : undefined) }
  } finally {
    ending[Symbol.dispose]()
  }
}
