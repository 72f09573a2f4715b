/**
 * The lines of made-up sessions, always the same for the same seed: turns of nine events, as an agent with
 * tools writes them, in one unbroken chain.
 */
import { serialise, type Draft, type Event } from '../src/format/event.ts'
import type { EventId, SessionId } from '../src/format/ids.ts'

export type Shape = {
  readonly turns: number
  /** Average characters of a tool's output, which is most of what real logs hold. */
  readonly toolOutput: number
  /** Average characters of what people and models say. */
  readonly speech: number
}

export type Project = {
  readonly cwd: string
  readonly repository: string
  readonly branch: string
}

export type Seeded = {
  /** From 0 up to and without `limit`, whole. */
  below(limit: number): number
  uuid(): string
  /** Around `average` characters of prose and code, with what JSON has to escape. */
  text(average: number): string
}

const STARTED_AT = Date.UTC(2026, 0, 5, 9)

/** One line an event, with its newline. */
export function* historyLines(
  seeded: Seeded,
  id: SessionId,
  project: Project,
  shape: Shape,
): Generator<string, void, void> {
  let parentId: EventId | null = null
  let time = STARTED_AT + seeded.below(200 * 24 * 3_600_000)
  const line = (draft: Draft): string => {
    time += 200 + seeded.below(4000)
    const event = {
      ...draft,
      id: seeded.uuid() as EventId,
      timestamp: new Date(time).toISOString(),
      parentId,
    } as Event
    parentId = event.id
    return `${serialise(event)}\n`
  }
  yield line({
    type: 'session.start',
    data: {
      sessionId: id,
      version: 1,
      producer: 'reprise',
      copilotVersion: '1.0.48',
      startTime: new Date(time).toISOString(),
      selectedModel: MODEL,
      context: { ...project, gitRoot: project.cwd, hostType: 'github' },
    },
  })
  for (let turn = 0; turn < shape.turns; turn++) {
    for (const draft of turnDrafts(seeded, project, shape)) yield line(draft)
  }
}

const MODEL = 'claude-sonnet-4.5'

/** A question, a model call that uses a tool, and a model call that answers. */
function turnDrafts(seeded: Seeded, project: Project, shape: Shape): Draft[] {
  const interactionId = seeded.uuid()
  const toolCallId = `call_${seeded.uuid().slice(0, 24)}`
  const command = `npm test -- --filter ${seeded.below(1000)}`
  const first = `${interactionId}-0`
  const second = `${interactionId}-1`
  const arguments_ = { command, cwd: project.cwd }
  return [
    { type: 'user.message', data: { content: seeded.text(shape.speech), interactionId } },
    { type: 'assistant.turn_start', data: { turnId: first, interactionId } },
    {
      type: 'assistant.message',
      data: {
        messageId: seeded.uuid(),
        content: seeded.text(shape.speech),
        toolRequests: [{ toolCallId, name: 'bash', arguments: arguments_, type: 'function' }],
        outputTokens: 50 + seeded.below(400),
        interactionId,
      },
    },
    {
      type: 'tool.execution_start',
      data: { toolCallId, toolName: 'bash', arguments: arguments_ },
    },
    {
      type: 'tool.execution_complete',
      data: {
        toolCallId,
        success: true,
        interactionId,
        result: { content: seeded.text(shape.toolOutput) },
      },
    },
    { type: 'assistant.turn_end', data: { turnId: first } },
    { type: 'assistant.turn_start', data: { turnId: second, interactionId } },
    {
      type: 'assistant.message',
      data: {
        messageId: seeded.uuid(),
        content: seeded.text(2 * shape.speech),
        outputTokens: 100 + seeded.below(900),
        interactionId,
      },
    },
    { type: 'assistant.turn_end', data: { turnId: second } },
  ]
}

export function seededBy(seed: number): Seeded {
  const corpus = makeCorpus()
  let state = seed >>> 0
  // Mulberry32: thirty-two bits of state are plenty for data that only has to be varied and repeatable.
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return (mixed ^ (mixed >>> 14)) >>> 0
  }
  const hex = () => next().toString(16).padStart(8, '0')
  return {
    below: (limit) => next() % limit,
    uuid() {
      const [a, b, c, d] = [hex(), hex(), hex(), hex()]
      return `${a}-${b.slice(0, 4)}-4${b.slice(5)}-a${c.slice(1, 4)}-${c.slice(4)}${d}`
    },
    text(average) {
      const length = Math.floor(average / 2) + (next() % (average + 1))
      const start = next() % (corpus.length - length)
      return corpus.slice(start, start + length)
    },
  }
}

function makeCorpus(): string {
  const words = (
    'the session log is read from its end and every turn of it stands where it was written ' +
    'function return const await import export "quoted" \\path\\to `code` {key: value} [1, 2, 3] ' +
    'error warning passed failed expected received naïve café größer 東京 🚀 src/engine/resume.ts:42'
  ).split(' ')
  const parts: string[] = []
  let at = 7
  for (let count = 0; count < 40_000; count++) {
    at = (at * 1_103_515_245 + 12_345) % 2_147_483_648
    parts.push(words[(at >>> 8) % words.length] ?? '', at % 11 === 0 ? '\n' : ' ')
  }
  return parts.join('').toWellFormed()
}
