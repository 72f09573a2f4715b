import assert from 'node:assert/strict'
import { cpSync, mkdirSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { recognise } from '../../src/format/event.ts'
import { projectTranscript } from '../../src/state/transcript-folder.ts'
import type { Placed } from '../../src/state/positioned-event.ts'
import { openPlace } from './place.ts'

const cases = join(import.meta.dirname, '../golden/v1')

describe('a golden session that is loaded', () => {
  for (const name of readdirSync(cases).sort()) {
    it(`tells ${name} as it reads, every tool settled, in the words of the schema`, async () => {
      await using place = await openPlace()
      const log = join(cases, name, 'events.jsonl')
      const records = readFileSync(log, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line, index): Placed => {
          const found = recognise(JSON.parse(line))
          if (found.kind === 'damage') throw new Error(found.reason)
          return { event: found.event, start: index, end: index + 1 }
        })
      const start = records[0]!.event as { data: { sessionId: string } }
      const { sessionId } = start.data
      const folder = join(place.home.path, 'session-state', sessionId)
      mkdirSync(folder, { recursive: true })
      cpSync(log, join(folder, 'events.jsonl'))

      const client = await place.connect({ session: { compaction: {}, notices: {} } })
      await client.request('session/load', { sessionId, cwd: '/', mcpServers: [] })
      assert.equal(client.order.at(-1), 'answer to session/load')
      assert.deepEqual(client.faults, [])

      const told = client.updates.flatMap(({ sessionUpdate, content }) =>
        sessionUpdate === 'user_message_chunk' || sessionUpdate === 'agent_message_chunk'
          ? [(content as { text?: string }).text ?? '']
          : [],
      )
      const read = projectTranscript(records).flatMap((entry) =>
        (entry.kind === 'user' || entry.kind === 'assistant') && entry.agentId === undefined
          ? [entry.text]
          : [],
      )
      assert.deepEqual(
        told.filter((each) => read.includes(each)),
        read,
      )

      const status = new Map<unknown, unknown>()
      for (const update of client.updates) {
        if (update.sessionUpdate.startsWith('tool_call'))
          status.set(update['toolCallId'], update['status'])
        assert.notEqual(update.sessionUpdate, 'agent_thought_chunk')
        assert.notEqual(update.sessionUpdate, 'notice')
      }
      const open = [...status].filter(([, each]) => each !== 'completed' && each !== 'failed')
      assert.deepEqual(open, [])
    })
  }
})
