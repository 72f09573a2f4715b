/** What each kind of update becomes: an event, a notice, both, or nothing that is new. A kind that we do not know is kept. */
import type { Draft } from '../../format/event.ts'
import type { Notice } from '../../format/notice.ts'
import { countIn, listIn, fieldsOf, textIn, without, type Fields } from '../../lib/fields.ts'
import type { Speech, TurnOutput } from './message-assembler.ts'
import type { ToolCalls } from './tool-calls.ts'

type UpdateKind =
  | 'user_message_chunk'
  | 'agent_message_chunk'
  | 'agent_thought_chunk'
  | 'tool_call'
  | 'tool_call_update'
  | 'plan'
  | 'plan_update'
  | 'plan_removed'
  | 'available_commands_update'
  | 'current_mode_update'
  | 'config_option_update'
  | 'session_info_update'
  | 'usage_update'
  | 'notice'
  | 'compaction_update'
  | 'compaction_summary_chunk'
  | 'subagent_update'
  | 'session_message'
  | 'session_message_chunk'

export interface Updates {
  take(update: Fields): void
  /** Something besides the updates, such as a notification of its own or a line that is no message. */
  aside(name: string, payload: Fields): void
}

type Hearing = TurnOutput & {
  readonly speech: Speech
  readonly calls: ToolCalls
  tell(notice: Notice): void
  aside(name: string, payload: Fields): void
  readonly warnings: Set<string>
  /** Keeps an update in the log, unless it says what was said before. */
  record(infoType: string, message: string, update: Fields): void
}

type Rule = (hearing: Hearing, update: Fields) => void

/** More of them in one turn are told, not kept: a log is no trace. */
const MOST_KEPT = 200

const rules: { readonly [K in UpdateKind]: Rule } = {
  // The agent's echo of what the log has already.
  user_message_chunk: (hearing, update) => hearing.aside('user_message_chunk', update),
  agent_message_chunk: ({ speech, calls, aside }, update) => {
    // Some send a text of nothing to carry what stands beside it, Gemini CLI its mode as a text.
    if (isEmpty(update) || isModeNote(update)) return aside('agent_message_chunk', update)
    calls.beginAll()
    speech.say(update)
  },
  agent_thought_chunk: ({ speech }, update) => speech.think(update),
  tool_call: ({ calls }, update) => calls.update(update),
  tool_call_update: ({ calls }, update) => calls.update(update),
  plan: planned,
  plan_update: planned,
  plan_removed: planned,
  available_commands_update: ({ tell }, update) =>
    tell({ type: 'commands.changed', data: { commands: listIn(update, 'availableCommands') } }),
  current_mode_update: ({ record }, update) =>
    record('agent_mode', `The agent is in its mode "${String(update['currentModeId'])}".`, update),
  config_option_update: ({ record }, update) =>
    record('agent_options', `The agent's options: ${optionsText(update)}.`, update),
  session_info_update: ({ tell, aside }, update) => {
    const title = textIn(update, 'title')
    if (title === undefined) aside('session_info_update', update)
    else tell({ type: 'session.title_changed', data: { title } })
  },
  usage_update: ({ tell, turn }, update) => {
    const [tokenLimit, currentTokens] = [countIn(update, 'size'), countIn(update, 'used')]
    if (tokenLimit === undefined || currentTokens === undefined) return
    const messagesLength = turn.context.messages.length
    const beside = without(update, 'sessionUpdate', 'size', 'used')
    const acp = Object.keys(beside).length > 0 && { acp: beside }
    const data = { tokenLimit, currentTokens, messagesLength, ...acp }
    tell({ type: 'session.usage_info', data })
  },
  notice: (hearing, update) => {
    const { severity } = update
    if (severity === 'warning' || severity === 'error') warned(hearing, update)
    else hearing.aside('notice', update)
  },
  compaction_update: ({ record }, update) =>
    record(
      'agent_compaction',
      `The agent compacts its own context: ${String(update['status'])}.`,
      update,
    ),
  compaction_summary_chunk: ({ aside }, update) => aside('compaction_summary_chunk', update),
  subagent_update: ({ record }, update) =>
    record('agent_subagent', 'The agent told of an agent of its own.', update),
  session_message: ({ record }, update) =>
    record('agent_message', 'The agent put a message into its own session.', update),
  session_message_chunk: ({ aside }, update) => aside('session_message_chunk', update),
}

export function createUpdates(output: TurnOutput, speech: Speech, calls: ToolCalls): Updates {
  const said = new Map<string, string>()
  let kept = 0

  const tell = (notice: Notice) => output.emit({ notice })
  const aside = (name: string, payload: Fields) =>
    tell({ type: 'session.custom_notification', data: { source: 'acp', name, payload } })

  function record(infoType: string, message: string, update: Fields): void {
    const json = JSON.stringify(update)
    if (said.get(infoType) === json) return
    said.set(infoType, json)
    kept += 1
    if (kept > MOST_KEPT) return aside(infoType, update)
    const data = { infoType, message, acp: update }
    const draft: Draft = { type: 'session.info', data }
    output.emit({ draft })
  }

  const warnings = new Set<string>()
  const hearing: Hearing = { ...output, speech, calls, tell, aside, record, warnings }

  return {
    aside,
    take(update) {
      const kind = textIn(update, 'sessionUpdate') ?? ''
      const rule = isKnown(kind) ? rules[kind] : unknown
      rule(hearing, update)
    },
  }
}

const isEmpty = ({ content }: Fields): boolean =>
  fieldsOf(content)['type'] === 'text' && fieldsOf(content)['text'] === ''

const isModeNote = ({ content }: Fields): boolean =>
  /^\[MODE_UPDATE\] \S+$/.test(textIn(fieldsOf(content), 'text') ?? '')

const isKnown = (kind: string): kind is UpdateKind => Object.hasOwn(rules, kind)

/** Told, and kept with the tool call that it speaks of, or by itself. */
function unknown({ aside, calls, record }: Hearing, update: Fields): void {
  const kind = textIn(update, 'sessionUpdate') ?? 'unnamed'
  aside(kind, update)
  const toolCallId = textIn(update, 'toolCallId')
  if (toolCallId !== undefined && calls.keep(toolCallId, update)) return
  record(`agent_update:${kind}`, `The agent sent an update of the kind "${kind}".`, update)
}

/** The agent's list of things to do is its own; the plan of the session is a file that people write too. */
function planned({ record, tell }: Hearing, update: Fields): void {
  const entries = listIn(update, 'entries')
  const done = entries.filter(({ status }) => status === 'completed').length
  const now = entries.find(({ status }) => status === 'in_progress')
  const step = now === undefined ? '' : ` Now: ${textIn(now, 'content') ?? ''}`
  const message =
    entries.length === 0
      ? 'The agent changed its plan.'
      : `${done} of ${entries.length} steps are done.${step}`
  record('agent_plan', message, update)
  tell({ type: 'session.todos_changed', data: {} })
}

/** What people have to know stays; the same words are kept once a turn. */
function warned({ emit, aside, warnings }: Hearing, update: Fields): void {
  const parts = [textIn(update, 'title') ?? '', textIn(update, 'description') ?? '']
  const message = parts.filter((part) => part !== '').join('\n')
  if (message === '' || warnings.size >= MOST_KEPT) return aside('notice', update)
  if (warnings.has(message)) return
  warnings.add(message)
  emit({ draft: { type: 'session.warning', data: { warningType: 'agent', message } } })
}

const optionsText = (update: Fields): string =>
  listIn(update, 'configOptions')
    .map((option) => `${textIn(option, 'id') ?? '?'} = ${String(fieldsOf(option)['currentValue'])}`)
    .join(', ')
