/**
 * Asks the model for the summary of a conversation, in the six sections. The conversation is sent as it always is, so
 * most of it comes out of the provider's cache; one that is too long for that is sent as a shortened transcript.
 */
import type { SummaryRequest } from '../../engine/agent.ts'
import { parseSummary, printSummary, sections, type Section } from '../../format/checkpoint-file.ts'
import type { EventId } from '../../format/ids.ts'
import type { ModelContext, ModelMessage } from '../../state/model-context.ts'
import { headAndTail } from '../../state/preview.ts'
import { providerValid } from '../../state/provider-valid.ts'
import { quoted } from '../../state/quoting.ts'
import type { Tool } from '../tools/tool.ts'
import { buildRequest } from './build-request.ts'
import type { ModelConfig, ModelParts } from './config.ts'
import { ContextLimitError, ModelError } from './errors.ts'
import { callModel } from './retry.ts'

type SummaryParts = {
  readonly config: ModelConfig
  readonly parts: ModelParts
  readonly tools: readonly Tool[]
}

/** How many characters of a transcript are tried, one after the other, when the whole is too long. */
const SHORTER = [400_000, 100_000, 24_000]

const WANTED: Readonly<Record<Section, string>> = {
  overview: 'What the user wants, in all, with every request that still counts.',
  history: 'What happened, in order: what was asked, what was tried, what came of it.',
  work_done:
    'What is finished: files that were made or changed, commands that mattered, tests that pass.',
  technical_details:
    'What was learned and decided, and what must not be forgotten: names, values, errors, limits.',
  important_files: 'The paths that matter, and why.',
  next_steps: 'What is to be done next, and what was going on just now.',
}

export async function summarise(
  given: SummaryParts,
  { context, instructions }: SummaryRequest,
  signal: AbortSignal,
): Promise<string> {
  const order = orderFor(instructions)
  for (const limit of [undefined, ...SHORTER]) {
    const asked = limit === undefined ? withOrder(context, order) : shortened(context, order, limit)
    try {
      return await ask(given, asked, signal)
    } catch (error) {
      if (!(error instanceof ContextLimitError)) throw error
    }
  }
  throw new ContextLimitError('The conversation is too long even to be summarised.')
}

async function ask(
  { config, parts, tools }: SummaryParts,
  context: ModelContext,
  signal: AbortSignal,
): Promise<string> {
  const request = buildRequest(context, { ...config, tools })
  const plan = {
    config,
    parts,
    model: config.model,
    request: { ...request, ...(tools.length > 0 && { toolChoice: { type: 'none' as const } }) },
    callId: parts.newId,
  }
  const turn = { turnId: parts.newId(), message: { content: '' } }
  const call = callModel(turn, plan, signal)
  for (;;) {
    const next = await call.next()
    if (!next.done) continue
    const summary = printSummary(parseSummary(next.value.content))
    if (summary !== '') return summary
    throw new ModelError('refused', `${config.model} gave no summary.`)
  }
}

function orderFor(instructions: string | undefined): string {
  const wanted = sections.map((name) => `<${name}>\n${WANTED[name]}\n</${name}>`)
  return [
    'Stop here and call no tool. Write a summary that takes the place of everything above: who goes on with the work ' +
      'will have nothing else. Be exact and complete, and do not invent. Use these sections and nothing outside them:',
    wanted.join('\n'),
    ...(instructions === undefined || instructions.trim() === ''
      ? []
      : [`Beyond that the user asks: ${instructions.trim()}`]),
  ].join('\n\n')
}

const user = (content: string): ModelMessage => ({ role: 'user', content, eventId: '' as EventId })

const withOrder = ({ system, messages }: ModelContext, order: string): ModelContext => ({
  system,
  messages: providerValid([...messages, user(order)]),
})

function shortened({ messages }: ModelContext, order: string, limit: number): ModelContext {
  const transcript = headAndTail(messages.map(line).join('\n\n'), limit)
  const text = quoted('conversation', { trust: 'untrusted' }, transcript)
  return { system: undefined, messages: [user(`${text}\n\n${order}`)] }
}

const MAX_LINE_CHARS = 4000

function line(message: ModelMessage): string {
  const calls =
    message.role === 'assistant'
      ? (message.toolCalls ?? []).map(
          (call) => `[calls ${call.name} ${JSON.stringify(call.arguments)}]`,
        )
      : []
  const limit = message.role === 'tool' ? MAX_LINE_CHARS / 4 : MAX_LINE_CHARS
  const said = [message.content, ...calls].filter((part) => part !== '').join('\n')
  return `${message.role}: ${headAndTail(said, limit)}`
}
