/** Answers about this session from what is known of it: its state, and what was said that still counts. */
import type { Turn } from '../../engine/agent.ts'
import { preview } from '../../state/preview.ts'
import { usages, type Question } from './parse.ts'

const MAX_LISTED = 50

export function tell(about: Question, turn: Turn): string {
  return answers[about](turn)
}

const answers: Readonly<Record<Question, (turn: Turn) => string>> = {
  history: ({ state, messageEventId }) => {
    const earlier = state.turns.filter((each) => each.eventId !== messageEventId)
    if (earlier.length === 0) return 'Nothing yet: this is the first message of the session.'
    const listed = earlier.slice(-MAX_LISTED)
    const left = earlier.length - listed.length
    return [
      `You asked ${earlier.length === 1 ? 'once' : `${earlier.length} times`} in this session:`,
      ...(left > 0 ? [`… ${left} earlier`] : []),
      ...listed.map((each) => `${each.index + 1}. ${each.preview}`),
    ].join('\n')
  },
  'last answer': ({ context }) => {
    const answer = context.messages.findLast(
      (message) => message.role === 'assistant' && message.toolCalls === undefined,
    )
    return answer === undefined
      ? 'There is no answer yet.'
      : `The last answer was:\n\n${answer.content}`
  },
  files: (turn) => {
    const files = changedFiles(turn)
    const listed =
      files.length === 0
        ? ['No file was changed by an editing tool.']
        : ['Changed by tools:', ...files]
    const commands = shellCommands(turn)
    const unknown = `Shell commands that ran: ${commands}. What they changed is not known here.`
    return [...listed, ...(commands > 0 ? [unknown] : []), ...(since(turn) ?? [])].join('\n')
  },
  status: ({ sessionId, state, cwd }) =>
    [
      `Session ${sessionId}`,
      ...(state.startTime === undefined ? [] : [`Started ${state.startTime}`]),
      `Turns ${state.turns.length}, events ${state.eventCount}, checkpoints ${state.compaction.checkpoints.length}`,
      `Mode ${state.mode}, directory ${cwd}`,
      state.usage.requests === 0
        ? 'No model was used.'
        : `Model calls ${state.usage.requests}, tokens in ${state.usage.inputTokens}, out ${state.usage.outputTokens}`,
    ].join('\n'),
  help: () => help,
}

const help = [
  'Offline I run simple commands, one a line, in this order, until one fails:',
  '',
  ...Object.values(usages).map((usage) => `- ${usage}`),
  '- history, last answer, which files, status: about this session',
  '- help',
  '',
  'A file name with blanks is quoted. Commands and writes ask for permission first.',
].join('\n')

/** True of this build: there is no setting that it could point to. */
export const noModel = [
  'No model is connected, so I cannot work that out. Your message is kept in the session.',
  'In the terminal and on the page /agent connects one (`reprise agents` lists Claude, Codex, Copilot…). Or set OPENAI_API_KEY or ANTHROPIC_API_KEY. Then send it again.',
  '',
  'Offline I run simple commands: `run npm test`, `read FILE`, `edit FILE: old >>> new`. Type `help` for all.',
].join('\n')

export const unclear = (line: string, expected: string): string =>
  `I did not understand "${preview(line, 200)}", so nothing was done. Expected: ${expected}.\n\n` +
  'No model is connected. `help` says what I can do.'

const WRITES = /edit|create|write|patch|replace|insert|append/i
const SHELLS = /bash|shell|terminal|command/i

type Called = { readonly name: string; readonly arguments: unknown }

/** Calls that had a result which is not an error. */
function succeeded({ context }: Turn): Called[] {
  const results = new Map(
    context.messages.flatMap((each) => (each.role === 'tool' ? [[each.toolCallId, each]] : [])),
  )
  return context.messages
    .flatMap((each) => (each.role === 'assistant' ? (each.toolCalls ?? []) : []))
    .filter((call) => results.get(call.id)?.isError === false)
}

function changedFiles(turn: Turn): string[] {
  const written = succeeded(turn).flatMap((call) => {
    if (!WRITES.test(call.name)) return []
    const { path, file_path: filePath } = (call.arguments ?? {}) as Record<string, unknown>
    return [path, filePath].filter((each) => typeof each === 'string').slice(0, 1)
  })
  return [...new Set(written)].sort()
}

const shellCommands = (turn: Turn): number =>
  succeeded(turn).filter(({ name }) => SHELLS.test(name)).length

function since({ state }: Turn): string[] | undefined {
  return state.compaction.checkpoints.length === 0
    ? undefined
    : ['Only what was done since the last compaction is looked at.']
}
