import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { recognise, type Draft } from '../../src/format/event.ts'
import { composeSummary } from '../../src/state/compaction.ts'
import { pointOf, restore } from '../../src/state/fold-points.ts'
import { projectModelContext } from '../../src/state/context-folder.ts'
import type { Placed } from '../../src/state/positioned-event.ts'
import { settleInterrupted } from '../../src/state/repair.ts'
import { createFolder } from '../../src/state/fold.ts'
import { evolve } from '../support/evolve.ts'
import { initialState, type SessionState } from '../../src/state/session-state.ts'
import { toMarkdown } from '../../src/state/transcript-markdown.ts'
import { createTranscriptFolder, projectTranscript } from '../../src/state/transcript-folder.ts'
import { rewindPoints } from '../../src/state/turns.ts'
import { validateModelContext } from '../support/validate-context.ts'
import { anyHistories, histories } from '../histories.ts'
import { logOf } from '../log-of.ts'

const all = fc.oneof(histories, anyHistories)
const holds = (law: (log: Placed[]) => void, numRuns = 150) =>
  fc.assert(fc.property(all, law), { numRuns })

const fold = (log: readonly Placed[], from?: SessionState) => {
  const folder = createFolder(from)
  for (const record of log) folder.push(record)
  return folder.state()
}

/** The log with more events at its end. */
function extended(log: readonly Placed[], drafts: readonly Draft[]): Placed[] {
  const end = log.at(-1)?.end ?? 0
  return logOf(drafts).map(({ event, ...place }) => ({
    event,
    start: place.start + end,
    end: place.end + end,
  }))
}

describe('any history', () => {
  it('is made of events that the reader recognises', () => {
    holds((log) => {
      for (const { event } of log) {
        if ('stranger' in event) continue
        const told = recognise(event)
        assert.equal(told.kind, 'event', `${event.type} ${'reason' in told ? told.reason : ''}`)
      }
    })
  })

  it('folds to the same state one by one, at once, and from any snapshot of it', () => {
    holds((log) => {
      const whole = fold(log)
      assert.deepEqual(log.reduce(evolve, initialState), whole)
      const half = log.length >> 1
      const snapshot = JSON.parse(JSON.stringify(fold(log.slice(0, half)))) as SessionState
      assert.deepEqual(fold(log.slice(half), snapshot), whole)
    })
  })

  it('has a state that survives JSON', () => {
    holds((log) => {
      const state = fold(log)
      assert.deepEqual(JSON.parse(JSON.stringify(state)), state)
    })
  })

  it('never changes a state that was given out', () => {
    holds((log) => {
      const folder = createFolder()
      const given: { state: SessionState; text: string }[] = []
      for (const record of log) {
        folder.push(record)
        const state = folder.state()
        given.push({ state, text: JSON.stringify(state) })
      }
      for (const { state, text } of given) assert.equal(JSON.stringify(state), text)
    })
  })

  it('can be taken back to any earlier place from its fold point', () => {
    holds((log) => {
      const whole = fold(log)
      const half = fold(log.slice(0, log.length >> 1))
      assert.deepEqual(restore(pointOf(half), whole), half)
    })
  })

  it('gives every provider a valid model context, wherever it stops', () => {
    holds((log) => {
      for (let count = 0; count <= log.length; count++) {
        const context = projectModelContext(log.slice(0, count))
        assert.deepEqual(validateModelContext(context), [])
      }
    }, 80)
  })

  it('never gives stored reasoning to the model', () => {
    holds((log) => {
      assert.ok(!JSON.stringify(projectModelContext(log)).includes('SECRET THOUGHT'))
    })
  })

  it('gives the same messages from the start of the log and from where the context begins', () => {
    holds((log) => {
      const { contextFrom } = fold(log)
      const tail = log.filter(({ start }) => start >= contextFrom)
      assert.deepEqual(projectModelContext(tail).messages, projectModelContext(log).messages)
    }, 400)
  })

  it('has nothing open once interrupted work is settled', () => {
    holds((log) => {
      const state = fold(log)
      const settled = fold(extended(log, settleInterrupted(state)), state)
      assert.deepEqual(
        { tools: settled.pendingTools, requests: settled.openRequests, turns: settled.openTurns },
        { tools: [], requests: [], turns: [] },
      )
    })
  })

  it('settles in events that the reader recognises', () => {
    holds((log) => {
      for (const { event } of extended(log, settleInterrupted(fold(log)))) {
        assert.equal(recognise(event).kind, 'event')
      }
    })
  })

  it('is covered by its turns, from the first message to the end', () => {
    holds((log) => {
      const state = fold(log)
      const turns = rewindPoints(state).reverse()
      for (const [index, { end }] of turns.entries()) {
        assert.equal(end, turns[index + 1]?.start ?? state.size)
      }
      const before =
        turns[0] === undefined
          ? log.length
          : log.findIndex(({ start }) => start === turns[0]?.start)
      assert.equal(
        turns.reduce((sum, turn) => sum + turn.events, before),
        log.length,
      )
    })
  })

  it('reads the same whether its transcript is taken at once or as it is finished', () => {
    holds((log) => {
      const whole = projectTranscript(log)
      const folder = createTranscriptFolder()
      const taken = log.flatMap((record) => {
        folder.push(record)
        return folder.finished()
      })
      assert.deepEqual([...taken, ...folder.rest()], whole)
    })
  })

  it('reads the same when it goes on with a transcript that was taken at any place', () => {
    holds((log) => {
      const whole = projectTranscript(log)
      for (let cut = 0; cut <= log.length; cut++) {
        const folder = createTranscriptFolder(projectTranscript(log.slice(0, cut)))
        for (const record of log.slice(cut)) folder.push(record)
        assert.deepEqual(folder.entries(), whole)
      }
    })
  })

  it('prints as Markdown without control characters', () => {
    holds((log) => {
      const text = toMarkdown(projectTranscript(log))
      assert.doesNotMatch(
        text.replaceAll('\n', '').replaceAll('\t', ''),
        /\p{Cc}|\p{Bidi_Control}/u,
      )
      assert.ok(text.isWellFormed())
    })
  })

  it('is summarised in at most 16 KiB', () => {
    holds((log) => {
      const many = [...log, ...log, ...log]
      assert.ok(Buffer.byteLength(composeSummary(many)) <= 16 * 1024)
    })
  })
})
