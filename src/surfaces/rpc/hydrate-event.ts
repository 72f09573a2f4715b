/**
 * What was attached to a message, and pictures that tools gave, as clients know them: with their data. The log keeps them
 * beside it, by their hash. Texts that were too long for the log stay cut.
 */
import type { Session } from '../../engine/session.ts'
import type { BlobReference } from '../../format/blobs.ts'
import { fieldsOf, objectsOf } from '../../lib/fields.ts'

/** Of one piece, and of all that one answer puts back; what is beyond stays empty. */
const MOST_BYTES = 16 * 1024 * 1024
const MOST_BYTES_IN_ALL = 64 * 1024 * 1024

const PLACE = /^(attachments|result\.binaryResultsForLlm)\.(\d+)\.data$/
/** How such a place is written in a log. */
const MARKS = ['"field":"attachments.', '"field":"result.binaryResultsForLlm.'] as const

type Reading = Pick<Session, 'readBlob'>
type Event = { readonly type: string; readonly data: unknown }

/** For the events of one answer. */
export function wholeEvents(session: Reading): <T extends Event>(event: T) => Promise<T> {
  let left = MOST_BYTES_IN_ALL
  return async (event) => {
    const kept = placesIn(event.data)
    if (kept.length === 0) return event
    const data: unknown = structuredClone(event.data)
    for (const { list, index, blob } of kept) {
      const item = fieldsOf(objectsOf(listAt(data, list))[index]) as Record<string, unknown>
      if (item['data'] !== '' || blob.byteLength > left) continue
      const bytes = await read(session, blob)
      if (bytes === undefined) continue
      left -= blob.byteLength
      item['data'] = bytes.toString(blob.mimeType === undefined ? 'utf8' : 'base64')
    }
    return { ...event, data }
  }
}

/** The items of a list in parts, as JSON; only parts with such an event are taken apart and written anew. */
export async function wholeItems(
  session: Reading,
  parts: readonly (string | Uint8Array)[],
): Promise<readonly (string | Uint8Array)[]> {
  const whole = wholeEvents(session)
  const result: (string | Uint8Array)[] = []
  for (const part of parts) {
    const bytes = typeof part === 'string' ? undefined : bufferOf(part)
    if (bytes === undefined || !MARKS.some((mark) => bytes.includes(mark))) {
      result.push(part)
      continue
    }
    const text = bytes.toString('utf8')
    const end = text.endsWith(',') ? ',' : ''
    const events = JSON.parse(`[${text.slice(0, text.length - end.length)}]`) as Event[]
    const written: string[] = []
    for (const event of events) written.push(JSON.stringify(await whole(event)))
    result.push(written.join(','), end)
  }
  return result
}

function placesIn(data: unknown) {
  const { blobs } = fieldsOf(fieldsOf(data)['reprise'])
  return objectsOf(blobs).flatMap((each) => {
    const blob = each as BlobReference
    const [, list, index] = PLACE.exec(blob.field ?? '') ?? []
    return list === undefined ? [] : [{ list, index: Number(index), blob }]
  })
}

const listAt = (data: unknown, list: string): unknown =>
  list === 'attachments'
    ? fieldsOf(data)['attachments']
    : fieldsOf(fieldsOf(data)['result'])['binaryResultsForLlm']

/** Undefined when it is not there, damaged, or too large. */
const read = async (session: Reading, { sha256 }: BlobReference): Promise<Buffer | undefined> => {
  // The event is told without it, as it stands in the log.
  const bytes = await session.readBlob(sha256, { mostBytes: MOST_BYTES }).catch(() => undefined)
  return bytes === undefined ? undefined : bufferOf(bytes)
}

const bufferOf = ({ buffer, byteOffset, length }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, length)
