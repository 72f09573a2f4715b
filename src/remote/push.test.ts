/** The copy of a log while the log is rewound, redone and gone on with at any moment, and the network breaks off. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asSessionId } from '../format/ids.ts'
import { logPath, sessionDir } from '../format/paths.ts'
import { openMemory } from '../fs/memory.ts'
import type { SessionFs } from '../fs/session-fs.ts'
import { push, type Right } from './push.ts'
import { RemoteError } from './remote-error.ts'
import type { Batch, Claim, Server } from './control-client.ts'

const ID = asSessionId('00000000-0000-4000-8000-000000000001')
const PATH = logPath(sessionDir(ID))
const NEWLINE = 10

/** The same numbers for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) & 0x7fffffff
    return state / 0x7fffffff
  }
}

/** Events of few lengths, so that what comes after a rewind often ends at the same byte as what was there. */
function openLog(fs: SessionFs, random: () => number) {
  let made = 0
  let removed: Uint8Array | undefined
  const bytes = async () => (await fs.read(PATH)) ?? new Uint8Array()
  const change = async (at: number, more: Uint8Array) => {
    const file = await fs.openAppend(PATH)
    await file.truncate(at)
    await file.write([more], at)
    await file.close()
  }
  const add = async (count: number) => {
    for (let left = count; left > 0; left -= 1) {
      const there = Buffer.from(await bytes())
      const lines = there.toString().trimEnd().split('\n').filter(Boolean)
      const parentId = lines.length === 0 ? null : JSON.parse(lines.at(-1) ?? '').id
      made += 1
      const id = `e${String(made).padStart(5, '0')}`
      const type = lines.length === 0 ? 'session.start' : 'user.message'
      const content = 'x'.repeat(Math.floor(random() * 2) * 40)
      const timestamp = '2026-01-01T00:00:00.000Z'
      const event = { type, data: { content }, id, timestamp, parentId }
      await change(there.length, Buffer.from(`${JSON.stringify(event)}\n`))
    }
    removed = undefined
  }
  return {
    bytes,
    add,
    async disturb(): Promise<void> {
      const there = Buffer.from(await bytes())
      const chance = random()
      const ends = [...there.keys()].filter((at) => there[at] === NEWLINE).map((at) => at + 1)
      if (chance < 0.4 && ends.length > 2) {
        const at = ends[1 + Math.floor(random() * (ends.length - 2))] ?? there.length
        removed = there.subarray(at)
        await change(at, new Uint8Array())
        if (random() < 0.6) await add(1 + Math.floor(random() * 4))
      } else if (chance < 0.6 && removed !== undefined) {
        const again = removed
        removed = undefined
        await change(there.length, again)
      } else await add(1 + Math.floor(random() * 3))
    },
  }
}

/** As Mission Control keeps one session; a request may fail before or after it did its work. */
function openCopy(fails: () => 'before' | 'after' | undefined) {
  const generations: string[][] = [[]]
  let epoch = 0
  const idOf = (line: string): string => JSON.parse(line).id
  async function ask<T>(work: () => T): Promise<T> {
    const failing = fails()
    const broken = () => new RemoteError('unreachable', 'cut')
    if (failing === 'before') throw broken()
    const done = work()
    if (failing === 'after') throw broken()
    return done
  }
  const server = {
    url: 'http://copy.example',
    claim: () =>
      ask((): Claim => {
        epoch += 1
        const lines = generations.at(-1) ?? []
        const last = lines.at(-1)
        const lastEventId = last === undefined ? null : idOf(last)
        const generation = generations.length - 1
        return { producer: 'p', epoch, generation, events: lines.length, lastEventId }
      }),
    addGeneration: (_: string, claim: Claim, at: { from: number; events: number }) =>
      ask(() => {
        assert.equal(claim.epoch, epoch)
        assert.ok(at.events <= (generations[at.from]?.length ?? -1), 'behind the end')
        generations.push((generations[at.from] ?? []).slice(0, at.events))
      }),
    append: (_: string, { claim, generation, lines }: Batch) =>
      ask(() => {
        assert.equal(claim.epoch, epoch)
        assert.equal(generation, generations.length - 1)
        const own = generations[generation] ?? []
        for (const each of lines) {
          const line = Buffer.from(each).toString()
          if (!own.some((there) => idOf(there) === idOf(line))) own.push(line)
        }
      }),
    async *events(_: string, generation: number) {
      yield (generations[generation] ?? []).map((line) => JSON.parse(line))
    },
  }
  return { server: server as unknown as Server, lines: () => generations.at(-1) ?? [] }
}

/** Does something before some of the reads of the log. */
const disturbed = (fs: SessionFs, before: () => Promise<void>): SessionFs =>
  Object.assign(Object.create(fs) as SessionFs, {
    openRead: async (path: string) => {
      if (path === PATH) await before()
      const file = await fs.openRead(path)
      return file === undefined || path !== PATH
        ? file
        : {
            size: file.size,
            identity: file.identity,
            close: () => file.close(),
            read: async (target: Uint8Array, position: number) => {
              await before()
              return file.read(target, position)
            },
          }
    },
  })

const redaction = {
  redact: (value: unknown) => ({ value, found: [] }),
  redactText: (text: string) => text,
  policy: 'none',
}

test('whatever happens to the log while it is sent, the copy ends as the log', async () => {
  for (let seed = 1; seed <= 120; seed += 1) {
    const random = randomFrom(seed)
    const fs = openMemory()
    const log = openLog(fs, random)
    await log.add(6)
    let isQuiet = false
    let isBusy = false
    const copy = openCopy(() =>
      isQuiet || random() > 0.1 ? undefined : random() < 0.5 ? 'before' : 'after',
    )
    const between = async () => {
      if (isQuiet || isBusy || random() > 0.08) return
      isBusy = true
      await log.disturb()
      isBusy = false
    }
    const parts = { fs: disturbed(fs, between), server: copy.server, redaction }
    let right: Right | undefined
    for (let round = 0; round < 8; round += 1) {
      try {
        ;({ right } = await push(parts, ID, random() < 0.3 ? undefined : right))
      } catch (cause) {
        if (!(cause instanceof RemoteError)) throw cause
        right = undefined
      }
      if (random() < 0.5) await log.disturb()
    }
    isQuiet = true
    await push(parts, ID, right)
    const text = Buffer.from(await log.bytes())
      .toString()
      .trimEnd()
    assert.equal(copy.lines().join('\n'), text, `seed ${seed}`)
  }
})
