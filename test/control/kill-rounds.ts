/**
 * Writers that export sessions to a server which is killed again and again. What a writer was acknowledged is written
 * down here, and at the end every log is read: nothing lost, nothing twice, no hole.
 */
import assert from 'node:assert/strict'
import { setTimeout as later } from 'node:timers/promises'
import type { Random } from '../crash/kill-rounds.ts'
import { clientOf, event, type Client } from './node.ts'
import { makeToken, runProgram, serveProgram } from './program.ts'

export type KillOptions = {
  /** Of `control serve`: where its database is. */
  readonly place: readonly string[]
  readonly random: Random
  /** Whether there is another round. */
  readonly goesOn: (round: number) => boolean
  /** What else may be killed with, or in place of, the server. */
  readonly database?: { kill(): Promise<void>; start(): void | Promise<void> }
  /** One of them is chosen for each round. */
  readonly victims?: readonly Victim[]
  readonly env?: NodeJS.ProcessEnv
  /** How long a life lasts at most, from when it has acknowledged something. */
  readonly lifeMs?: number
}

type Victim = 'server' | 'database' | 'both'

export type KillFigures = {
  readonly kills: number
  readonly acknowledged: number
  readonly stored: number
}

const WRITERS = 6
/** Also on a machine that does much else. */
const PATIENCE_MS = 300_000

export async function killRounds(options: KillOptions): Promise<KillFigures> {
  const { place, random, goesOn, database, lifeMs = 200 } = options
  const { victims = database === undefined ? ['server'] : ['server', 'database', 'both'] } = options
  const env = { ...process.env, ...options.env }
  const token = await makeToken(place, env)
  let node = await serveProgram(place, env, 0)
  const { port } = new URL(node.url)
  const client = clientOf(node.url, token, '')
  const stop = new AbortController()
  let acks = 0
  const writers = Array.from({ length: WRITERS }, (_, at) =>
    writer(client, `session-${at}`, stop.signal, () => void (acks += 1)),
  )
  const losses: unknown[] = []
  for (const each of writers) each.catch((error: unknown) => losses.push(error))
  let kills = 0
  try {
    for (; goesOn(kills); kills++) {
      // Every life acknowledges something before it ends: a kill of a server that does nothing shows nothing.
      const wanted = acks + WRITERS
      const hasMoved = () => acks >= wanted
      const patience = AbortSignal.timeout(PATIENCE_MS)
      while (!hasMoved() && losses.length === 0) await later(5, undefined, { signal: patience })
      if (losses.length > 0) throw losses[0]
      await later(random() * lifeMs)
      const victim = victims[Math.floor(random() * victims.length)]
      if (victim !== 'server') await database?.kill()
      if (victim !== 'database') await node.kill()
      if (victim !== 'server') await database?.start()
      if (victim !== 'database') node = await serveProgram(place, env, Number(port))
    }
    await ready(client)
    stop.abort()
    const logs = await Promise.all(writers)
    let stored = 0
    for (const { session, acknowledged, sent } of logs)
      stored += await check(client, session, acknowledged, sent)
    const doctor = await runProgram(['control', 'doctor', '--json', ...place], env)
    assert.equal((JSON.parse(doctor) as { holes: number }).holes, 0)
    return {
      kills,
      stored,
      acknowledged: logs.reduce((sum, { acknowledged }) => sum + acknowledged, 0),
    }
  } finally {
    stop.abort()
    await Promise.allSettled(writers)
    await node.kill()
  }
}

/** Every event from the first on, in order, once; all that was acknowledged, and perhaps what was under way. */
async function check(
  client: Client,
  session: string,
  acknowledged: number,
  sent: number,
): Promise<number> {
  const ids: string[] = []
  for (let offset = '-1', isEnd = false; !isEnd;) {
    const page = await client.ask('GET', `/streams/s/${session}/0?offset=${offset}`)
    // A connection that died with the database is found out by the request that uses it.
    if (page.status === 503) {
      await ready(client)
      continue
    }
    assert.equal(page.status, 200)
    ids.push(...(page.body as { id: string }[]).map(({ id }) => id))
    offset = page.headers.get('stream-next-offset') ?? ''
    isEnd = page.headers.get('stream-up-to-date') === 'true'
  }
  assert.deepEqual(
    ids,
    ids.map((_, at) => idOf(session, at)),
  )
  assert.ok(
    ids.length >= acknowledged,
    `${session}: ${acknowledged} acknowledged, ${ids.length} there`,
  )
  assert.ok(ids.length <= sent)
  return ids.length
}

const idOf = (session: string, at: number) => `${session}.${at}`

type Written = { readonly session: string; readonly acknowledged: number; readonly sent: number }

/** Goes on until it is stopped; after each failure it asks what the server has, and never trusts what it remembers. */
async function writer(
  client: Client,
  session: string,
  signal: AbortSignal,
  onAcknowledged: () => void,
): Promise<Written> {
  let acknowledged = 0
  let sent = 0
  while (!signal.aborted) {
    try {
      await client.ask('PUT', `/streams/s/${session}/0`)
      const claim = await client.ask('POST', `/api/sessions/${session}/claim`)
      if (claim.status !== 200) throw new Error(claim.text)
      const {
        producer,
        epoch,
        events: head,
      } = claim.body as { producer: string; epoch: number; events: number }
      assert.ok(
        head >= acknowledged,
        `${session}: ${acknowledged} acknowledged, the server has ${head}`,
      )
      for (let at = head, seq = 0; !signal.aborted; seq++) {
        const batch = Array.from({ length: 1 + (seq % 4) }, (_, place) => at + place)
        sent = Math.max(sent, at + batch.length)
        const answer = await client.send(
          `/streams/s/${session}/0`,
          { producer, epoch },
          seq,
          batch.map((each) =>
            event(idOf(session, each), each === 0 ? null : idOf(session, each - 1)),
          ),
        )
        if (answer.status !== 200) throw new Error(answer.text)
        at += batch.length
        acknowledged = at
        onAcknowledged()
      }
    } catch (error) {
      if (error instanceof assert.AssertionError) throw error
      await ready(client, signal)
    }
  }
  return { session, acknowledged, sent }
}

/** Asks until the server and its database answer. */
async function ready(client: Client, signal?: AbortSignal): Promise<void> {
  const isWanted = () => signal?.aborted !== true
  while (isWanted()) {
    const answer = await client.ask('GET', '/ready').catch(() => undefined)
    if (answer?.status === 200) return
    await later(20)
  }
}
