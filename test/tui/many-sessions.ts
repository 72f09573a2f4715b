/** Many small sessions, written as any writer of the format would. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export function manySessions(folder: string, count: number): void {
  for (let at = 0; at < count; at++) {
    const id = `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`
    const dir = join(folder, id)
    mkdirSync(dir, { recursive: true })
    const timestamp = new Date(Date.UTC(2025, 0, 1) + at * 60_000).toISOString()
    const start = {
      sessionId: id,
      version: 1,
      producer: 'test',
      copilotVersion: '1',
      startTime: timestamp,
    }
    const events = [
      { type: 'session.start', data: start, id: uuid(at, 1), timestamp, parentId: null },
      {
        type: 'user.message',
        data: { content: `session number ${at}` },
        id: uuid(at, 2),
        timestamp,
        parentId: uuid(at, 1),
      },
    ]
    writeFileSync(
      join(dir, 'events.jsonl'),
      events.map((event) => `${JSON.stringify(event)}\n`).join(''),
    )
  }
}

const uuid = (session: number, event: number): string =>
  `${String(session).padStart(8, '0')}-0000-4000-9000-${String(event).padStart(12, '0')}`
