/** Keeps the model in step with a session: the end of its history first, then what happens, here or elsewhere. */
import type { Engine } from '../../../engine/engine.ts'
import type { EventId, SessionId } from '../../../format/ids.ts'
import { defined } from '../../../lib/defined.ts'
import { createTranscriptFolder } from '../../../state/transcript-folder.ts'
import type { Message } from '../model/message.ts'
import { isAtWorkElsewhere } from './read-status.ts'
import { readPage, readTurn } from './history.ts'

export type Following = {
  /** Reads the end of the log again, after it was cut or left behind. */
  reload(): void
  stop(): void
}

type FollowingOptions = {
  readonly id: SessionId
  /** It has no log yet. */
  readonly isNew: boolean
  /** The turn to begin with, in place of the end. */
  readonly turn?: number
  readonly tell: (message: Message) => void
  readonly onError: (error: unknown) => void
}

export function followIntoModel(engine: Engine, options: FollowingOptions): Following {
  let end = new AbortController()
  const begin = (from: Pick<FollowingOptions, 'isNew' | 'turn'>) => {
    const { id, tell } = options
    end.abort()
    end = new AbortController()
    const { signal } = end
    follow(engine, { id, tell, ...from }, signal, reload).catch((error: unknown) => {
      if (!signal.aborted) options.onError(error)
    })
  }
  const reload = () => begin({ isNew: false })
  begin(options)
  return { reload, stop: () => end.abort() }
}

async function follow(
  engine: Engine,
  { id, isNew, turn, tell }: Omit<FollowingOptions, 'onError'>,
  signal: AbortSignal,
  again: () => void,
): Promise<void> {
  const { folder, after } = isNew
    ? { folder: createTranscriptFolder(), after: undefined }
    : await loadEnd()
  for await (const item of (await engine.open(id)).follow({ signal, ...defined({ after }) })) {
    if (signal.aborted) return
    if (item.kind === 'reset') return again()
    if (item.kind === 'live') continue
    const entries = item.kind === 'event' ? folder.push(item) : []
    tell({ kind: 'fed', item, entries })
    // What nothing will change is held by the screen alone.
    folder.finished()
  }

  async function loadEnd(): Promise<{
    folder: ReturnType<typeof createTranscriptFolder>
    after: EventId | undefined
  }> {
    const [page, visit] = await Promise.all([
      readPage(engine, id),
      turn === undefined ? undefined : readTurn(engine, id, turn),
    ])
    // Asked behind the page and told before it: a tool that runs there is never shown as interrupted.
    const isElsewhere = await isAtWorkElsewhere(engine, id)
    if (!signal.aborted) {
      tell({ kind: 'facts', facts: { isElsewhere } })
      if (visit !== undefined) tell({ kind: 'visited', ...visit })
      else tell({ kind: 'loaded', entries: page.entries, olderThan: page.olderThan })
    }
    page.folder.finished()
    return { folder: page.folder, after: page.last }
  }
}
