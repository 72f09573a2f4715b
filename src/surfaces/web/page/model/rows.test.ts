import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TranscriptEntry } from '../../../../state/transcript.ts'
import { lastFailure } from './rows.ts'

const at = { at: '2026-01-01T00:00:00.000Z', eventId: 'e' }
const asked = { ...at, kind: 'user', text: 'Build it', attachments: [], isSteering: false }
const entry = (kind: string, topic: string) => ({ ...at, kind, topic, text: 'why' })
const again = (...entries: object[]) =>
  lastFailure([asked, ...entries] as unknown as TranscriptEntry[])?.prompt

test('what failed and a question that was lost can be sent again, until something else was said', () => {
  assert.deepEqual(
    [
      again(entry('error', 'agent')),
      again(entry('warning', 'question_lost'), { ...at, kind: 'resume', eventCount: 1 }),
      again(entry('warning', 'agent')),
      again(entry('warning', 'question_lost'), { ...at, kind: 'assistant', text: 'Done.' }),
    ],
    ['Build it', 'Build it', undefined, undefined],
  )
})
