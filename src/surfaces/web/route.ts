/** What a route is: its words for the document, the schemas of what it takes, and what it does. */
import type { z } from 'zod'
import type { AgentsToChoose } from '../../commands/command.ts'
import type { HomeServices } from '../../store/home-services.ts'
import type { Engine } from '../../engine/engine.ts'
import type { SessionId } from '../../format/ids.ts'
import type { ServerAnswer } from './api.ts'
import type { AnswerName } from './answers.ts'
import type { GuestLink } from './guard.ts'
import type { Guest } from './guest.ts'
import { Nothing } from './requests.ts'
import type { JointStreams } from './joint-stream.ts'
import type { RunningWork } from './running-work.ts'

/** What routes work with. */
export type Web = {
  readonly engine: Engine
  readonly work: RunningWork
  readonly streams: JointStreams
  readonly version: string
  readonly home: string
  readonly cwd: string
  /** Takes secrets out of what leaves as a file, and of all that a guest is shown. */
  readonly redact: <T>(value: T) => Promise<T>
  /** The style sheet of the page, for a file that looks like it. */
  readonly readStyle: () => Promise<string>
  /** Logs a browser in, once. */
  readonly link: () => string
  readonly guestLink: (id: SessionId, hours: number) => Promise<GuestLink>
  readonly store?: HomeServices
  /** Of Mission Control, which has its own routes for what is known over all sessions. */
  readonly team?: NonNullable<ServerAnswer['team']>
  /** Who can be chosen to answer; without it the engine's own choice answers. */
  readonly agents?: AgentsToChoose
}

/** A file to be saved, never to be shown: whatever is in it, no browser runs it here. */
export class Attachment {
  readonly name: string
  readonly bytes: Uint8Array

  constructor(name: string, bytes: Uint8Array) {
    this.name = name
    this.bytes = bytes
  }
}

/** Shown where it is asked for: bytes that are a picture by what they begin with, never a document. */
export class Shown {
  readonly mimeType: string
  readonly bytes: Uint8Array

  constructor(mimeType: string, bytes: Uint8Array) {
    this.mimeType = mimeType
    this.bytes = bytes
  }
}

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/** What a request of these says is in its body, as JSON; of the others, in its address alone. */
export const hasBody = (method: string): boolean => method === 'POST' || method === 'PATCH'

export type Route = {
  readonly method: Method
  /** In hono's notation. */
  readonly path: string
  readonly summary: string
  /** The name of its schema in `answers.ts`; `bytes`: an attachment; `picture`: one. */
  readonly answer: AnswerName | 'bytes' | 'picture'
  readonly params: z.ZodType
  readonly query: z.ZodType
  readonly body: z.ZodType
  readonly mostBytes: number
  /** The status of success. */
  readonly status: 200 | 201 | 202
  /** Its stream is opened by the server itself. */
  readonly isStream: boolean
  /** A guest may ask too. Nothing is open to one that does not say so. */
  readonly guests: boolean
  run(web: Web, asked: AskedOf<unknown, unknown, unknown>): Promise<unknown>
}

/** `guest` is there when it is not the owner who asks. */
type AskedOf<P, Q, B> = { params: P; query: Q; body: B; guest?: Guest | undefined }

const MOST_BYTES = 2 * 1024 * 1024

type Words<P, Q, B> = {
  readonly summary: string
  readonly answer: Route['answer']
  readonly params?: z.ZodType<P>
  readonly query?: z.ZodType<Q>
  readonly body?: z.ZodType<B>
  readonly mostBytes?: number
  readonly status?: 201 | 202
  readonly guests?: true
}

type Run<P, Q, B, A> = (web: Web, asked: AskedOf<P, Q, B>) => Promise<A> | A
type Empty = Record<string, never>

export const get = <A, P = Empty, Q = Empty>(
  path: string,
  words: Omit<Words<P, Q, Empty>, 'body' | 'mostBytes' | 'status'>,
  run: Run<P, Q, Empty, A>,
): Route => define('GET', path, words, run)

export const post = <A, P = Empty, B = Empty>(
  path: string,
  words: Omit<Words<P, Empty, B>, 'query' | 'guests'>,
  run: Run<P, Empty, B, A>,
): Route => define('POST', path, words, run)

/** Changes something that has an address of its own: what is not named stays as it is. */
export const patch = <A, P = Empty, B = Empty>(
  path: string,
  words: Omit<Words<P, Empty, B>, 'query' | 'guests'>,
  run: Run<P, Empty, B, A>,
): Route => define('PATCH', path, words, run)

/** Takes away what has an address of its own. */
export const remove = <A, P = Empty, Q = Empty>(
  path: string,
  words: Omit<Words<P, Q, Empty>, 'body' | 'mostBytes' | 'status' | 'guests'>,
  run: Run<P, Q, Empty, A>,
): Route => define('DELETE', path, words, run)

/** Answers with server-sent events; see `app.ts`. */
export const stream = <P = Empty, Q = Empty>(
  path: string,
  words: Omit<Words<P, Q, Empty>, 'body' | 'mostBytes' | 'status'>,
): Route => ({ ...define('GET', path, words, () => undefined), isStream: true })

function define<P, Q, B, A>(
  method: Method,
  path: string,
  words: Words<P, Q, B>,
  run: Run<P, Q, B, A>,
): Route {
  const { summary, answer, params, query, body, mostBytes = MOST_BYTES, status = 200 } = words
  return {
    method,
    path,
    summary,
    answer,
    params: params ?? Nothing,
    query: query ?? Nothing,
    body: body ?? Nothing,
    mostBytes,
    status,
    isStream: false,
    guests: words.guests ?? false,
    // What comes here has passed these very schemas.
    run: async (web, asked) => run(web, asked as AskedOf<P, Q, B>),
  }
}
