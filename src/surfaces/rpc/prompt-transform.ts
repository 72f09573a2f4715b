/** Has the client rewrite sections of the system prompt. One that has gone or fails leaves them as they are. */
import { z } from 'zod'
import type { SessionId } from '../../format/ids.ts'
import type { Members } from './subscribers.ts'

export type PromptTransform = (
  sections: Readonly<Record<string, string>>,
  signal: AbortSignal,
) => Promise<Readonly<Record<string, string>>>

const Answer = z.object({ sections: z.record(z.string(), z.object({ content: z.string() })) })

export const promptTransform =
  (sessionId: SessionId, members: Members): PromptTransform =>
  async (texts, signal) => {
    const wanting = members.all().findLast(({ transformsPrompt }) => transformsPrompt)
    if (wanting === undefined) return {}
    const sections = Object.entries(texts).map(([name, content]) => [name, { content }])
    const answer = await wanting.client.peer
      .request(
        'systemMessage.transform',
        { sessionId, sections: Object.fromEntries(sections) },
        signal,
      )
      // The prompt stays as it is.
      .catch(() => undefined)
    const parsed = Answer.safeParse(answer)
    if (!parsed.success) return {}
    const given = Object.entries(parsed.data.sections).filter(([name]) =>
      Object.hasOwn(texts, name),
    )
    return Object.fromEntries(given.map(([name, { content }]) => [name, content]))
  }
