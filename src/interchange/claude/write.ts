/** Lines of a new session of Claude Code, each behind the one before, so that `claude --resume` goes on with it. */
import { defined } from '../../lib/defined.ts'
import type { Retold } from '../retell.ts'

type About = {
  readonly sessionId: string
  readonly cwd: string
  readonly branch?: string
  readonly model?: string
}

export async function* writeClaude(
  told: AsyncIterable<Retold>,
  { sessionId, cwd, branch, model = 'unknown' }: About,
): AsyncGenerator<object, void, void> {
  let parentUuid: string | null = null
  const line = (uuid: string, timestamp: string, more: object): object => {
    const whole = {
      parentUuid,
      isSidechain: false,
      userType: 'external',
      cwd,
      sessionId,
      version: '2.1.0',
      ...defined({ gitBranch: branch }),
      ...more,
      uuid,
      timestamp,
    }
    parentUuid = uuid
    return whole
  }
  const user = (content: unknown) => ({ type: 'user', message: { role: 'user', content } })
  for await (const item of told) {
    const { id, at } = item
    switch (item.kind) {
      case 'prompt':
        yield line(
          id,
          at,
          user(
            item.images.length === 0
              ? item.text
              : [
                  { type: 'text', text: item.text },
                  ...item.images.map(({ mimeType, data }) => ({
                    type: 'image',
                    source: { type: 'base64', media_type: mimeType, data },
                  })),
                ],
          ),
        )
        break
      case 'answer':
        yield line(id, at, {
          type: 'assistant',
          message: {
            id: `msg_${id}`,
            type: 'message',
            role: 'assistant',
            model: item.model ?? model,
            content: [
              ...(item.text === '' ? [] : [{ type: 'text', text: item.text }]),
              ...item.calls.map((call) => ({
                type: 'tool_use',
                id: call.id,
                name: call.name,
                input: call.args,
              })),
            ],
            stop_reason: item.calls.length > 0 ? 'tool_use' : 'end_turn',
            stop_sequence: null,
            usage: { input_tokens: 0, output_tokens: 0 },
          },
        })
        break
      case 'result':
        yield line(
          id,
          at,
          user([
            {
              type: 'tool_result',
              tool_use_id: item.callId,
              content: item.text,
              is_error: item.isError,
            },
          ]),
        )
        break
      case 'summary':
        yield line(id, at, { ...user(item.text), isCompactSummary: true })
    }
  }
}

/** How Claude Code calls the folder of a project. */
export const claudeFolder = (cwd: string): string => cwd.replace(/[^A-Za-z0-9]/g, '-')
