/**
 * Sessions that are exported over a network that breaks off again and again, while machine and server are killed in between
 * and the log is rewound, redone and forked. In the end each copy equals, byte for byte, the log after redaction, contents
 * beside it included. Real processes: the built program on both sides.
 */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { redactionKey } from '../../src/engine/forget/record.ts'
import { asSessionId } from '../../src/format/ids.ts'
import { logPath, sessionDir } from '../../src/format/paths.ts'
import { openDisk } from '../../src/fs/disk.ts'
import { createRedactor } from '../../src/lib/redact/redact.ts'
import { linesOf } from '../../src/remote/lines.ts'
import { makeToken, serveProgram } from '../control/program.ts'
import { makePlace, type Place } from '../e2e/cli.ts'
import { openHeldProxy } from '../support/held-proxy.ts'

type Rounds = {
  /** So often an open connection is broken off, at least, while there is time. */
  readonly cuts: number
  readonly random: () => number
  readonly hasTime?: () => boolean
}

export type Survived = {
  readonly cuts: number
  readonly machineKills: number
  readonly serverKills: number
  readonly sessions: number
  readonly events: number
  readonly blobs: number
}

const SECRET = `gh${'p'}_${'a1B2c3D4e5F6'.repeat(3)}`

/** Fails when a copy differs from its log. */
export async function cutRounds({ cuts, random, hasTime = () => true }: Rounds): Promise<Survived> {
  const folder = mkdtempSync(join(tmpdir(), 'reprise-cuts-'))
  const env = { ...process.env, REPRISE_HOME: folder, NODE_NO_WARNINGS: '1' }
  const where = ['--data', join(folder, 'data')]
  using place = makePlace()
  await using proxy = await openHeldProxy()
  const url = `http://127.0.0.1:${proxy.port}`
  const port = await freePort()
  const serve = () => serveProgram([...where, '--url', url], env, port)
  let server = await serve()
  try {
    proxy.lead(port)
    const token = await makeToken(where, env)
    await ok(place, 'remote', 'login', url, '--token', token)
    await ok(place, 'config', 'set', 'control.mode', 'export')
    const counts = { cuts: 0, machineKills: 0, serverKills: 0 }
    const ids: string[] = [crypto.randomUUID(), crypto.randomUUID()]
    const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T
    for (let turn = 0; counts.cuts < cuts && hasTime(); turn += 1) {
      const id = ids[turn % ids.length] ?? ''
      const child = place.start(deedOf(id, turn, random))
      child.stdin?.end()
      child.stdout?.resume()
      child.stderr?.resume()
      const ended = once(child, 'exit')
      while (child.exitCode === null && child.signalCode === null) {
        await Promise.race([ended, sleep(5 + random() * 120)])
        counts.cuts += proxy.cut()
        if (turn >= ids.length && random() < 0.01) {
          child.kill('SIGKILL')
          counts.machineKills += 1
        }
      }
      if (random() < 0.1) {
        await server.kill()
        counts.serverKills += 1
        server = await serve()
      }
      const forks = readdirSync(join(place.home, 'session-state')).filter(
        (each) => !ids.includes(each),
      )
      if (turn % 10 === 9 && forks.length > 0 && ids.length < 4) ids.push(pick(forks))
    }
    await settle(place)
    return { ...counts, ...(await compareAll(place, url, token)) }
  } finally {
    await server.kill()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** What a person does in between: mostly goes on, sometimes takes back, redoes or forks. */
function deedOf(id: string, turn: number, random: () => number): readonly string[] {
  const chance = random()
  if (turn > 3 && chance < 0.12) return ['sessions', 'undo', id]
  if (turn > 3 && chance < 0.2) return ['sessions', 'redo', id]
  if (turn > 3 && chance < 0.24) return ['sessions', 'fork', id]
  const prompt =
    chance < 0.5
      ? `turn ${turn}: the token is ${SECRET} ${'x'.repeat(random() * 50_000)}`
      : `run seq 1 ${Math.floor(random() * 30_000)}; echo ${SECRET}`
  return ['--resume', id, '--allow-all', '-p', prompt]
}

/** Nothing is cut any more: one sync brings everything, or says what it cannot. */
async function settle(place: Place): Promise<void> {
  const { code, stdout, stderr } = await place.run(['sync'])
  assert.equal(code, 0, `${stdout}${stderr}`)
}

async function compareAll(place: Place, url: string, token: string) {
  const fs = openDisk(place.home)
  const redactor = createRedactor({ key: await redactionKey(fs) })
  const redaction = {
    redact: (value: unknown) => redactor.redactJson(value),
    redactText: (text: string) => redactor.redactText(text).text,
    policy: redactor.policy,
  }
  const ask = async (path: string): Promise<Response> => {
    const response = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${token}` } })
    assert.equal(response.status, 200, `${path}: ${response.status}`)
    return response
  }
  const found = { sessions: 0, events: 0, blobs: 0 }
  for (const name of readdirSync(join(place.home, 'session-state'))) {
    const id = asSessionId(name)
    const dir = sessionDir(id)
    const { size = 0 } = (await fs.stat(logPath(dir))) ?? {}
    const lines: string[] = []
    for await (const batch of linesOf({ fs, ...redaction }, dir, {
      from: 0,
      to: size,
      given: new Map(),
    })) {
      lines.push(...batch.lines.map((line) => Buffer.from(line).toString()))
      for (const { hash, bytes } of batch.blobs) {
        const there = await (await ask(`/api/sessions/${id}/blobs/${hash}`)).arrayBuffer()
        assert.ok(Buffer.from(there).equals(Buffer.from(bytes)), `blob ${hash}`)
        found.blobs += 1
      }
    }
    const told = (await (await ask(`/api/sessions/${id}`)).json()) as {
      stream: string
      redaction: unknown
    }
    assert.equal(firstDifference(await copyText(ask, told.stream), lines.join('\n')), '', id)
    assert.ok(JSON.stringify(told.redaction).includes(redaction.policy), 'the policy is recorded')
    assert.ok(!lines.join('').includes(SECRET), 'no secret left the machine')
    found.sessions += 1
    found.events += lines.length
  }
  return found
}

/** In a few words: a whole log is too much to be compared line by line when it fails. */
function firstDifference(copy: string, log: string): string {
  if (copy === log) return ''
  const [there, here] = [copy.split('\n'), log.split('\n')]
  const at = here.findIndex((line, index) => line !== there[index])
  const shown = (line = '') => `${line.length} ${line.slice(0, 300)} … ${line.slice(-300)}`
  return `${there.length} records there, ${here.length} here; at ${at}: ${shown(there[at])} | ${shown(here[at])}`
}

/** The records as the server has them, each on a line, byte for byte. */
async function copyText(ask: (path: string) => Promise<Response>, stream: string): Promise<string> {
  let offset = '-1'
  const pages: string[] = []
  for (;;) {
    const response = await ask(`${stream}?offset=${offset}`)
    pages.push(...recordsIn(await response.text()))
    offset = response.headers.get('stream-next-offset') ?? offset
    if (response.headers.get('stream-up-to-date') === 'true') return pages.join('\n')
  }
}

/** The elements of an array of JSON, as they are written. */
function recordsIn(text: string): string[] {
  const found: string[] = []
  let depth = 0
  let isText = false
  let start = 1
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at]
    if (isText) {
      if (sign === '\\') at += 1
      else if (sign === '"') isText = false
    } else if (sign === '"') isText = true
    else if (sign === '{' || sign === '[') depth += 1
    else if (sign === '}' || sign === ']') depth -= 1
    const isEnd = depth === 0 && sign === ']'
    if (!isText && ((depth === 1 && sign === ',') || isEnd)) {
      if (at > start) found.push(text.slice(start, at))
      start = at + 1
    }
  }
  return found
}

async function ok(place: Place, ...args: readonly string[]): Promise<void> {
  const { code, stderr } = await place.run(args)
  assert.equal(code, 0, `reprise ${args.join(' ')}: ${stderr}`)
}
