/** What is wanted of the copy of one session from now on: written down, told in the session, and seen there at once. */
import type { Engine } from '../engine/engine.ts'
import { EngineError } from '../engine/errors.ts'
import type { RemoteLink, RemoteMode } from '../engine/remote-control.ts'
import type { SessionId } from '../format/ids.ts'
import { sessionDir } from '../format/paths.ts'
import { defined } from '../lib/defined.ts'
import { checkLink } from './check-link.ts'
import type { Server } from './control-client.ts'
import { asEngineErrors } from './engine-errors.ts'
import type { Exporter } from './exporter.ts'
import { readLink, writeLink } from './link.ts'
import { noteSteerable, noteTask } from './workspace-link.ts'

type ModeParts = {
  readonly engine: Engine
  readonly server: Server
  readonly exporter: Exporter
  readonly steering: { watch(id: SessionId): void }
  readonly modes: Map<SessionId, RemoteMode>
  modeOf(id: SessionId): Promise<RemoteMode>
}

export async function setMode(
  { engine, server, exporter, steering, modes, modeOf }: ModeParts,
  id: SessionId,
  mode: RemoteMode,
  wanted: RemoteLink,
): Promise<void> {
  const { fs } = engine
  const dir = sessionDir(id)
  // One that has said nothing yet has a log from now on: there is none to be sent otherwise.
  if (mode !== 'off' && engine.isOpen(id)) await (await engine.open(id)).save()
  const before = await modeOf(id)
  const { task } = await asEngineErrors(() => checkLink(server, id, wanted))
  const link = await readLink(fs, dir)
  if (link !== undefined && link.server !== server.url)
    throw new EngineError(
      'conflict',
      `The copy of this session is kept at ${link.server}, not at ${server.url}. Nothing was changed.`,
    )
  await writeLink(fs, dir, {
    version: 1,
    ...link,
    server: server.url,
    mode,
    ...defined({ task }),
  })
  modes.set(id, mode)
  if (task !== undefined) await noteTask(fs, id)
  if ((before === 'steer') !== (mode === 'steer')) {
    await (await engine.open(id)).setSteerable(mode === 'steer')
    await noteSteerable(fs, id, mode === 'steer')
  }
  if (mode !== 'off') await exporter.anew(id, 'restore')
  if ((before === 'steer') !== (mode === 'steer'))
    // Who is told that it can be steered may do so at once; what could not be told now is told with the next beat.
    await server.heartbeat(id, { steerable: mode === 'steer' }).catch(() => {})
  if (mode === 'steer') steering.watch(id)
}
