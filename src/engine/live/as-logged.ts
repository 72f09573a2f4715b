/** What a person typed, as its words would stand in the log: without secrets where the log is redacted. */
import type { EngineContext } from '../engine-context.ts'

export async function asLogged(
  { redact }: Pick<EngineContext, 'redact'>,
  content: string,
): Promise<string> {
  const draft = await redact?.({ type: 'user.message', data: { content } })
  return draft?.type === 'user.message' ? draft.data.content : content
}
