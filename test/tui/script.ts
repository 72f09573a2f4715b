/** An agent for screens: what it does depends on the message, and is the same every time. */
import type { AgentItem, Turn } from '../../src/engine/agent.ts'
import { endTool, say, startTool } from '../support/engine.ts'

export async function* talk(turn: Turn, signal: AbortSignal): AsyncGenerator<AgentItem> {
  const prompt = turn.message.content
  if (prompt === 'code') return yield* code()
  if (prompt === 'edit') return yield* edit(turn)
  if (prompt === 'ask') return yield* ask(turn)
  if (prompt === 'wait') return yield* wait(signal)
  if (prompt === 'evil') return yield* evil()
  if (prompt === 'long') return yield* long()
  yield say(`You said **${prompt}**.`)
}

async function* code(): AsyncGenerator<AgentItem> {
  yield {
    draft: {
      type: 'assistant.reasoning',
      data: { reasoningId: 'r', content: 'A loop will do.\nOr two.' },
    },
  }
  yield usage(42_000)
  yield say('# Answer\n\nHere it is:\n\n```ts\n// counts\nconst n = 41 + 1\n```\n\n- one\n- two')
}

async function* edit(turn: Turn): AsyncGenerator<AgentItem> {
  const diff = '@@ -1,2 +1,2 @@\n-const a = 1\n+const a = 2\n const b = 3'
  yield startTool('t1', 'edit', { path: 'src/a.ts' })
  const { kind } = await turn.permit({
    kind: 'write',
    toolCallId: 't1',
    intention: 'change a constant',
    fileName: 'src/a.ts',
    diff,
    canOfferSessionApproval: true,
  })
  if (kind === 'deny') return yield say('Then not.')
  yield endTool('t1', diff)
  yield say('Changed.')
}

async function* ask(turn: Turn): AsyncGenerator<AgentItem> {
  const answer = await turn.ask({ question: 'Which colour?', choices: ['red', 'blue'] })
  yield say(`It will be ${answer ?? 'none'}.`)
}

async function* wait(signal: AbortSignal): AsyncGenerator<AgentItem> {
  yield {
    notice: {
      type: 'assistant.message_delta',
      data: { messageId: 'm', deltaContent: 'Thinking aloud' },
    },
  }
  await new Promise<void>((resolve) =>
    signal.addEventListener('abort', () => resolve(), { once: true }),
  )
}

/** Clears, moves, renames, links, copies, reorders: none of it may reach the terminal. */
export const EVIL =
  '\x1b[2J\x1b[H\x1b]0;owned\x07\x1b]52;c;ZXZpbA==\x07\x1b]8;;http://evil\x07click\x1b]8;;\x07\u202egnp\u009b31mred'

async function* evil(): AsyncGenerator<AgentItem> {
  yield startTool('t2', `bash${EVIL}`, { command: `ls ${EVIL}` })
  yield endTool('t2', `out ${EVIL}`)
  yield say(`before ${EVIL} after\n\n\`\`\`\n${EVIL}\n\`\`\``)
}

async function* long(): AsyncGenerator<AgentItem> {
  yield startTool('t3', 'bash', { command: 'seq 100' })
  yield endTool('t3', Array.from({ length: 100 }, (_, at) => `line ${at + 1}`).join('\n'))
  yield say('Counted.')
}

const usage = (currentTokens: number): AgentItem => ({
  notice: {
    type: 'session.usage_info',
    data: { tokenLimit: 100_000, currentTokens, messagesLength: 2 },
  },
})
