/**
 * The calls by which a connected client does what is asked of its files. Every answer is looked at before it is
 * believed: its shape, its names, its kinds. A client that fails, is gone, or takes too long gives an error that says so.
 */
import { layout } from '../format/layout.ts'
import { fileName } from '../format/paths.ts'
import { deferred } from '../lib/deferred.ts'
import { errorText } from '../lib/error-text.ts'
import { DatabaseRefused, FsError, codeOf } from './fs-error.ts'
import type { Entry } from './session-fs.ts'

/** What a fault of the session's own database is said of. */
export const DATABASE = fileName(layout.session.database)

/**
 * One reverse call: the method without its prefix, as `readFile`. Rejects when the client cannot be reached, with the
 * code `ENOTCONN` when it never will be again.
 */
export type ClientCalls = (
  method: ClientMethod,
  params: Readonly<Record<string, unknown>>,
) => Promise<unknown>

type ClientMethod =
  | 'readFile'
  | 'readFileBytes'
  | 'writeFile'
  | 'writeFileBytes'
  | 'appendFile'
  | 'exists'
  | 'stat'
  | 'mkdir'
  | 'readdir'
  | 'readdirWithTypes'
  | 'rm'
  | 'rename'
  | 'sqliteQuery'
  | 'sqliteExists'

export type ClientStat = {
  readonly kind: 'file' | 'folder' | 'other'
  readonly size: number
  readonly mtimeMs: number
}

/** Paths are as the client writes them. What is missing is undefined, or empty. */
export interface CheckedCalls {
  stat(path: string): Promise<ClientStat | undefined>
  list(path: string): Promise<Entry[]>
  readText(path: string): Promise<string | undefined>
  readBytes(path: string): Promise<Uint8Array | undefined>
  writeText(path: string, text: string): Promise<void>
  writeBytes(path: string, bytes: Uint8Array): Promise<void>
  append(path: string, text: string): Promise<void>
  /** How much of a file is there, asked of the client whatever is known of it. */
  count(path: string): Promise<ClientStat | undefined>
  mkdir(path: string): Promise<void>
  remove(path: string): Promise<void>
  rename(from: string, to: string): Promise<void>
  /** Throws `DatabaseRefused` when the client refuses the statement. */
  askDatabase(method: 'sqliteQuery' | 'sqliteExists', params: Answer): Promise<unknown>
}

type Answer = Readonly<Record<string, unknown>>

export function checkCalls(calls: ClientCalls, limitMs: number): CheckedCalls {
  /** Given up, and yet it may still happen: nothing is asked before it is settled. */
  const late = new Set<Promise<unknown>>()
  /** It was waited for twice: from now on nobody waits until it is settled. */
  let isSilent = false

  const silent = (what: string, path: string): FsError => {
    const explanation = `the client that owns the files has not answered ${what} for ${limitMs} ms`
    return new FsError('ETIMEDOUT', path, explanation)
  }

  const notAgain = (error: unknown): never => {
    isSilent = late.size > 0
    throw error
  }

  async function within<T>(work: Promise<T>, what: string, path: string): Promise<T> {
    const { promise: tooLong, reject } = deferred<never>()
    const timer = setTimeout(() => reject(silent(what, path)), limitMs)
    try {
      return await Promise.race([work, tooLong])
    } finally {
      clearTimeout(timer)
    }
  }

  function waitFor(answer: Promise<unknown>): void {
    const settled: Promise<unknown> = answer
      .catch(() => {}) // its caller was told that it took too long; how it ended does not matter any more
      .finally(() => {
        late.delete(settled)
        isSilent &&= late.size > 0
      })
    late.add(settled)
  }

  async function ask(method: ClientMethod, path: string, params: Answer): Promise<unknown> {
    if (isSilent) throw silent('an earlier call', path)
    if (late.size > 0) await within(Promise.all(late), 'an earlier call', path).catch(notAgain)
    const answer = reach(calls, method, path, params)
    try {
      return await within(answer, method, path)
    } catch (error) {
      if (error instanceof FsError && error.code === 'ETIMEDOUT') waitFor(answer)
      throw error
    }
  }

  /** Undefined when the client says that there is nothing. */
  async function look(
    method: ClientMethod,
    path: string,
    params: Answer = {},
  ): Promise<Answer | undefined> {
    const answer = await ask(method, path, { path, ...params })
    const failure = failureIn(answer)
    if (failure === undefined) return fieldsOf(answer, method, path)
    if (failure.code === 'ENOENT') return undefined
    // A client has one code for all other failures, and a path that leads through a file is one of them.
    const { exists } = fieldsOf(await ask('exists', path, { path }), 'exists', path)
    if (exists === false) return undefined
    throw failed(method, path, failure)
  }

  async function change(method: ClientMethod, path: string, params: Answer): Promise<void> {
    const failure = failureIn(await ask(method, path, params))
    if (failure !== undefined) throw failed(method, path, failure)
  }

  async function stat(path: string): Promise<ClientStat | undefined> {
    const answer = await look('stat', path)
    return answer && statOf(answer, path)
  }

  return {
    stat,
    count: stat,
    async list(path) {
      const answer = await look('readdirWithTypes', path)
      return answer === undefined ? [] : entriesOf(answer, path)
    },
    async readText(path) {
      const answer = await look('readFile', path)
      return answer && contentOf(answer, 'readFile', path)
    },
    async readBytes(path) {
      const answer = await look('readFileBytes', path)
      if (answer === undefined) return undefined
      const text = contentOf(answer, 'readFileBytes', path)
      const bytes = Buffer.from(text, 'base64')
      if (bytes.toString('base64').replace(/=+$/, '') === text.replace(/=+$/, '')) return bytes
      throw wrong('readFileBytes', path, 'content that is not base64')
    },
    writeText: (path, content) => change('writeFile', path, { path, content, mode: 0o600 }),
    writeBytes: (path, bytes) =>
      change('writeFileBytes', path, {
        path,
        content: Buffer.from(bytes).toString('base64'),
        mode: 0o600,
      }),
    append: (path, content) => change('appendFile', path, { path, content, mode: 0o600 }),
    mkdir: (path) => change('mkdir', path, { path, recursive: true, mode: 0o700 }),
    async remove(path) {
      const failure = failureIn(await ask('rm', path, { path, recursive: true, force: true }))
      // Forced: what is not there needs no removal, whether the client says so or not.
      if (failure !== undefined && failure.code !== 'ENOENT') throw failed('rm', path, failure)
    },
    async rename(from, to) {
      const failure = failureIn(await ask('rename', from, { src: from, dest: to }))
      if (failure === undefined) return
      if (failure.code === 'ENOENT') throw failed('rename', from, failure)
      const why = `the client that owns the files cannot rename (${failure.message})`
      throw new FsError('ENOTSUP', from, why)
    },
    async askDatabase(method, params) {
      const answer = await ask(method, DATABASE, params)
      const failure = failureIn(answer)
      if (failure !== undefined) throw new DatabaseRefused(failure.message)
      return answer
    },
  }
}

async function reach(
  calls: ClientCalls,
  method: ClientMethod,
  path: string,
  params: Answer,
): Promise<unknown> {
  try {
    return await calls(method, params)
  } catch (cause) {
    const why = errorText(cause)
    if (codeOf(cause) === 'ENOTCONN')
      throw new FsError('ENOTCONN', path, `the client that owns the files has gone (${why})`)
    if (method === 'sqliteQuery') throw new DatabaseRefused(why)
    throw new FsError('EIO', path, `the client that owns the files could not be asked (${why})`)
  }
}

type Failure = { readonly code: string; readonly message: string }

/** Failures are values: by themselves where nothing else is answered, else as `error`. */
function failureIn(answer: unknown): Failure | undefined {
  if (typeof answer !== 'object' || answer === null) return undefined
  const { error = answer } = answer as { error?: unknown }
  if (typeof error !== 'object' || error === null) return undefined
  const { code, message } = error as Answer
  return typeof code === 'string' ? { code, message: String(message ?? code) } : undefined
}

const failed = (method: string, path: string, { code, message }: Failure): FsError =>
  new FsError(
    code === 'UNKNOWN' ? 'EIO' : code,
    path,
    `the client that owns the files failed ${method} (${message})`,
  )

const wrong = (method: string, path: string, what: string): FsError =>
  new FsError('EPROTO', path, `the client that owns the files answered ${method} with ${what}`)

function fieldsOf(answer: unknown, method: string, path: string): Answer {
  if (typeof answer === 'object' && answer !== null) return answer as Answer
  throw wrong(method, path, 'nothing')
}

function contentOf({ content }: Answer, method: string, path: string): string {
  if (typeof content === 'string') return content
  throw wrong(method, path, 'no content')
}

function statOf({ isFile, isDirectory, size, mtime }: Answer, path: string): ClientStat {
  const mtimeMs = typeof mtime === 'string' ? Date.parse(mtime) : NaN
  if (!Number.isSafeInteger(size) || (size as number) < 0 || Number.isNaN(mtimeMs))
    throw wrong('stat', path, 'an impossible size or time')
  if (isFile === true && isDirectory === true) throw wrong('stat', path, 'two kinds at once')
  const kind = isFile === true ? 'file' : isDirectory === true ? 'folder' : 'other'
  return { kind, size: kind === 'folder' ? 0 : (size as number), mtimeMs }
}

const KINDS: Readonly<Record<string, Entry['kind']>> = { file: 'file', directory: 'folder' }

function entriesOf({ entries }: Answer, path: string): Entry[] {
  if (!Array.isArray(entries)) throw wrong('readdirWithTypes', path, 'no entries')
  return entries.map((entry: unknown) => {
    const { name, type } = fieldsOf(entry, 'readdirWithTypes', path)
    if (typeof name !== 'string' || name === '' || name === '.' || name === '..')
      throw wrong('readdirWithTypes', path, 'something that is not a name')
    if (/[/\\\0]/.test(name))
      throw wrong('readdirWithTypes', path, `the name ${JSON.stringify(name)}, which is a path`)
    return { name, kind: KINDS[String(type)] ?? 'other' }
  })
}
