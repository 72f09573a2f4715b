/** What a request for a stream says in its headers, its query and its body; whatever is wrong with it is refused here. */
import { parseJson } from '../../lib/limit-depth.ts'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { ControlError } from '../control-error.ts'
import { isEventId } from '../../format/ids.ts'
import { recognise } from '../../format/event.ts'
import type { Content } from '../streams/content.ts'
import { bareType, isJson } from '../streams/content-type.ts'
import type { Producer } from '../streams/append-decision.ts'
import type { Applied } from '../streams/append.ts'
import { commandIn } from '../commands/source.ts'
import { defined } from '../../lib/defined.ts'
import { readBody } from './body.ts'
import { splitJson } from '../streams/split-json.ts'

export const MOST_BODY_BYTES = 16 * 1024 * 1024

const invalid = (message: string) => new ControlError('invalid', `${message} Nothing was changed.`)

const unzip = promisify(gunzip)

export async function bodyOf(request: Request): Promise<Uint8Array> {
  const bytes = await readBody(request, MOST_BODY_BYTES)
  const coding = request.headers.get('content-encoding')
  if (coding === null || coding === 'identity') return bytes
  if (coding !== 'gzip') throw invalid(`A body is plain or gzip here, not ${coding}.`)
  try {
    return await unzip(bytes, { maxOutputLength: MOST_BODY_BYTES })
  } catch (cause) {
    throw new ControlError('invalid', 'The body is not gzip, or too large. Nothing was changed.', {
      cause,
    })
  }
}

/** One record for each value of JSON, one for everything else. */
export function recordsOf(type: string, body: Uint8Array): readonly Content[] {
  if (!isJson(type)) return body.length === 0 ? [] : [{ bytes: body }]
  if (body.length === 0) return []
  const values = splitJson(body)
  if (values === undefined) throw invalid('The body is not JSON.')
  return values.map((bytes) => ({ bytes }))
}

/** The events of a session: each value is one, and says which. */
export function eventsOf(body: Uint8Array): readonly Content[] {
  const records = recordsOf('application/json', body)
  if (records.length === 0) throw invalid('There is no event in the body.')
  return records.map(({ bytes }, at) => eventOf(bytes) ?? refuse(at))
}

function refuse(at: number): never {
  throw invalid(`Value ${at + 1} of the body is no event.`)
}

/** Undefined when it is none. */
export function eventOf(bytes: Uint8Array): Content | undefined {
  const found = recognise(parseJson(Buffer.from(bytes).toString('utf8')))
  if (found.kind === 'damage') return undefined
  const { id, type, timestamp, parentId } = found.event
  return {
    bytes,
    id,
    type,
    at: timestamp,
    parent: isEventId(parentId) ? parentId : null,
    ...defined({ command: commandIn(found.event) }),
  }
}

/** Which commands these events are the effect of, where the events do not say so: `Commands-Applied: id=event, …`. */
export function appliedIn(headers: Headers): readonly Applied[] {
  const text = headers.get('commands-applied')
  if (text === null) return []
  return text.split(',').map((pair) => {
    const [, command, event] = /^\s*([\w.:-]{1,100})=([\w.:-]{1,200})\s*$/.exec(pair) ?? []
    if (command === undefined || event === undefined)
      throw invalid('Commands-Applied is not id=event, with commas.')
    return { command, event }
  })
}

/** By which secrets were taken out of these events, as the machine names it. */
export function policyIn(headers: Headers): string | undefined {
  const policy = headers.get('redaction-policy')
  if (policy === null) return undefined
  if (!/^[\w.-]{1,100}$/.test(policy)) throw invalid('Redaction-Policy is no name of a policy.')
  return policy
}

const WHOLE = /^(?:0|[1-9]\d{0,15})$/

function whole(name: string, text: string): number {
  const number = Number(text)
  if (!WHOLE.test(text) || !Number.isSafeInteger(number))
    throw invalid(`${name} is no whole number.`)
  return number
}

/** All three, or none. */
export function producerIn(headers: Headers): Producer | undefined {
  const given = ['producer-id', 'producer-epoch', 'producer-seq'].map((name) => headers.get(name))
  const [id, epoch, seq] = given
  if (given.every((value) => value === null)) return undefined
  if (id == null || id === '' || epoch == null || seq == null)
    throw invalid('Producer-Id, Producer-Epoch and Producer-Seq come together.')
  return { id, epoch: whole('Producer-Epoch', epoch), seq: whole('Producer-Seq', seq) }
}

export const closes = (headers: Headers): boolean =>
  headers.get('stream-closed')?.toLowerCase() === 'true'

export function lifeIn(headers: Headers): { readonly ttl?: number; readonly expires?: number } {
  const ttl = headers.get('stream-ttl')
  const expires = headers.get('stream-expires-at')
  if (ttl !== null && expires !== null)
    throw invalid('Stream-TTL and Stream-Expires-At exclude each other.')
  if (ttl !== null) return { ttl: whole('Stream-TTL', ttl) }
  if (expires === null) return {}
  const time = /^\d{4}-\d\d-\d\dT/.test(expires) ? Date.parse(expires) : NaN
  if (Number.isNaN(time)) throw invalid('Stream-Expires-At is no time of RFC 3339.')
  return { expires: time }
}

type ForkWish = { readonly path: string; readonly offset?: string; readonly part: number }

export function forkIn(headers: Headers, prefix: string): ForkWish | undefined {
  const from = headers.get('stream-forked-from')
  const offset = headers.get('stream-fork-offset')
  const part = headers.get('stream-fork-sub-offset')
  if (from === null) {
    if (part !== null || offset !== null)
      throw invalid('A place to fork at needs Stream-Forked-From.')
    return undefined
  }
  if (!from.startsWith(prefix))
    throw new ControlError('not_found', 'There is no such stream to fork from.')
  const taken = part === null ? 0 : whole('Stream-Fork-Sub-Offset', part)
  if (taken > 0 && offset === null)
    throw invalid('Stream-Fork-Sub-Offset needs Stream-Fork-Offset.')
  return { path: from.slice(prefix.length), part: taken, ...(offset !== null && { offset }) }
}

/** Undefined when none was sent. */
export function typeIn(headers: Headers): string | undefined {
  const type = headers.get('content-type')
  if (type === null || type === '') return undefined
  if (!/^[\w.+-]+\/[\w.+-]+$/.test(bareType(type))) throw invalid('Content-Type is none.')
  return type
}
