/** What is being said and done right now and is in no event yet: it is shown, and gone when its event comes. */
import type { Event, Stranger } from '../format/event.ts'
import type { Notice, NoticePayload } from '../format/notice.ts'

export type Live = {
  readonly text: string
  readonly thought: string
  readonly intent: string | undefined
  /** That the model is asked again, and for which time. */
  readonly retry: string | undefined
  /** How many characters were told in this turn, so that people see that something comes. */
  readonly heard: number
  /** The last of what each running tool printed. */
  readonly tails: Readonly<Record<string, string>>
}

export const silence: Live = {
  text: '',
  thought: '',
  intent: undefined,
  retry: undefined,
  heard: 0,
  tails: {},
}

const LONGEST_TAIL = 8000

export function hearNotice(live: Live, notice: Notice): Live {
  if (notice.agentId !== undefined) return live
  switch (notice.type) {
    case 'assistant.message_delta':
      return {
        ...live,
        retry: undefined,
        heard: live.heard + notice.data.deltaContent.length,
        text: live.text + notice.data.deltaContent,
      }
    case 'assistant.reasoning_delta':
      return {
        ...live,
        retry: undefined,
        heard: live.heard + notice.data.deltaContent.length,
        thought: live.thought + notice.data.deltaContent,
      }
    case 'assistant.turn_retry':
      return { ...live, retry: retryText(notice.data) }
    case 'assistant.intent':
      return { ...live, intent: notice.data.intent }
    case 'tool.execution_partial_result':
      return withTail(live, notice.data.toolCallId, notice.data.partialOutput)
    case 'tool.execution_progress':
      return withTail(live, notice.data.toolCallId, `${notice.data.progressMessage}\n`)
    case 'session.idle':
      return silence
    default:
      return live
  }
}

export function hearEvent(live: Live, event: Event | Stranger): Live {
  if ('stranger' in event || event.agentId !== undefined) return live
  switch (event.type) {
    case 'assistant.message':
      return { ...live, text: '', thought: '', retry: undefined }
    case 'assistant.reasoning':
      return { ...live, thought: '' }
    case 'tool.execution_complete': {
      const { [event.data.toolCallId]: _gone, ...tails } = live.tails
      return { ...live, tails }
    }
    case 'abort':
    case 'session.error':
      return silence
    default:
      return live
  }
}

function retryText({ attempt = 1, mostAttempts, reason }: NoticePayload<'assistant.turn_retry'>) {
  const which = mostAttempts === undefined ? `${attempt}` : `${attempt} of ${mostAttempts}`
  return `retry ${which}${reason === undefined ? '' : ` (${reason})`}`
}

function withTail(live: Live, id: string, more: string): Live {
  const tail = `${live.tails[id] ?? ''}${more}`.slice(-LONGEST_TAIL)
  return { ...live, tails: { ...live.tails, [id]: tail } }
}
