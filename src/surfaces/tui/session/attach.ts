/** Keeps a screen in step with a session: the end of its history first, then what happens, here or elsewhere. */
import type { Engine } from '../../../engine/engine.ts'
import type { EventId, SessionId } from '../../../format/ids.ts'
import { createTranscriptFolder } from '../../../state/transcript.ts'
import type { Message } from '../model/update.ts'
import { readPage } from './history.ts'

export type Attachment = {
  /** Reads the end of the log again, after it was cut or left behind. */
  reload(): void
  stop(): void
}

export type AttachOptions = {
  readonly id: SessionId
  /** It has no log yet. */
  readonly isNew: boolean
  readonly tell: (message: Message) => void
  readonly onError: (error: unknown) => void
}

export function attach(engine: Engine, options: AttachOptions): Attachment {
  let end = new AbortController()
  const begin = (isNew: boolean) => {
    end.abort()
    end = new AbortController()
    const { signal } = end
    watch(engine, { ...options, isNew }, signal, () => begin(false)).catch((error: unknown) => {
      if (!signal.aborted) options.onError(error)
    })
  }
  begin(options.isNew)
  return { reload: () => begin(false), stop: () => end.abort() }
}

async function watch(
  engine: Engine,
  { id, isNew, tell }: AttachOptions,
  signal: AbortSignal,
  again: () => void,
): Promise<void> {
  const { folder, after } = isNew
    ? { folder: createTranscriptFolder(), after: undefined }
    : await loadEnd()
  for await (const item of engine.follow(id, { signal, ...(after !== undefined && { after }) })) {
    if (signal.aborted) return
    if (item.kind === 'reset') return again()
    const entries = item.kind === 'event' ? folder.push(item) : []
    tell({ kind: 'fed', item, entries })
    // What nothing will change is held by the screen alone.
    folder.finished()
  }

  async function loadEnd(): Promise<{
    folder: ReturnType<typeof createTranscriptFolder>
    after: EventId | undefined
  }> {
    const page = await readPage(engine, id)
    if (!signal.aborted) tell({ kind: 'loaded', entries: page.entries, olderThan: page.olderThan })
    page.folder.finished()
    return { folder: page.folder, after: page.last }
  }
}
