/**
 * The extensions of one session: started when a client asks for them, each a process that joins the session as a client
 * of its own. One that fails is said to have failed and keeps nobody waiting; the session's end is theirs.
 */
import { EngineError } from '../../../engine/errors.ts'
import type { SessionId } from '../../../format/ids.ts'
import { defined } from '../../../lib/defined.ts'
import { inTurn } from '../../../lib/keyed-mutex.ts'
import type { Client } from '../client.ts'
import type { ServerParts, StartedProgram } from '../parts.ts'
import type { Told } from '../wire.ts'
import { extensionsOf, type FoundExtension } from './found.ts'

type Status = 'running' | 'disabled' | 'failed' | 'starting'

type Extension = FoundExtension & { status: Status; program?: StartedProgram }

export interface SessionExtensions {
  /** A client asked for them. */
  readonly isOn: boolean
  list(): readonly Listed[]
  /** Starts those that are not disabled, once, with the SDK in this folder or our own. */
  start(sdkPath: string | undefined): void
  /** Stops all, looks again, and starts them anew. */
  reload(): Promise<void>
  enable(id: string, isEnabled: boolean): Promise<void>
  /** Resolves when none is starting any more. */
  settled(): Promise<void>
  /** The client is one of them, and has joined. */
  joined(client: Client): void
  close(): Promise<void>
}

type Listed = Pick<FoundExtension, 'id' | 'name' | 'source'> & {
  readonly status: Status
  readonly pid?: number
}

type Around = {
  readonly id: SessionId
  readonly parts: ServerParts
  readonly cwd: () => string
  readonly tell: (told: Told) => void
  /** Speaks with the program as with any client. */
  readonly serve: (program: StartedProgram, of: FoundExtension) => Client
}

/** So long an extension may take to join. */
const JOIN_MS = 30_000

export function createSessionExtensions({
  id,
  parts,
  cwd,
  tell,
  serve,
}: Around): SessionExtensions {
  const key = {}
  const waiting = new Map<Client, () => void>()
  /** What this session switched, whatever the configuration says. */
  const switched = new Map<string, boolean>()
  let all: readonly Extension[] = []
  let isOn = false
  let isClosed = false
  let sdkPath: string | undefined
  let launching: Promise<void> = Promise.resolve()

  function launch(): Promise<void> {
    launching = inTurn(key, async () => {
      await stopAll()
      const { extensions } = await parts.settings.read()
      const off = new Set(extensions?.disabled ?? [])
      const found = isClosed ? [] : await extensionsOf(parts, id, cwd())
      all = found.map((each) => ({
        ...each,
        status: (switched.get(each.id) ?? !off.has(each.id)) ? 'starting' : 'disabled',
      }))
      if (all.length === 0) return
      await Promise.all(all.filter(({ status }) => status === 'starting').map(startOne))
      const told = all.map((each) => defined({ ...listed(each), pid: undefined }))
      tell({ type: 'session.extensions_loaded', data: { extensions: told } })
    })
    return launching
  }

  async function startOne(extension: Extension): Promise<void> {
    try {
      const program = await parts.startExtension({
        path: extension.path,
        sessionId: id,
        cwd: cwd(),
        ...defined({ sdkPath }),
      })
      extension.program = program
      await joinedOrOver(extension, program)
    } catch (error) {
      fail(extension, String(error))
    }
  }

  function joinedOrOver(extension: Extension, program: StartedProgram): Promise<void> {
    return new Promise((resolve) => {
      const client = serve(program, extension)
      const late = setTimeout(() => over('It did not join the session in time.'), JOIN_MS)
      const settle = () => {
        clearTimeout(late)
        waiting.delete(client)
        resolve()
      }
      const over = (why: string) => {
        settle()
        if (extension.program !== program) return
        fail(extension, `${why} ${program.lastWords()}`)
        void program.stop()
      }
      waiting.set(client, () => {
        extension.status = 'running'
        settle()
      })
      // Also long after it has joined: a session without it is told so.
      void program.ended.then(
        (how) => over(`It ended ${how}.`),
        (error: unknown) => over(String(error)),
      )
    })
  }

  function fail(extension: Extension, why: string): void {
    extension.status = 'failed'
    delete extension.program
    parts.log('warning', `Session ${id}: the extension ${extension.id} failed. ${why}`)
  }

  async function stopAll(): Promise<void> {
    const programs = all.flatMap(({ program }) => program ?? [])
    for (const extension of all) delete extension.program
    all = []
    await Promise.allSettled(programs.map((program) => program.stop()))
  }

  function refuseWithout(): void {
    if (!isOn)
      throw new EngineError(
        'invalid',
        'Extensions not available: no client asked for them when it opened this session (requestExtensions). Nothing was changed.',
      )
  }

  return {
    get isOn() {
      return isOn
    },
    list: () => all.map(listed),
    start(given) {
      if (isOn) return
      isOn = true
      sdkPath = given
      launch().catch((error: unknown) =>
        parts.log('warning', `Session ${id}: its extensions cannot be started. ${String(error)}`),
      )
    },
    async reload() {
      refuseWithout()
      await launch()
    },
    async enable(wanted, isEnabled) {
      refuseWithout()
      switched.set(wanted, isEnabled)
      await launch()
    },
    // What fails was told.
    settled: () => launching.catch(() => {}),
    joined: (client) => waiting.get(client)?.(),
    async close() {
      isClosed = true
      for (const settle of waiting.values()) settle()
      await inTurn(key, stopAll)
    },
  }
}

const listed = ({ id, name, source, status, program }: Extension): Listed => ({
  id,
  name,
  source,
  status,
  ...(status === 'running' && defined({ pid: program?.pid })),
})
