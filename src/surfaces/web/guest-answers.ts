/**
 * What a guest is told of the session. Only what is named here, so that nothing of the machine or of other sessions
 * comes along; and no text that was cut before its secrets were taken out: half a secret looks like none.
 */
import type { Engine } from '../../engine/engine.ts'
import type { EventId, SessionId } from '../../format/ids.ts'
import { preview } from '../../state/preview.ts'
import { initialState } from '../../state/session-state.ts'
import type * as api from './api.ts'
import { titleOf } from './export.ts'
import { defined } from '../../lib/defined.ts'
import type { Web } from './route.ts'

type Parts = Pick<Web, 'engine' | 'redact'>

export async function sessionForGuest(
  { engine, redact }: Parts,
  { metadata, state, usage, dollars, status, answers }: api.SessionAnswer,
): Promise<api.SessionAnswer> {
  const title = await titleOf(engine, redact, metadata)
  const { id, userNamed, repository, branch, createdAt, modifiedAt, turns } = metadata
  const { checkpoints, forkCount, bytes, folderBytes, rewound } = metadata
  const { eventCount, size, mode, turnCount, lastEventId, model, reasoningEffort } = state
  return {
    metadata: {
      ...defined({ id, name: title, userNamed, summary: title, repository, branch, turns }),
      createdAt,
      modifiedAt,
      checkpoints,
      forkCount,
      bytes,
      folderBytes,
      rewound,
    },
    state: {
      ...initialState,
      ...defined({ eventCount, size, mode, turnCount, lastEventId, model, reasoningEffort }),
    },
    usage,
    dollars,
    status,
    answers,
    // What waits to be sent or answered is between the owner and the agent.
    queue: [],
    isQueueHeld: false,
    requests: [],
    questions: [],
  }
}

/** A prompt never changes, so each is looked for once. */
const previews = new WeakMap<Engine, Map<string, string>>()
const MOST_PREVIEWS = 100_000
const PAGE = 1000

export async function turnsForGuest(
  { engine, redact }: Parts,
  id: SessionId,
): Promise<api.TurnsAnswer> {
  const turns = await (await engine.open(id)).rewindPoints()
  let known = previews.get(engine)
  if (known === undefined || known.size > MOST_PREVIEWS)
    previews.set(engine, (known = new Map<string, string>()))
  const keyOf = (eventId: EventId) => `${id} ${eventId}`
  const missing = new Set(
    turns.map(({ eventId }) => eventId).filter((each) => !known.has(keyOf(each))),
  )
  for await (const { eventId, prompt } of promptsBackward(engine, id)) {
    if (missing.delete(eventId)) known.set(keyOf(eventId), preview(await redact(prompt)))
    if (missing.size === 0) break
  }
  return {
    turns: turns.map((turn) => ({ ...turn, preview: known.get(keyOf(turn.eventId)) ?? '' })),
  }
}

async function* promptsBackward(engine: Engine, id: SessionId) {
  for (let cursor: EventId | undefined, more = true; more;) {
    const page = await (
      await engine.open(id)
    ).events({
      direction: 'backward',
      limit: PAGE,
      ...defined({ cursor }),
    })
    for (const event of page.events)
      if (!('stranger' in event) && event.type === 'user.message')
        yield { eventId: event.id, prompt: event.data.content }
    cursor = page.events.at(-1)?.id
    more = page.more
  }
}

/** A title is the beginning of its text: where the text has a secret, the title may have half of it. */
export async function checkpointsForGuest(
  { engine, redact }: Parts,
  id: SessionId,
  { checkpoints }: api.CheckpointsAnswer,
): Promise<api.CheckpointsAnswer> {
  const told = checkpoints.map(async ({ number, title }) => {
    const text = await (await engine.open(id)).readCheckpoint(number)
    return { number, title: (await redact(text)) === text ? title : `Checkpoint ${number}` }
  })
  return { checkpoints: await Promise.all(told) }
}
