/** A log may hold any event that our schemas allow: the genuine CLI must still open it. */
import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { exampleOf } from '../../scripts/format-examples.ts'
import { eventSchemas, serialise, type Event, type EventType } from '../../src/format/event.ts'
import type { Checks } from './checks.ts'
import type { Copilot } from './copilot.ts'
import type { Place } from './place.ts'

/** These name content that the CLI looks up elsewhere; a log of its own has it, an example has not. */
const NEEDS_CONTENT = ['skill.invoked_ref', 'skill.context_delivered_ref']

export async function checkEveryType({ check, note }: Checks, place: Place): Promise<void> {
  const copilot = await place.copilot()
  const types = (Object.keys(eventSchemas) as EventType[]).filter(
    (type) => type !== 'session.start' && !NEEDS_CONTENT.includes(type),
  )
  const refused: string[] = []
  const dropped: string[] = []
  for (const type of types) {
    const outcome = await open(copilot, place, type, exampleOf(type))
    if (outcome === 'dropped') dropped.push(type)
    else if (outcome !== 'told') refused.push(`${type}: ${outcome}`)
  }
  await check(`the CLI opens a log with an event of any of ${types.length} types`, () => {
    assert.deepEqual(refused, [])
  })
  if (dropped.length > 0) note(`Opened, but not told to clients by the CLI: ${dropped.join(', ')}`)
  await copilot[Symbol.asyncDispose]()
}

async function open(copilot: Copilot, place: Place, type: string, data: unknown): Promise<string> {
  const id = crypto.randomUUID()
  await writeLog(place.sessionDir(id), [
    [
      'session.start',
      { sessionId: id, version: 1, producer: 'reprise', copilotVersion: '0', startTime: NOW },
    ],
    ['user.message', { content: 'Hello.' }],
    ['assistant.message', { messageId: crypto.randomUUID(), content: 'Hello.' }],
    [type, data],
  ])
  try {
    await copilot.resume(id, place.project)
    const { events } = await copilot.request<{ events: { type: string }[] }>(
      'session.getMessages',
      {
        sessionId: id,
      },
    )
    return events.some((event) => event.type === type) ? 'told' : 'dropped'
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

const NOW = '2026-03-02T09:30:00.000Z'

async function writeLog(
  dir: string,
  drafts: readonly (readonly [string, unknown])[],
): Promise<void> {
  let parentId: string | null = null
  let log = ''
  for (const [type, data] of drafts) {
    const id: string = crypto.randomUUID()
    log += `${serialise({ type, data, id, timestamp: NOW, parentId } as Event)}\n`
    parentId = id
  }
  await mkdir(dir, { recursive: true })
  await writeFile(join(dir, 'events.jsonl'), log)
}
