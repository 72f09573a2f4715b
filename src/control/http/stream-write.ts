/** PUT, POST and DELETE of a stream. A session's stream takes events alone, from the producer that has claimed it. */
import { ControlError } from '../control-error.ts'
import type { Control } from '../control.ts'
import { requireScope } from '../people/require-scope.ts'
import type { Asker } from '../people/scopes.ts'
import { beginSession } from '../sessions/begin.ts'
import { addGeneration } from '../sessions/generations.ts'
import { noteMove } from '../sessions/moved.ts'
import { own, readable, sessionIn } from '../sessions/stored-session.ts'
import type { Appended } from '../streams/append.ts'
import { DEFAULT_TYPE } from '../streams/content-type.ts'
import { createStream, type Created, type Fork } from '../streams/create.ts'
import { findStream, lockStream } from '../streams/find.ts'
import { defined } from '../../lib/defined.ts'
import { seqOf } from '../../format/stream-offset.ts'
import { removeIn } from '../streams/remove.ts'
import { missing, PREFIX, sessionOf } from './stream-access.ts'
import { headersOf } from './stream-headers.ts'
import {
  appliedIn,
  bodyOf,
  closes,
  eventsOf,
  forkIn,
  lifeIn,
  policyIn,
  producerIn,
  recordsOf,
  typeIn,
} from './stream-request.ts'

export async function putStream(
  control: Control,
  asker: Asker,
  path: string,
  request: Request,
): Promise<Response> {
  const fork = await forkAt(control, asker, request.headers)
  const made = await (sessionOf(asker, path) === undefined
    ? createFree(control, asker, path, request, fork)
    : putSession(control, asker, path, request, fork))
  if (!('stream' in made)) return refuseCreation(made)
  const status = made.kind === 'created' ? 201 : 200
  const headers = { ...headersOf(made.stream, made.stream.head), 'content-type': made.stream.type }
  return new Response(null, {
    status,
    headers: { ...headers, location: new URL(request.url).href },
  })
}

async function createFree(
  control: Control,
  asker: Asker,
  path: string,
  request: Request,
  fork: Fork | undefined,
): Promise<Created> {
  if (fork !== undefined && sessionIn(fork.path) !== undefined)
    throw new ControlError(
      'forbidden',
      'The log of a session is forked as a session. Nothing was made.',
    )
  const type = typeIn(request.headers)
  const body = await bodyOf(request)
  const records = recordsOf(type ?? (await typeOfSource(control, asker, fork)), body)
  return createStream(
    control.db,
    {
      tenant: asker.tenant,
      path,
      close: closes(request.headers),
      records,
      ...lifeIn(request.headers),
      ...defined({ type, fork }),
    },
    control.now(),
  )
}

async function typeOfSource(
  control: Control,
  { tenant }: Asker,
  fork: Fork | undefined,
): Promise<string> {
  if (fork === undefined) return DEFAULT_TYPE
  const source = await findStream(
    control.db,
    control.db.query,
    { tenant, path: fork.path },
    control.now(),
  )
  return source?.type ?? DEFAULT_TYPE
}

/** Generation 0 begins a session, or a fork of another; a higher one is a rewind or a redo. */
async function putSession(
  control: Control,
  asker: Asker,
  path: string,
  request: Request,
  fork: Fork | undefined,
) {
  requireScope(asker, 'export')
  const { id, generation } = sessionIn(path) ?? { id: '', generation: 0 }
  if ((await bodyOf(request)).length > 0)
    throw new ControlError(
      'invalid',
      'Events are appended by their producer, not with the stream. Nothing was made.',
    )
  if (generation === 0) {
    const source = fork && sessionIn(fork.path)
    if (source !== undefined) await readable(control.db.query, asker, source.id)
    const { isNew, stream } = await beginSession(
      control.db,
      asker,
      { id, ...defined({ fork }) },
      control.now(),
    )
    return { kind: isNew ? ('created' as const) : ('exists' as const), stream }
  }
  const source = fork && sessionIn(fork.path)
  const producer = producerIn(request.headers)
  if (source?.id !== id || producer === undefined)
    throw new ControlError(
      'invalid',
      'A generation is forked from an older one of its session, by the producer that has claimed it. Nothing was made.',
    )
  const wish = {
    session: id,
    generation,
    from: source.generation,
    producer: producer.id,
    epoch: producer.epoch,
  }
  const made = await addGeneration(
    control.db,
    asker,
    { ...wish, ...defined({ head: fork?.head }) },
    control.now(),
  )
  if (made.kind === 'created' && made.stream.source !== null) {
    control.tail.grown([made.stream.source])
    control.db.wake([made.stream.source])
  }
  return made
}

async function forkAt(
  control: Control,
  { tenant }: Asker,
  headers: Headers,
): Promise<Fork | undefined> {
  const wish = forkIn(headers, PREFIX)
  if (wish === undefined) return undefined
  const { path, part, offset } = wish
  if (offset === undefined) return { path, part }
  const source = await findStream(control.db, control.db.query, { tenant, path }, control.now())
  const head = seqOf(offset, source?.head ?? 0)
  if (head === undefined)
    throw new ControlError('invalid', 'Stream-Fork-Offset is none of ours. Nothing was made.')
  return { path, part, head }
}

function refuseCreation(
  made: Exclude<Awaited<ReturnType<typeof addGeneration>>, { stream: unknown }>,
): Response {
  if (made.kind === 'missing_source') throw missing()
  if (made.kind === 'beyond')
    throw new ControlError('invalid', 'The place to fork at is behind the end. Nothing was made.')
  if (made.kind === 'stale')
    return refused(
      403,
      { 'producer-epoch': String(made.epoch) },
      'Another machine has claimed this session.',
    )
  throw new ControlError('conflict', 'There is another stream of this name. Nothing was changed.')
}

export async function postStream(
  control: Control,
  asker: Asker,
  path: string,
  request: Request,
): Promise<Response> {
  const session = sessionOf(asker, path)
  const { headers } = request
  const producer = producerIn(headers)
  const body = await bodyOf(request)
  const close = closes(headers)
  const type = typeIn(headers)
  if (session !== undefined) {
    requireScope(asker, 'export')
    await own(control.db.query, asker, session.id)
    if (producer === undefined)
      throw new ControlError(
        'invalid',
        'Events need the headers of a producer. Nothing was changed.',
      )
    if (close)
      throw new ControlError(
        'forbidden',
        'The log of a session is not closed by its machine. Nothing was changed.',
      )
  } else {
    const there = await findStream(
      control.db,
      control.db.query,
      { tenant: asker.tenant, path },
      control.now(),
    )
    if (there === undefined) throw missing()
    if (there.gone === 1) throw new ControlError('gone', 'This stream was deleted.')
  }
  if (body.length === 0 && !close)
    throw new ControlError('invalid', 'The body is empty. Nothing was changed.')
  if (body.length > 0 && type === undefined)
    throw new ControlError('invalid', 'Content-Type is missing. Nothing was changed.')
  const records = session === undefined ? recordsOf(type ?? '', body) : eventsOf(body)
  if (body.length > 0 && records.length === 0)
    throw new ControlError('invalid', 'The array is empty. Nothing was changed.')
  await control.meter.check(asker.tenant)
  const writerSeq = headers.get('stream-seq')
  const policy = policyIn(headers)
  const result = await control.group.append({
    tenant: asker.tenant,
    path,
    records,
    close,
    ...defined({ type, producer }),
    ...(writerSeq !== null && { writerSeq }),
    ...(session !== undefined && {
      isExact: true,
      applied: appliedIn(headers),
      ...defined({ policy }),
    }),
  })
  control.meter.add(asker.tenant, result.written, result.bytes)
  if (session !== undefined && result.written > 0) {
    const name = { tenant: asker.tenant, id: session.id }
    control.heard.grown(name)
    if (records.some(({ command }) => command !== undefined) || headers.has('commands-applied')) {
      await noteMove(control.db.query, name, control.now())
      control.moved(name)
    }
  }
  return answerAppend(result, producer, records.length)
}

function answerAppend(
  { verdict, stream }: Appended,
  producer: ReturnType<typeof producerIn>,
  count: number,
): Response {
  if (stream === undefined) throw missing()
  const headers = headersOf(stream, stream.head)
  const said = (seq: number) =>
    producer && { 'producer-epoch': String(producer.epoch), 'producer-seq': String(seq) }
  switch (verdict.kind) {
    case 'append':
      return new Response(null, {
        status: producer && count > 0 ? 200 : 204,
        headers: { ...headers, ...said(producer?.seq ?? 0) },
      })
    case 'duplicate':
      return new Response(null, { status: 204, headers: { ...headers, ...said(verdict.last) } })
    case 'stale':
      return refused(
        403,
        { 'producer-epoch': String(verdict.epoch) },
        'This producer was overtaken. Nothing was changed.',
      )
    case 'gap':
      return refused(
        409,
        {
          'producer-expected-seq': String(verdict.expected),
          'producer-received-seq': String(producer?.seq ?? 0),
        },
        'A batch before this one is missing. Nothing was changed.',
      )
    case 'closed':
      return refused(409, headers, 'This stream is closed. Nothing was changed.')
    case 'bad_epoch':
      throw new ControlError('invalid', 'A new epoch begins with number 0. Nothing was changed.')
    case 'other_type':
      throw new ControlError('conflict', `This stream holds ${stream.type}. Nothing was changed.`)
    case 'old_writer_seq':
      throw new ControlError(
        'conflict',
        'Stream-Seq is not higher than the last. Nothing was changed.',
      )
    case 'other_event':
      throw new ControlError(
        'conflict',
        `Event ${verdict.id} is there already with other content. Nothing was changed.`,
      )
    case 'gone':
      throw new ControlError('gone', 'This stream was deleted.')
    case 'missing':
      throw missing()
  }
}

const refused = (status: number, headers: Record<string, string>, message: string): Response =>
  Response.json(
    { error: { code: status === 403 ? 'forbidden' : 'conflict', message } },
    { status, headers },
  )

export async function deleteStream(
  control: Control,
  asker: Asker,
  path: string,
): Promise<Response> {
  if (sessionOf(asker, path) !== undefined)
    throw new ControlError(
      'forbidden',
      'A session is deleted as a whole: DELETE /api/sessions/{id}. Nothing was changed.',
    )
  const name = { tenant: asker.tenant, path }
  const stream = await control.db.transact(async (tx) => {
    const there =
      (await findStream(control.db, tx, name, control.now())) &&
      (await lockStream(control.db, tx, name))
    if (there === undefined) throw missing()
    if (there.gone === 1) throw new ControlError('gone', 'This stream was deleted before.')
    await removeIn(tx, there)
    return there
  })
  control.tail.grown([stream.id])
  control.db.wake([stream.id])
  return new Response(null, { status: 204 })
}
