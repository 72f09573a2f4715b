/**
 * Brings back the pictures and texts that were attached and that the log keeps aside, so that a model sees them in every
 * later request and after a resume as it saw them first. The newest come first: what is beyond the bounds is named in
 * words instead.
 */
import type { Turn } from '../../engine/agent.ts'
import type { Attachment, Picture } from '../../state/attachments.ts'
import type { ModelContext, ModelMessage } from '../../state/model-context.ts'
import { isShown } from './attachments.ts'

/** The size of all of them in one request. Providers refuse requests that are not much larger. */
const MOST_BYTES = 16 * 1024 * 1024
const MOST_PICTURES = 50

export async function withPictures(
  context: ModelContext,
  readBlob: Turn['readBlob'],
): Promise<ModelContext> {
  const chosen = chosenPictures(context.messages)
  if (chosen === undefined) return context
  const shown = new Map<Picture, string>()
  for (const picture of chosen) {
    const data = picture.data || (await keptData(picture, readBlob))
    if (data !== undefined) shown.set(picture, data)
  }
  const attachment = (each: Attachment): Attachment =>
    isShown(each) ? { ...each, data: shown.get(each) ?? '' } : each
  const messages = context.messages.map((message): ModelMessage => {
    if (message.role === 'assistant' || message.attachments === undefined) return message
    return { ...message, attachments: message.attachments.map(attachment) }
  })
  return { ...context, messages }
}

/** Every request of a turn has the same pictures: each is read once. */
export function readOnce(readBlob: Turn['readBlob']): Turn['readBlob'] {
  const known = new Map<string, ReturnType<Turn['readBlob']>>()
  return (sha256, limit) => {
    const bytes = known.get(sha256) ?? readBlob(sha256, limit)
    known.set(sha256, bytes)
    return bytes
  }
}

/** Undefined when there is none at all. */
function chosenPictures(messages: readonly ModelMessage[]): readonly Picture[] | undefined {
  const pictures = messages
    .flatMap((message) => (message.role === 'assistant' ? [] : (message.attachments ?? [])))
    .filter(isShown)
  if (pictures.length === 0) return undefined
  let left = MOST_BYTES
  const chosen: Picture[] = []
  for (const picture of pictures.toReversed()) {
    left -= bytesOf(picture)
    if (left < 0 || chosen.length >= MOST_PICTURES) break
    chosen.push(picture)
  }
  return chosen
}

const bytesOf = ({ data, blob }: Picture): number =>
  data ? Buffer.byteLength(data, 'base64') : (blob?.byteLength ?? 0)

const keptData = async (
  { blob }: Picture,
  readBlob: Turn['readBlob'],
): Promise<string | undefined> => {
  if (blob === undefined) return undefined
  const bytes = await readBlob(blob.sha256, { mostBytes: MOST_BYTES })
  if (bytes === undefined) return undefined
  const { buffer, byteOffset, length } = bytes
  return Buffer.from(buffer, byteOffset, length).toString(blob.isText ? 'utf8' : 'base64')
}
