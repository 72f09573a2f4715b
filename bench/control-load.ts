/** What exporting machines and watching screens do to nodes of Mission Control, over real connections. */
import { Agent, get, request, type IncomingMessage } from 'node:http'
import { inLanes } from '../src/lib/map-concurrent.ts'

type Wish = {
  readonly nodes: readonly string[]
  readonly token: string
  readonly sessions: number
  readonly watchers: number
  /** Events of an append. */
  readonly events: number
  /** An append of each session every so often; 0: as soon as the one before is acknowledged. */
  readonly everyMs: number
  readonly seconds: number
  /** Told apart from sessions of another run. */
  readonly run: string
}

type Load = {
  readonly acks: number
  readonly events: number
  readonly ackMs: readonly number[]
  /** From when an event was said until a screen on another node has it. */
  readonly seenMs: readonly number[]
}

export async function load(wish: Wish): Promise<Load> {
  const agent = new Agent({ keepAlive: true, maxSockets: Infinity })
  const ask = asker(agent, wish.token)
  const ackMs: number[] = []
  const seenMs: number[] = []
  const sessions = Array.from({ length: wish.sessions }, (_, at) => ({
    id: `${wish.run}-${at}`,
    node: wish.nodes[at % wish.nodes.length] ?? '',
    other: wish.nodes[(at + 1) % wish.nodes.length] ?? '',
  }))
  const claims = await inLanes(sessions, 50, async ({ id, node }) => {
    await ask('PUT', `${node}/streams/s/${id}/0`, {}, undefined)
    const { body } = await ask('POST', `${node}/api/sessions/${id}/claim`, {}, undefined)
    return JSON.parse(body) as { producer: string; epoch: number }
  })
  const watched = sessions.slice(0, wish.watchers)
  const screens = await inLanes(watched, 50, ({ id, other }) =>
    watch(agent, wish.token, `${other}/api/sessions/${id}/live`, seenMs),
  )
  const end = performance.now() + wish.seconds * 1000
  await Promise.all(
    sessions.map(async ({ id, node }, at) => {
      const claim = claims[at]
      if (claim === undefined) return
      const phase = (at / sessions.length) * wish.everyMs
      for (let seq = 0, due = performance.now() + phase; ; seq++, due += wish.everyMs) {
        const left = due - performance.now()
        if (wish.everyMs > 0 && left > 0) await new Promise((resolve) => setTimeout(resolve, left))
        const began = performance.now()
        if (began >= end) return
        const { status } = await ask(
          'POST',
          `${node}/streams/s/${id}/0`,
          {
            'producer-id': claim.producer,
            'producer-epoch': String(claim.epoch),
            'producer-seq': String(seq),
          },
          batchOf(id, seq, wish.events),
        )
        if (status !== 200 && status !== 204) throw new Error(`An append was answered ${status}.`)
        ackMs.push(performance.now() - began)
      }
    }),
  )
  await new Promise((resolve) => setTimeout(resolve, 1000))
  for (const screen of screens) screen.destroy()
  agent.destroy()
  return { acks: ackMs.length, events: ackMs.length * wish.events, ackMs, seenMs }
}

const FILL = 'what an agent says in a sentence or two, '.repeat(6)

function batchOf(session: string, seq: number, events: number): string {
  const lines = Array.from({ length: events }, (_, at) => {
    const id = `${session}.${seq}.${at}`
    const content = `@${performance.now()}@ ${FILL}`
    const timestamp = new Date().toISOString()
    return { type: 'assistant.message', data: { content }, id, timestamp, parentId: null }
  })
  return JSON.stringify(lines)
}

type Answered = { readonly status: number; readonly body: string }

type AskOne = (
  method: string,
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string | undefined,
) => Promise<Answered>

/** A connection that the server closed while it was idle is asked again, as machines do: what came twice is stored once. */
function asker(agent: Agent, token: string): AskOne {
  const once = askerOnce(agent, token)
  return (...asked) => once(...asked).catch(() => once(...asked))
}

const askerOnce =
  (agent: Agent, token: string): AskOne =>
  (method, url, headers, body) =>
    new Promise((resolve, reject) => {
      const sent = request(
        url,
        {
          method,
          agent,
          headers: {
            ...headers,
            authorization: `Bearer ${token}`,
            'content-type': 'application/json',
          },
        },
        (response) => {
          const parts: Buffer[] = []
          response.on('data', (part: Buffer) => parts.push(part))
          response.on('end', () =>
            resolve({ status: response.statusCode ?? 0, body: Buffer.concat(parts).toString() }),
          )
        },
      )
      sent.on('error', reject)
      sent.end(body)
    })

/** Looks only for the times: a thousand screens in one process must not be what is measured. */
function watch(
  agent: Agent,
  token: string,
  url: string,
  seenMs: number[],
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}` }
    get(url, { agent, headers }, (response) => {
      response.on('data', (chunk: Buffer) => {
        const now = performance.now()
        for (const [, said] of chunk.toString('latin1').matchAll(/@([\d.]+)@/g))
          seenMs.push(now - Number(said))
      })
      // It is left before its time at the end.
      response.on('error', () => {})
      resolve(response)
    }).on('error', reject)
  })
}
