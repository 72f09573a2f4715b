/** Earlier states of a session on another machine: what changed, rewinding, forking, compacting. */
import type { Session } from '../../engine/session.ts'
import { defined } from '../../lib/defined.ts'
import type { FarLink } from './far-link.ts'

export const farTime = ({ operate, fresh }: FarLink) =>
  ({
    metrics: async () => (await fresh()).metrics(),
    usage: async () => (await fresh()).usage(),
    rewindPoints: async () => (await fresh()).rewindPoints(),
    previewRewind: (eventId) => operate('preview', { eventId }),
    changes: (scope) => operate('changes', { scope }),
    changedFile: (scope, { path, of }) => operate('changed-file', { scope, path, of }),
    restoreFile: ({ eventId, path }) => operate('restore-file', { eventId, path }),
    rewind: (eventId, { mode, waitMs } = {}) =>
      operate('rewind', { eventId, ...defined({ mode, waitMs }) }),
    undo: ({ turns, mode, waitMs } = {}) => operate('undo', defined({ turns, mode, waitMs })),
    redo: ({ waitMs } = {}) => operate('redo', defined({ waitMs })),
    fork: ({ name: title, before, rewound } = {}) =>
      operate('fork', defined({ title, before, rewound })),
    rewoundBranches: () => operate('rewound-branches'),
    compact: ({ instructions, waitMs } = {}) =>
      operate('compact', defined({ instructions, waitMs })),
    editContext: ({ operation, item, waitMs }) =>
      operate('context-edit', { operation, item, ...defined({ waitMs }) }),
    clearContext: (prompt) => operate('clear-context', { prompt }),
    summariseForHandoff: () => operate('handoff-summary'),
  }) satisfies Partial<Session>
