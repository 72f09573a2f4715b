/** An agent that does what the message says, so that somebody else can answer, join or stop it meanwhile. */
import { planChoices } from '../../src/state/plan-approval.ts'
import type { PermissionRequest, Turn } from '../../src/engine/agent.ts'
import { endTool, say, startTool, type Script } from './engine.ts'

export const shell: PermissionRequest = {
  kind: 'shell',
  toolCallId: 'call-1',
  fullCommandText: 'make',
  intention: 'build',
  commands: [],
  possiblePaths: [],
  possibleUrls: [],
  hasWriteFileRedirection: false,
  canOfferSessionApproval: true,
}

/** As a wrapped agent names its answers. */
export const ownAnswers = [
  { id: 'once', name: 'Yes', kind: 'allow_once' },
  { id: 'bypass', name: 'Yes, and bypass', kind: 'allow_always' },
  { id: 'no', name: 'Keep planning', kind: 'reject_once' },
] as const

/**
 * `permit` (`permit-own`: with answers of its own), `ask` (`ask-plan`: how a plan shall go on), `wait` (until something is said in the turn, or it is stopped), `work` (the same, in a tool),
 * `stream` (tells pieces of text, then waits).
 */
export const obedient: Script = async function* (turn, signal) {
  const said = turn.message.content
  if (said === 'permit') {
    const { kind, feedback = '' } = await turn.permit(shell)
    yield say(`decided: ${kind} ${feedback}`.trim())
  } else if (said === 'permit-own') {
    const { kind, option } = await turn.permit(shell, { options: ownAnswers })
    yield say(`decided: ${kind} by ${option}`)
  } else if (said === 'ask') {
    yield say(`answered: ${await turn.ask({ question: 'Which?', choices: ['red', 'blue'] })}`)
  } else if (said === 'ask-plan') {
    const choices = planChoices('autopilot')
    yield say(`answered: ${await turn.ask({ question: 'The plan is ready.', choices })}`)
  } else if (said === 'wait') {
    yield say(`heard: ${await heard(turn, signal)}`)
  } else if (said === 'stream') {
    for (const deltaContent of ['one ', 'two '])
      yield {
        notice: { type: 'assistant.message_delta', data: { messageId: 'm-1', deltaContent } },
      }
    yield say(`one two ${await heard(turn, signal)}`, 'm-1')
  } else if (said === 'work') {
    yield startTool('call-2', 'bash', { command: 'make all' })
    yield endTool('call-2', `made: ${await heard(turn, signal)}`)
  } else yield say(`echo: ${said}`)
}

async function heard(turn: Turn, signal: AbortSignal): Promise<string> {
  for (;;) {
    signal.throwIfAborted()
    const words = turn.steering().map(({ content }) => content)
    if (words.length > 0) return words.join(', ')
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
