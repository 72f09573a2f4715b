/** The genuine CLI's events against our schemas, and the SDK's list of types against ours. */
import assert from 'node:assert/strict'
import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { eventSchemas } from '../../src/format/event.ts'
import { noticeSchemas } from '../../src/format/notice.ts'
import { validateModelContext } from '../support/validate-context.ts'
import type { Checks } from './checks.ts'
import { writeGenuine, writeRarities } from './genuine-session.ts'
import { linesOf, type Line } from './log-lines.ts'
import { listeningAgent, type Place } from './place.ts'
import { driftOf } from './schema-drift.ts'
import { converse } from '../support/engine.ts'

export async function checkDrift({ check, note }: Checks, place: Place): Promise<void> {
  const copilot = await place.copilot()
  await writeGenuine(copilot, place.project)
  const { sessionId, refused } = await writeRarities(copilot, place.project)
  await copilot[Symbol.asyncDispose]()
  const lines = await genuineLines(place)
  const drift = driftOf(lines)

  await check('no event of a known type is refused by our schemas', () => {
    assert.deepEqual([...drift.refused], [])
  })
  await check('every field that the CLI writes is named in our schemas', () => {
    assert.deepEqual([...drift.fields].sort(), [])
  })
  await check("Reprise keeps the words of a sub-agent out of its parent's context", async () => {
    const agent = listeningAgent('heard')
    const engine = place.reprise(agent)
    await converse(engine, sessionId, { prompt: 'After all that.' })
    await engine.stop()
    const context = agent.turns.at(-1)?.context
    assert.ok(context !== undefined && lines.some(({ type }) => type === 'subagent.completed'))
    assert.deepEqual(validateModelContext(context), [])
    const own = lines.filter((line) => line.type === 'system.message' && !('agentId' in line))
    assert.ok(
      own.some(({ data }) => data.content === context.system),
      'the system prompt is not its own',
    )
    const messages = context.messages.filter(
      ({ role, content }) => role === 'user' && content === 'Look around.',
    )
    assert.deepEqual(messages, [])
  })
  await check("every type of the SDK's list is an event or a notice here", async () => {
    const declared = await readFile(place.program.eventTypes, 'utf8')
    const known = new Set([...Object.keys(eventSchemas), ...Object.keys(noticeSchemas)])
    const types = new Set(
      Array.from(declared.matchAll(/^ {4}type: "([\w.]+)";$/gm), ([, type]) => type ?? ''),
    )
    assert.ok(types.size > 100, `only ${types.size} types were found in the SDK`)
    assert.deepEqual(
      [...types.difference(known)].filter((type) => type.includes('.')),
      [],
    )
  })
  note(
    `${lines.length} events of ${new Set(lines.map(({ type }) => type)).size} types were looked at.`,
  )
  if (drift.types.size > 0) note(`Types without a schema: ${[...drift.types].sort().join(', ')}`)
  for (const each of refused) note(`The CLI refused ${each}`)
}

async function genuineLines({ home, logOf }: Place): Promise<Line[]> {
  const lines: Line[] = []
  for (const id of await readdir(join(home, 'session-state'))) {
    if (!id.startsWith('.')) lines.push(...linesOf(await logOf(id)))
  }
  return lines
}
