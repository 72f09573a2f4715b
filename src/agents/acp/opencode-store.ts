/**
 * OpenCode's own sessions are rows of its database, which only OpenCode writes. Over the protocol it forks a session as a
 * whole; its own server forks at a message. That server is started for the one request, on the loopback and behind a
 * password, and ended.
 */
import { randomBytes } from 'node:crypto'
import { createInterface } from 'node:readline'
import { fieldsOf, textIn } from '../../lib/fields.ts'
import { guardedFetch } from '../../lib/guarded-fetch.ts'
import { startProcess } from './agent-process.ts'
import {
  NOT_AS_EXPECTED,
  copying,
  promptsKept,
  type OwnStore,
  type StorePlace,
} from './own-store.ts'
import { within } from './with-timeout.ts'

export const opencodeStore: OwnStore = {
  copy: (place, prompts) =>
    copying(async () => {
      await using server = await startServer(place)
      const session = `session/${encodeURIComponent(place.sessionId)}`
      const messages = await server.ask(`${session}/message`)
      const asked = (Array.isArray(messages) ? messages : [])
        .map((message) => fieldsOf(fieldsOf(message)['info']))
        .filter(({ role }) => role === 'user')
      const count = promptsKept(asked.length, prompts)
      if (count === undefined) return NOT_AS_EXPECTED
      const { id: messageID } = asked[count] ?? {}
      const fork = await server.ask(`${session}/fork`, { messageID })
      return textIn(fieldsOf(fork), 'id') ?? NOT_AS_EXPECTED
    }),
}

interface Server extends AsyncDisposable {
  /** GET, or POST with a body. */
  ask(path: string, body?: object): Promise<unknown>
}

/** All messages of a session. */
const guarded = guardedFetch({ mostBytes: 256 * 1024 * 1024 })

const START_MS = 30_000
const ANSWER_MS = 30_000
/** It has nothing to finish when it is ended. */
const STOP_MS = 1000

async function startServer({ line: own, cwd }: StorePlace): Promise<Server> {
  const password = randomBytes(24).toString('hex')
  const args = ['serve', '--hostname', '127.0.0.1', '--port', '0']
  const line = { ...own, args, env: { ...own.env, OPENCODE_SERVER_PASSWORD: password } }
  const { child, ended, lastWords, stop } = startProcess(line, cwd, STOP_MS)
  const late = () => new Error(`its server did not come up. ${lastWords()}`.trim())
  try {
    const gone = ended.then(() => Promise.reject(late()))
    const base = await within(START_MS, Promise.race([addressIn(child.stdout), gone]), late)
    const authorization = `Basic ${Buffer.from(`opencode:${password}`).toString('base64')}`
    return {
      async ask(path, body) {
        const url = new URL(path, base)
        url.searchParams.set('directory', cwd)
        const answer = await guarded(url, {
          headers: { authorization, 'content-type': 'application/json' },
          signal: AbortSignal.timeout(ANSWER_MS),
          ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
        })
        if (!answer.ok) throw new Error(`its server answered ${answer.status}`)
        return answer.json()
      },
      [Symbol.asyncDispose]: stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

async function addressIn(output: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input: output })) {
    const [address] = /http:\/\/127\.0\.0\.1:\d+/.exec(line) ?? []
    if (address !== undefined) return address
  }
  throw new Error('its server told no address')
}
