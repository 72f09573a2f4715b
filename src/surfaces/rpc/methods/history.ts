/** What was said: compacted for the model, rewound for everybody. */
import { z } from 'zod'
import { EngineError } from '../../../engine/errors.ts'
import type { RewindMode } from '../../../engine/history/rewind.ts'
import { asEventId } from '../../../format/ids.ts'
import { defined } from '../../../lib/defined.ts'
import type { HostedSession } from '../hosted-session.ts'
import { passOn, sessionMethod, type Methods } from '../method.ts'
import { take } from './session-turns.ts'

const eventId = z.string().min(1).transform(asEventId)
/** Previews cost a look at files; older turns are seldom what a person goes back to. */
const MAX_PREVIEWS = 50

export const historyMethods: Methods = {
  'session.history.compact': sessionMethod(
    'Puts a summary in the place of earlier messages, for the model only.',
    { customInstructions: z.string().optional() },
    async (session, { customInstructions: instructions }) => {
      const { ops } = session
      await session.agent.ready()
      const done = await ops.compact({ ...defined({ instructions }) })
      return {
        success: true,
        tokensRemoved: Math.max(0, done.tokensBefore - done.tokensAfter),
        messagesRemoved: done.messagesRemoved,
        summaryContent: await ops.readCheckpoint(done.checkpointNumber),
      }
    },
  ),
  'session.history.truncate': passOn('rewind', {
    summary: 'Removes an event and all after it. No file is touched.',
    takes: { eventId },
    to: ({ eventId: event }) => [event, { mode: 'conversation' }],
    from: ({ eventsRemoved, eventsKept }) => ({ eventsRemoved, eventsKept }),
  }),
  'session.history.listRewindPoints': sessionMethod(
    'Messages that can be gone back to, oldest first.',
    async ({ ops, sessionParts: { trackFiles = false } }) => {
      const points = (await ops.rewindPoints()).toReversed()
      const first = trackFiles ? points.length - MAX_PREVIEWS : Infinity
      return {
        fileChangeTrackingEnabled: trackFiles,
        points: await Promise.all(
          points.map(async (point, at) => {
            const { files } = at < first ? NONE : await ops.previewRewind(point.eventId)
            return {
              eventId: point.eventId,
              userMessage: point.preview,
              timestamp: point.at,
              canRestoreFiles: files.some(({ verdict }) => verdict === 'restore'),
              fileCount: files.length,
              turnChangedFiles: files.length > 0,
              linesAdded: sum(files.map(({ linesAdded }) => linesAdded)),
              linesRemoved: sum(files.map(({ linesRemoved }) => linesRemoved)),
              isAutopilotContinuation: false,
            }
          }),
        ),
      }
    },
  ),
  'session.history.previewRewind': sessionMethod(
    'What would become of files.',
    { eventId },
    async ({ ops, sessionParts: { trackFiles = false } }, { eventId: event }) => {
      if (ops.now?.isRunning === true) return unavailable('session-busy')
      if (!trackFiles) return unavailable('file-change-tracking-disabled')
      const { files } = await ops.previewRewind(event)
      return {
        available: true,
        fileCount: files.length,
        files: files.map(({ absolutePath, change, linesAdded, linesRemoved }) => ({
          path: absolutePath,
          changeType: change,
          linesAdded,
          linesRemoved,
        })),
      }
    },
  ),
  'session.history.rewind': sessionMethod(
    'Goes back to before a message, with files or without. Nothing is lost: a redo brings it back.',
    { eventId, mode: z.enum(['conversation', 'conversation-and-files']) },
    async (session, { eventId: event, mode }) => rewound(session, event, mode),
  ),
  'session.history.redo': passOn('redo', {
    summary: 'Brings back what the last rewind removed. Of Reprise alone.',
    from: ({ eventsRestored, restoredFiles, skippedFiles }) => ({
      eventsRestored,
      restoredFiles,
      skippedFiles,
    }),
  }),
  'session.history.cancelBackgroundCompaction': sessionMethod(
    'A compaction that runs is not stopped: it harms nothing, and its end is told.',
    () => ({ cancelled: false }),
  ),
  'session.history.abortManualCompaction': sessionMethod(
    'A compaction that runs is not stopped: it harms nothing, and its end is told.',
    () => ({ aborted: false }),
  ),
  'session.history.summarizeForHandoff': passOn('summariseForHandoff', {
    summary: 'What a person who goes on elsewhere should know.',
    needsAgent: true,
    from: (summary) => ({ summary }),
  }),
  'session.history.clearContext': sessionMethod(
    'Lets the model begin anew with one message; after the turn, when one runs.',
    { prompt: z.string().min(1) },
    async (session, { prompt }) => clear(session, prompt),
  ),
}

const unavailable = (reason: string) => ({ available: false, reason, fileCount: 0, files: [] })
const NONE = { files: [] } as const
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

async function rewound(
  { ops, sessionParts: { trackFiles = false } }: HostedSession,
  event: ReturnType<typeof asEventId>,
  mode: RewindMode,
): Promise<Readonly<Record<string, unknown>>> {
  const nothing = { restoredFiles: [], skippedFiles: [] }
  if (mode === 'conversation-and-files' && !trackFiles)
    return { outcome: 'file-change-tracking-disabled', ...nothing }
  if (ops.now?.isRunning === true) return { outcome: 'session-busy', ...nothing }
  try {
    const { eventsRemoved, eventsKept, ...files } = await ops.rewind(event, { mode })
    const { restoredFiles, skippedFiles } = files
    return { outcome: 'success', eventsRemoved, eventsKept, restoredFiles, skippedFiles }
  } catch (error) {
    if (error instanceof EngineError && ['busy', 'in_use'].includes(error.code))
      return { outcome: 'session-busy', error: error.message, ...nothing }
    throw error
  }
}

async function clear(session: HostedSession, prompt: string): Promise<{ messagesCleared: number }> {
  const { ops } = session
  if (ops.now?.isRunning !== true) {
    const messagesCleared = await ops.clearContext(prompt)
    await take(session, { prompt }, {})
    return { messagesCleared }
  }
  const { messages } = await ops.contextSize()
  session.onIdle.add(() => {
    void ops
      .clearContext(prompt)
      .then(() => take(session, { prompt }, {}))
      .catch(() => {}) // told in the feed
  })
  return { messagesCleared: messages }
}
