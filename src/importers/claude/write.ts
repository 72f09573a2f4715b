/** Lines of a new session of Claude Code, each behind the one before, so that `claude --resume` goes on with it. */
import { defined } from '../../lib/defined.ts'
import type { Retold } from '../convert/replay-to-drafts.ts'
import type { Tally } from '../convert/fidelity-report.ts'

type Answer = Extract<Retold, { kind: 'answer' }>

type About = {
  readonly sessionId: string
  readonly cwd: string
  readonly branch?: string
  readonly model?: string
  /** It was Claude Code that wrote it first. */
  readonly isTheirs: boolean
}

export async function* writeClaude(
  told: AsyncIterable<Retold>,
  { sessionId, cwd, branch, model = 'unknown', isTheirs }: About,
  tally: Tally,
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
        tally.count('images', 'kept', item.images.length)
        yield line(id, at, user(contentOf(item)))
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
              ...thinkingOf(item, isTheirs, tally),
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
            usage: usageOf(item, tally),
          },
        })
        break
      case 'result':
        tally.count('images', 'kept', item.images.length)
        yield line(
          id,
          at,
          user([
            {
              type: 'tool_result',
              tool_use_id: item.callId,
              content: contentOf(item),
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

/** A text alone, or with its pictures. */
const contentOf = ({
  text,
  images,
}: Pick<Extract<Retold, { kind: 'prompt' }>, 'text' | 'images'>) =>
  images.length === 0
    ? text
    : [
        ...(text === '' ? [] : [{ type: 'text', text }]),
        ...images.map(({ mimeType, data }) => ({
          type: 'image',
          source: { type: 'base64', media_type: mimeType, data },
        })),
      ]

const THEIR_MODELS = /claude|anthropic/i
const OTHERS = /^(?:gpt|o\d|codex|gemini|grok|deepseek|qwen|mistral|llama|kimi|glm)/i

/** The vendor takes back only what it has signed itself: a session with other thoughts would be refused. */
function thinkingOf(
  { thinking, sealed, model = '' }: Answer,
  isTheirs: boolean,
  tally: Tally,
): readonly object[] {
  if (thinking === undefined && sealed === undefined) return []
  const isSigned = sealed !== undefined && !sealed.includes('\n')
  const isKept = isSigned && (THEIR_MODELS.test(model) || (isTheirs && !OTHERS.test(model)))
  tally.count('thinking', isKept ? 'kept' : 'lost')
  if (!isKept) {
    tally.note('Thinking that Anthropic has not signed is left out: it refuses such a session.')
    return []
  }
  return [
    thinking === undefined
      ? { type: 'redacted_thinking', data: sealed }
      : { type: 'thinking', thinking, signature: sealed },
  ]
}

/** Its input does not count what was read from, or written to, a cache; ours does. */
function usageOf({ usage }: Answer, tally: Tally) {
  if (usage !== undefined) tally.count('usage')
  const { input = 0, output = 0, cacheRead = 0, cacheWrite = 0 } = usage ?? {}
  return {
    input_tokens: Math.max(0, input - cacheRead - cacheWrite),
    cache_creation_input_tokens: cacheWrite,
    cache_read_input_tokens: cacheRead,
    output_tokens: output,
  }
}

/** How Claude Code calls the folder of a project. */
export const claudeFolder = (cwd: string): string => cwd.replace(/[^A-Za-z0-9]/g, '-')
