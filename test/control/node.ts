/** A node of Mission Control in this process, and people who ask it. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openControl, type Control, type Settings } from '../../src/control/control.ts'
import type { Database } from '../../src/control/database/port.ts'
import { serveControl } from '../../src/control/http/listen.ts'
import { addPerson, addTenant } from '../../src/control/people/people.ts'
import { allowed, type Role, type Scope } from '../../src/control/people/scopes.ts'
import { createToken } from '../../src/control/people/tokens.ts'
import { openSqlite } from '../../src/control/sqlite/open.ts'

export type Client = {
  readonly token: string
  readonly person: string
  ask(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer>
  /** Server-sent events, until the loop is left. */
  frames(path: string): AsyncGenerator<Frame>
  /** Appends to a session's stream. */
  send(path: string, claim: Claimed, seq: number, events: readonly object[]): Promise<Answer>
}

type Claimed = { readonly producer: string; readonly epoch: number }

export type Frame = { readonly event: string; readonly id?: string; readonly data: unknown }

export type Answer = {
  readonly status: number
  readonly headers: Headers
  readonly body: unknown
  readonly text: string
}

export type TestNode = AsyncDisposable & {
  readonly url: string
  readonly db: Database
  readonly control: Control
  person(
    name: string,
    wish?: { role?: Role; tenant?: string; scopes?: readonly Scope[]; ends?: number },
  ): Promise<Client>
}

/** On SQLite, unless another database is handed in; it is closed with the node. */
export async function startNode(
  given?: Database,
  settings: Partial<Settings> = {},
  port = 0,
): Promise<TestNode> {
  const folder = await mkdtemp(join(tmpdir(), 'reprise-control-'))
  const db = given ?? (await openSqlite({ folder, as: 'node' }))
  const onTrouble = (message: string) => void process.stderr.write(`${message}\n`)
  const control = await openControl({
    db,
    version: 'test',
    onTrouble,
    derived: join(folder, 'derived'),
    settings: { longPollMs: 5000, ...settings },
  })
  const server = await serveControl({
    controls: [control],
    port,
    onFault: (error) => onTrouble(String(error)),
  })
  for (const id of ['main', 'other']) await addTenant(db.query, { id, name: id }, Date.now())
  return {
    url: server.url,
    db,
    control,
    async person(name, { role = 'member', tenant = 'main', scopes = allowed[role], ends } = {}) {
      const { id } = await addPerson(db.query, { tenant, name, role }, Date.now())
      const wish = { tenant, person: id, name: `${name}-laptop`, scopes, ...(ends && { ends }) }
      const { text } = await createToken(db.query, wish, Date.now())
      return clientOf(server.url, text, id)
    },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]()
      await control[Symbol.asyncDispose]()
      await db[Symbol.asyncDispose]()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

export function clientOf(url: string, token: string, person: string): Client {
  const client: Client = {
    token,
    person,
    async ask(method, path, body, headers = {}) {
      const response = await fetch(`${url}${path}`, {
        method,
        signal: AbortSignal.timeout(30_000),
        headers: {
          authorization: `Bearer ${token}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      })
      const text = await response.text()
      const isJson = response.headers.get('content-type')?.startsWith('application/json')
      return {
        status: response.status,
        headers: response.headers,
        text,
        body: isJson && text !== '' ? JSON.parse(text) : undefined,
      }
    },
    async *frames(path) {
      const response = await fetch(`${url}${path}`, {
        signal: AbortSignal.timeout(30_000),
        headers: { authorization: `Bearer ${token}` },
      })
      if (response.status !== 200 || response.body === null)
        throw new Error(`${response.status} ${await response.text()}`)
      let text = ''
      for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
        text += chunk
        const parts = text.split('\n\n')
        text = parts.pop() ?? ''
        for (const part of parts) if (!part.startsWith(':')) yield frameIn(part)
      }
    },
    send: (path, { producer, epoch }, seq, events) =>
      client.ask('POST', path, events, {
        'producer-id': producer,
        'producer-epoch': String(epoch),
        'producer-seq': String(seq),
      }),
  }
  return client
}

function frameIn(text: string): Frame {
  const lines = text.split('\n')
  const field = (name: string) =>
    lines.filter((line) => line.startsWith(`${name}:`)).map((line) => line.slice(name.length + 1))
  const [id] = field('id')
  return {
    event: (field('event')[0] ?? '').trim(),
    ...(id !== undefined && { id: id.trim() }),
    data: JSON.parse(field('data').join('\n')),
  }
}

export const event = (id: string, parentId: string | null, more: object = {}) => ({
  type: 'user.message',
  data: { content: `said ${id}` },
  id,
  timestamp: '2026-11-16T05:44:47.649Z',
  parentId,
  ...more,
})
