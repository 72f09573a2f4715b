/** Earlier states of a session and of the project's files. */
import { z } from 'zod'
import type { EventId } from '../../format/ids.ts'
import { changedFile, changes } from '../history/file-changes.ts'
import { fork, type ForkOptions } from '../history/fork.ts'
import { restoreFile } from '../history/restore-file.ts'
import { points, preview, redo, rewind, undo, type RewindOptions } from '../history/rewind.ts'
import { rewoundBranches } from '../history/rewound-branches.ts'
import type { WriterOptions } from '../live/writer.ts'
import { onFresh, onOpen } from './operation.ts'
import { steerable } from './rights.ts'
import { eventId, nothing, path, rewindMode, text, waitMs } from './schemas.ts'

const scope = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.enum(['session', 'fork']) }),
  z.strictObject({ kind: z.enum(['turn', 'rewind']), eventId }),
])

const part = { before: eventId.optional(), rewound: z.int().positive().optional() }
/** Its name travels as `title`, as that of every session does. */
const forkWish = z.codec(
  z.strictObject({ title: text.optional(), before: text.optional(), rewound: part.rewound }),
  z.strictObject({ name: text.optional(), ...part }),
  {
    decode: ({ title: name, ...rest }) => ({ name, ...rest }),
    encode: ({ name: title, ...rest }) => ({ title, ...rest }),
  },
)

export const rewindOperations = {
  rewindPoints: onFresh(
    {
      summary: 'List the messages that can be gone back to, newest first.',
      takes: nothing,
      may: ['owner', 'guest', 'watch', 'steer'],
      where: 'log',
    },
    async (_engine, session) => points(session),
  ),
  previewRewind: onFresh(
    {
      summary: 'Tell what a rewind would take away, and what would become of files.',
      takes: z.strictObject({ eventId }),
      args: ['eventId'],
      ...steerable,
      formerly: 'preview',
    },
    (engine, session, { eventId: event }) => preview(engine, session, event),
  ),
  // The right to write brings what others wrote along.
  rewind: onOpen(
    {
      summary: 'Take an event and all after it away; a redo brings it back.',
      takes: z.strictObject({ eventId, mode: rewindMode, waitMs }),
      args: ['eventId'],
      ...steerable,
    },
    (engine, session, { eventId: event, ...options }: RewindOptions & { eventId: EventId }) =>
      rewind(engine, session, event, options),
  ),
  undo: onFresh(
    {
      summary: 'Take back the last turns, and their files.',
      takes: z.strictObject({
        turns: z.int().min(1).max(10_000).optional(),
        mode: rewindMode,
        waitMs,
      }),
      ...steerable,
    },
    (engine, session, options: RewindOptions & { turns?: number }) =>
      undo(engine, session, options),
  ),
  redo: onOpen(
    {
      summary: 'Bring back what the last rewind took away.',
      takes: z.strictObject({ waitMs }),
      ...steerable,
    },
    (engine, session, options: WriterOptions) => redo(engine, session, options),
  ),
  fork: onFresh(
    { summary: 'Make another session with the same beginning.', takes: forkWish, ...steerable },
    (engine, session, options: ForkOptions) => fork(engine, session, options),
  ),
  rewoundBranches: onFresh(
    {
      summary: 'List what rewinds took away and a fork can bring back, newest first.',
      takes: nothing,
      ...steerable,
      formerly: 'rewound-branches',
    },
    rewoundBranches,
  ),
  changes: onFresh(
    {
      summary: 'List the files that changed, as far as it was recorded.',
      takes: z.strictObject({ scope }),
      args: ['scope'],
      ...steerable,
    },
    (engine, session, { scope: of }) => changes(engine, session, of),
  ),
  changedFile: onFresh(
    {
      summary: 'Read one changed file, before and after.',
      takes: z.strictObject({ scope, path, of: z.enum(['project', 'session']) }),
      args: ['scope'],
      ...steerable,
      formerly: 'changed-file',
    },
    (engine, session, { scope: of, ...file }) => changedFile(engine, session, of, file),
  ),
  /** The conversation goes on. */
  restoreFile: onOpen(
    {
      summary: 'Put one file of the project back to before a turn.',
      takes: z.strictObject({ eventId, path }),
      ...steerable,
      formerly: 'restore-file',
    },
    restoreFile,
  ),
}
