/** `--cloud`: a session on a worker of Mission Control, for this directory; what leaves this machine is shown first. */
import { setTimeout as sleep } from 'node:timers/promises'
import { noMissionControl } from '../../commands/find-session.ts'
import { sayDraft } from '../../commands/tasks.ts'
import type { Engine } from '../../engine/engine.ts'
import { EngineError } from '../../engine/errors.ts'
import type { RemoteControl } from '../../engine/remote-control.ts'
import { asSessionId, type SessionId } from '../../format/ids.ts'
import { confirm } from './ask.ts'
import type { Cli } from './command.ts'
import { markdownLines } from './render/markdown.ts'
import { dim } from './render/span.ts'

const LOOK_MS = 500

/** The id, when a worker has taken it and it can be spoken with. */
export async function startElsewhere(cli: Cli, engine: Engine): Promise<SessionId> {
  const remote = await engine.remote?.()
  if (remote === undefined) throw noMissionControl()
  const draft = await remote.tasks.draft(cli.cwd)
  if (draft.wish.patch !== undefined) {
    for (const spans of markdownLines(sayDraft(draft))) cli.out.note(...spans)
    await confirm(cli, 'Start it there, with these changes?', false)
  }
  const task = await remote.tasks.start(draft.wish)
  const id = asSessionId(task.session)
  cli.out.note(dim(`task ${task.id.slice(0, 8)} waits for a worker`))
  await taken(cli, remote, { id, task: task.id })
  await remote.connect(id)
  return id
}

async function taken(
  cli: Cli,
  remote: RemoteControl,
  { id, task }: { readonly id: SessionId; readonly task: string },
): Promise<void> {
  while (!cli.signal.aborted) {
    const { found } = await remote.meant(id)
    if (found[0]?.session.remote.isSteerable === true) return
    const { state, reason } = await remote.tasks.show(task)
    if (state === 'failed' || state === 'cancelled')
      throw new EngineError('invalid', `The task ${state}. ${reason ?? ''}`.trim())
    await sleep(LOOK_MS, undefined, { signal: cli.signal }).catch(() => {}) // its end is looked at above
  }
  throw new EngineError(
    'cancelled',
    `No worker has taken it yet. It waits: "reprise --connect ${task.slice(0, 8)}" attaches to it, "reprise tasks cancel ${task.slice(0, 8)}" ends it.`,
  )
}
