/**
 * Keeps workspace.yaml true as turns begin: an unnamed session is called after its first prompt. A turn does
 * not fail with it: the conversation is in the log, and the next turn writes the file again.
 */
import { autoName } from '../../workspace/metadata.ts'
import { errorText } from '../../lib/error-text.ts'
import { changeMetadata } from '../sessions/change-metadata.ts'
import { whereIn } from '../sessions/project.ts'
import type { LogRecord } from '../../log/record.ts'
import type { EngineContext } from '../engine-context.ts'
import { stateOf, type LiveSession } from './live-session.ts'

export async function describeTurn(
  engine: EngineContext,
  session: LiveSession,
  /** Its message as the log has it: what is redacted there is no name either. */
  { event }: LogRecord,
): Promise<void> {
  const prompt = 'stranger' in event || event.type !== 'user.message' ? '' : event.data.content
  const { project } = session
  const now = engine.clock().toISOString()
  const first = stateOf(session).turns.length === 1
  let title: string | undefined
  const updated = changeMetadata(engine.fs, session.id, (file) => {
    const name = file.name ?? (first ? autoName(prompt) : undefined)
    if (name !== file.name) title = name
    return {
      ...file,
      ...whereIn(project),
      ...(name !== undefined && { name, user_named: file.user_named ?? false }),
      updated_at: now,
    }
  })
  try {
    await updated
  } catch (cause) {
    session.feed.tell({
      type: 'session.error',
      data: { errorType: 'persistence', message: notDescribed(cause) },
    })
    return
  }
  if (title !== undefined) session.feed.tell({ type: 'session.title_changed', data: { title } })
}

const notDescribed = (cause: unknown): string =>
  `workspace.yaml cannot be written (${errorText(cause)}). The session goes on.`
