/**
 * What an agent says and thinks: told piece by piece, kept whole. A message ends where a tool is called, where another
 * message begins, and with the turn; pictures and fields that we do not know are kept beside its text.
 */
import type { AgentItem, Turn } from '../../engine/agent.ts'
import type { DraftOf, Payload } from '../../format/event.ts'
import { defined } from '../../lib/defined.ts'
import { fieldsOf, textIn, without, type Fields } from '../../lib/fields.ts'

export type TurnOutput = {
  readonly turn: Turn
  readonly newId: () => string
  /** The model that answers, when the agent tells it. */
  model(): string | undefined
  emit(item: AgentItem): void
}

type ToolRequest = NonNullable<Payload<'assistant.message'>['toolRequests']>[number]

export interface Speech {
  say(chunk: Fields): void
  think(chunk: Fields): void
  /** Keeps what was said and thought since the last end, with the tools that are called now. */
  end(calls?: readonly ToolRequest[]): void
  /** Everything said so far. */
  readonly said: string
  /** The agent's own id of what it said last. */
  readonly lastMessageId: string | undefined
}

type Piece = { messageId: string; theirId: string | undefined; text: string; beside: Fields[] }

export function createSpeech(output: TurnOutput): Speech {
  const { turn, newId, emit } = output
  let message: Piece | undefined
  let thought: Piece | undefined
  let said = ''
  let lastMessageId: string | undefined

  /** A piece with another id begins another message. */
  const begins = (piece: Piece | undefined, chunk: Fields) => {
    const theirId = textIn(chunk, 'messageId')
    return piece === undefined || (theirId !== undefined && theirId !== piece.theirId)
  }
  const open = (chunk: Fields): Piece => {
    const theirId = textIn(chunk, 'messageId')
    return { messageId: newId(), theirId, text: '', beside: [] }
  }

  /** Gives what is kept. */
  function keepBeside(piece: Piece, chunk: Fields, isText: boolean): Fields {
    const beside = without(chunk, 'sessionUpdate', 'messageId', ...(isText ? ['content'] : []))
    const odd = isText ? without(fieldsOf(chunk['content']), 'type', 'text') : {}
    const whole = { ...beside, ...(Object.keys(odd).length > 0 && { content: odd }) }
    if (Object.keys(whole).length === 0) return {}
    if (JSON.stringify(piece.beside.at(-1)) !== JSON.stringify(whole)) piece.beside.push(whole)
    return { acp: whole }
  }

  function end(calls: readonly ToolRequest[] = []): void {
    endThought()
    if (message === undefined && calls.length === 0) return
    const piece = message ?? open({})
    message = undefined
    const { interactionId } = turn.message
    const model = output.model()
    const data: Payload<'assistant.message'> = {
      messageId: piece.messageId,
      content: piece.text,
      ...(calls.length > 0 && { toolRequests: [...calls] }),
      ...defined({ model }),
      turnId: turn.turnId,
      ...defined({ interactionId }),
      ...keptBeside(piece),
    }
    emit({ draft: { type: 'assistant.message', data } })
  }

  function endThought(): void {
    if (thought === undefined) return
    const { messageId: reasoningId, text: content } = thought
    const data = { reasoningId, content, ...keptBeside(thought) }
    thought = undefined
    const draft: DraftOf<'assistant.reasoning'> = { type: 'assistant.reasoning', data }
    emit({ draft })
  }

  return {
    say(chunk) {
      endThought()
      if (begins(message, chunk)) end()
      if (message === undefined) {
        message = open(chunk)
        const { messageId } = message
        emit({ notice: { type: 'assistant.message_start', data: { messageId } } })
      }
      const text = textOf(chunk)
      const shown = text ?? markOf(fieldsOf(chunk['content']))
      message.text += shown
      said += shown
      lastMessageId = message.theirId
      const beside = keepBeside(message, chunk, text !== undefined)
      if (text === undefined || text === '') return
      const data = { messageId: message.messageId, deltaContent: text, ...beside }
      emit({ notice: { type: 'assistant.message_delta', data } })
    },
    think(chunk) {
      if (begins(thought, chunk)) endThought()
      thought ??= open(chunk)
      const text = textOf(chunk)
      thought.text += text ?? ''
      const beside = keepBeside(thought, chunk, text !== undefined)
      if (text === undefined || text === '') return
      const data = { reasoningId: thought.messageId, deltaContent: text, ...beside }
      emit({ notice: { type: 'assistant.reasoning_delta', data } })
    },
    end,
    get said() {
      return said
    },
    get lastMessageId() {
      return lastMessageId
    },
  }
}

const keptBeside = ({ beside }: Piece) => beside.length > 0 && { acp: beside }

function textOf(chunk: Fields): string | undefined {
  const content = fieldsOf(chunk['content'])
  return content['type'] === 'text' ? (textIn(content, 'text') ?? '') : undefined
}

/** In the text, what is not text leaves a mark where it stood. */
function markOf(content: Fields): string {
  const resource = fieldsOf(content['resource'])
  const name = textIn(content, 'name') ?? textIn(content, 'uri') ?? textIn(resource, 'uri')
  return `[${textIn(content, 'type') ?? 'content'}${name === undefined ? '' : `: ${name}`}]`
}
