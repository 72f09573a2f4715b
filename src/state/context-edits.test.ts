import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Draft } from '../format/event.ts'
import { answered, eventId, gave, logOf, ran, said, started } from '../../test/log-of.ts'
import { omission, restoration } from './context-edits.ts'
import { createContextFolder, projectModelContext } from './context-folder.ts'
import { createItemsFolder } from './context-items.ts'
import type { ModelMessage } from './model-context.ts'

const talk = [
  started(),
  said('first'),
  answered('let me see', 'a'),
  ran('a'),
  gave('a', 'a long output'),
  answered('seen'),
  said('second'),
  answered('done'),
]
const compaction: readonly Draft[] = [
  { type: 'session.compaction_start', data: {} },
  { type: 'session.compaction_complete', data: { success: true, summaryContent: 'what was' } },
]

/** The message that the event with this number said. */
function spokenBy(drafts: readonly Draft[], number: number): ModelMessage {
  const folder = createItemsFolder(eventId(number))
  for (const record of logOf([...drafts])) folder.push(record)
  const message = folder.message(eventId(number))
  if (message === undefined) throw new Error(`event ${number} said nothing`)
  return message
}

const briefly = (drafts: readonly Draft[]) =>
  projectModelContext(logOf([...drafts])).messages.map(({ role, content }) => `${role}: ${content}`)

const omit = (number: number) => omission(spokenBy(talk, number))

describe('what people change in the context', () => {
  it('a message that is left out is not given, and what is around it is', () => {
    assert.deepEqual(briefly([...talk, omit(2)]), [
      'user: [What was said before this is not part of this conversation.]',
      'assistant: let me see',
      'tool: a long output',
      'assistant: seen',
      'user: second',
      'assistant: done',
    ])
  })

  it('a result that is left out leaves a mark in its place: its call stays answered', () => {
    assert.deepEqual(briefly([...talk, omit(5)]).slice(1, 3), [
      'assistant: let me see',
      'tool: (The user left this result out of the context.)',
    ])
  })

  it('an answer that is left out takes the results of its calls along', () => {
    assert.deepEqual(briefly([...talk, omit(3)]), [
      'user: first',
      'assistant: seen',
      'user: second',
      'assistant: done',
    ])
  })

  it('what was left out and is wanted again stands where it stood', () => {
    const again = restoration(spokenBy(talk, 5), { isHeld: true })
    assert.deepEqual(briefly([...talk, omit(5), again]), briefly(talk))
  })

  it('what a summary took the place of comes back as a quote, behind all that was said', () => {
    const drafts = [...talk, ...compaction, said('third'), answered('yes')]
    const message = spokenBy(drafts, 5)
    const now = briefly([...drafts, restoration(message, { isHeld: false })])
    assert.equal(now.length, 3)
    assert.match(now[0] ?? '', /what was[^]*third$/)
    assert.match(
      now[2] ?? '',
      /^user: This was said earlier[^]*<brought_back by="a tool">\na long output\n<\/brought_back>$/,
    )
  })

  it('a summary can be left out as well', () => {
    const drafts = [...talk, ...compaction, said('third')]
    const summary = spokenBy(drafts, 10)
    assert.match(summary.content, /what was/)
    assert.deepEqual(briefly([...drafts, omission(summary)]), ['user: third'])
  })

  it('reading from the last compaction gives what reading from the start does', () => {
    const message = spokenBy([...talk, ...compaction], 3)
    const drafts = [
      ...talk,
      omit(5),
      ...compaction,
      said('third'),
      answered('yes'),
      restoration(message, { isHeld: false }),
      said('fourth'),
    ]
    const records = logOf(drafts)
    const late = createContextFolder()
    for (const record of records.slice(9)) late.push(record)
    assert.deepEqual(late.context().messages, projectModelContext(records).messages)
  })

  it('items are listed with their turn, and why one is not given', () => {
    const folder = createItemsFolder()
    for (const record of logOf([...talk, omit(5), ...compaction, said('third'), answered('yes')]))
      folder.push(record)
    const shown = folder.items(eventId(13))?.items ?? []
    assert.deepEqual(
      shown.map(
        ({ kind, what, turn, status }) => `${turn} ${kind} ${status}: ${what.slice(0, 12)}`,
      ),
      [
        '1 message compacted: first',
        '1 answer compacted: let me see ·',
        '1 result compacted: bash: a long',
        '1 answer compacted: seen',
        '2 message compacted: second',
        '2 answer compacted: done',
        '2 summary given: The earlier ',
        '3 message given: third',
      ],
    )
  })
})
