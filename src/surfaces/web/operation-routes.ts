/**
 * Operations of a session over HTTP. Each has the address `POST /api/sessions/{id}/operations/{name}`; the addresses
 * that programs used before are derived from the same rows, with what is different in their words.
 */
import type { z } from 'zod'
import { operationNames, rowOf, type OperationName } from '../../engine/operations/table.ts'
import type { ChangeScope } from '../../engine/history/file-changes.ts'
import type { SessionId } from '../../format/ids.ts'
import type * as api from './api.ts'
import type { AnswerName } from './answers.ts'
import { WebFailure } from './failure.ts'
import * as ask from './requests.ts'
import { get, post, remove, type Route, type Web } from './route.ts'

const MOST_BYTES = 16 * 1024 * 1024

export const operationRoutes: readonly Route[] = operationNames.map((name) =>
  post(
    `/api/sessions/:id/operations/${name}`,
    {
      params: ask.SessionParams,
      summary: rowOf(name).summary,
      answer: 'OperationAnswer',
      body: rowOf(name).takes as z.ZodType<object>,
      mostBytes: MOST_BYTES,
    },
    async (web, { params, body }) => {
      const result = await perform(web, params.id, name, body)
      const { toJson } = rowOf(name)
      return { result: (toJson === undefined ? result : toJson(result as never)) ?? null }
    },
  ),
)

const perform = async ({ engine }: Web, id: SessionId, name: OperationName, params: object) =>
  (await engine.open(id)).perform(name, params)

type Ways<G, P> = {
  readonly answer: AnswerName
  readonly params?: z.ZodType<P>
  /** What is sent: the parameters of the operation, where nothing else is said. */
  readonly takes?: z.ZodType<G>
  readonly to?: (given: G & P) => object
  readonly from?: (result: never) => unknown
  readonly status?: 201
  readonly mostBytes?: number
}
type Own = { readonly id: SessionId }
type Verb = 'GET' | 'POST' | 'DELETE'

/** An address of its own for an operation, `path` behind that of the session. */
function alias<G = object, P extends object = Own>(
  verb: Verb,
  path: string,
  name: OperationName,
  { answer, params, takes, to, from = asItIs, status, mostBytes }: Ways<G, P>,
): Route {
  const row = rowOf(name)
  const words = {
    summary: row.summary,
    answer,
    params: (params ?? ask.SessionParams) as z.ZodType<Own>,
  }
  const run = async (web: Web, of: Own, given: object) => {
    const { id: _, ...place } = of
    const wanted = { ...place, ...given }
    return from((await perform(web, of.id, name, to?.(wanted as G & P) ?? wanted)) as never)
  }
  const schema = (takes ?? row.takes) as z.ZodType<object>
  const at = `/api/sessions/:id/${path}`
  const isOpen = row.may.includes('guest') ? ({ guests: true } as const) : {}
  if (verb === 'DELETE') return remove(at, words, (web, asked) => run(web, asked.params, {}))
  return verb === 'GET'
    ? get(at, { ...words, ...isOpen, query: schema }, (web, { params: of, query }) =>
        run(web, of, query),
      )
    : post(at, { ...words, body: schema, status, mostBytes }, (web, { params: of, body }) =>
        run(web, of, body),
      )
}

const asItIs = (result: never): unknown => result
const ok = (): api.OkAnswer => ({ ok: true })

export const aliasRoutes: readonly Route[] = [
  alias('POST', 'cancel', 'cancel', {
    answer: 'CancelledAnswer',
    takes: ask.Nothing,
    from: (cancelled: boolean) => ({ cancelled }),
  }),
  alias('POST', 'answer', 'answer', {
    answer: 'OkAnswer',
    takes: ask.AnswerBody,
    to: ({ decision: kind, ...rest }) => ({ kind, ...rest }),
    from: ok,
  }),
  alias('POST', 'answer-question', 'answerQuestion', { answer: 'OkAnswer', from: ok }),
  alias('POST', 'queue', 'changeQueue', {
    answer: 'OkAnswer',
    takes: ask.QueueBody,
    to: (body) => ({ change: queueChange(body) }),
    from: ok,
  }),
  alias('DELETE', 'queue/:messageId', 'changeQueue', {
    answer: 'OkAnswer',
    params: ask.QueuedParams,
    to: ({ messageId }) => ({ change: { kind: 'remove', messageId } }),
    from: ok,
  }),
  alias('POST', 'rewind', 'rewind', { answer: 'RewoundAnswer' }),
  alias('POST', 'undo', 'undo', { answer: 'RewoundAnswer' }),
  alias('POST', 'redo', 'redo', { answer: 'RedoneAnswer' }),
  alias('POST', 'fork', 'fork', { answer: 'ForkedAnswer', takes: ask.ForkBody, status: 201 }),
  alias('POST', 'compact', 'compact', { answer: 'CompactedAnswer' }),
  alias('POST', 'rename', 'rename', {
    answer: 'RenamedAnswer',
    takes: ask.RenameBody,
    to: ({ name: title }) => ({ title }),
    from: (name: string) => ({ name }),
  }),
  alias('POST', 'mode', 'setMode', { answer: 'OkAnswer', from: ok }),
  alias('POST', 'model', 'setModel', { answer: 'OkAnswer', from: ok }),
  alias('DELETE', 'plan', 'deletePlan', { answer: 'OkAnswer', from: ok }),
  alias('POST', 'files', 'writeFile', {
    answer: 'OkAnswer',
    takes: ask.FileBody,
    to: ({ path, base64 }) => ({ path, bytes: new Uint8Array(Buffer.from(base64, 'base64')) }),
    from: ok,
    mostBytes: MOST_BYTES,
  }),
  alias('POST', 'restore-file', 'restoreFile', { answer: 'RestoredFileAnswer' }),
  alias('GET', 'changes', 'changes', {
    answer: 'ChangesAnswer',
    takes: ask.ChangesQuery,
    to: (query) => ({ scope: scopeOf(query) }),
  }),
  alias('GET', 'changes/file', 'changedFile', {
    answer: 'ChangedFileAnswer',
    takes: ask.ChangedFileQuery,
    to: ({ path, of, ...scope }) => ({ scope: scopeOf(scope), path, of }),
  }),
  alias('GET', 'events', 'events', { answer: 'EventsAnswer', takes: ask.EventsQuery }),
  alias('GET', 'rewind-preview', 'previewRewind', { answer: 'RewindPreviewAnswer' }),
  alias('GET', 'plan', 'readPlan', {
    answer: 'PlanAnswer',
    from: (text: string | undefined) => ({ text: text ?? null }),
  }),
  alias('GET', 'files', 'files', {
    answer: 'FilesAnswer',
    from: (files: api.FilesAnswer['files']) => ({ files }),
  }),
  alias('GET', 'checkpoints/:number', 'readCheckpoint', {
    answer: 'CheckpointAnswer',
    params: ask.CheckpointParams,
    takes: ask.Nothing,
    from: (text: string) => ({ text }),
  }),
]

function queueChange(body: ask.QueueRequest): object {
  if (body.action === 'move')
    return { kind: 'move', messageId: body.messageId, position: body.place }
  if (body.action === 'resume') return { kind: 'release' }
  const { action: kind, ...rest } = body
  return { kind, ...rest }
}

function scopeOf({ scope, eventId }: ask.Changes): ChangeScope {
  if (scope === 'session' || scope === 'fork') return { kind: scope }
  if (eventId === undefined)
    throw new WebFailure('invalid', `The scope "${scope}" needs the eventId of a turn.`)
  return { kind: scope, eventId }
}
