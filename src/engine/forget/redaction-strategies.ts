/**
 * How a text is taken out of each file that can hold words: one entry for every row of the layout that says so, and a
 * row without one does not compile.
 *
 *     lines     JSON, one value a line; a mark as long takes its place, so no offset moves
 *     json      one JSON value, in the same way
 *     stream    told piece by piece: the pieces are joined first, a word may stand across two
 *     bytes     any bytes; a mark as long takes its place
 *     hashed    named by the hash of its bytes: written anew, and what names it names the new one
 *     journal   lines that this home has sealed: sealed again
 *     packs     contents and trees of projects, of all sessions: left out, and seen again
 *     copies    the project as last seen, which is seen again: removed when it holds the text
 *     derived   made again from the rest: removed
 *     database  SQLite of the session: its rows are changed and its pages overwritten
 *     follower  told, and waited for: the index, and what cannot be cleaned beside it
 *     folder    holds files, which have rows of their own
 *     settled   gone before: a session is opened, or its lease held, while it is changed
 *     left      the Copilot CLI's alone: looked into and told of, never changed
 */
import { layout, type TextRow } from '../../format/layout.ts'
import { rowsAt } from '../../format/paths.ts'

export type How =
  | 'lines'
  | 'json'
  | 'stream'
  | 'bytes'
  | 'hashed'
  | 'journal'
  | 'packs'
  | 'copies'
  | 'derived'
  | 'database'
  | 'follower'
  | 'folder'
  | 'settled'
  | 'left'

type Erasers = {
  readonly [Scope in keyof typeof layout]: Readonly<Record<TextRow<Scope>, How>>
}

const erasers: Erasers = {
  home: {
    session: 'folder',
    fork: 'folder',
    importing: 'folder',
    rescued: 'lines',
    claudeStore: 'lines',
    rescuedAbout: 'json',
    trashed: 'folder',
    catalogue: 'derived',
    catalogueRows: 'derived',
    remoteKnown: 'derived',
    store: 'follower',
    brokenStore: 'follower',
    ownStore: 'follower',
    brokenOwnStore: 'follower',
    contents: 'packs',
    tree: 'packs',
    board: 'json',
    proposals: 'json',
    brokenBoard: 'bytes',
    promptHistory: 'lines',
    controlDatabase: 'left',
    flatLog: 'left',
    copilotLogs: 'left',
  },
  session: {
    log: 'lines',
    plan: 'bytes',
    objective: 'bytes',
    files: 'bytes',
    research: 'bytes',
    metadata: 'bytes',
    checkpointIndex: 'bytes',
    checkpoint: 'bytes',
    olderCheckpoint: 'bytes',
    database: 'database',
    notices: 'stream',
    replacing: 'settled',
    unfinished: 'stream',
    request: 'json',
    reply: 'json',
    question: 'json',
    forgetStaged: 'settled',
    rewound: 'lines',
    rewoundCheckpoint: 'bytes',
    rewoundCheckpointIndex: 'bytes',
    blob: 'hashed',
    torn: 'bytes',
    quarantined: 'bytes',
    beforeMend: 'lines',
    mending: 'derived',
    brokenMetadata: 'bytes',
    changes: 'journal',
    content: 'hashed',
    baseline: 'copies',
    pack: 'copies',
    restoreIntent: 'settled',
    foreignIntent: 'bytes',
    clientMetadata: 'json',
    queue: 'json',
    imported: 'json',
    snapshot: 'derived',
    copilotSnapshots: 'left',
  },
  project: { staging: 'settled' },
  cache: { store: 'follower', brokenStore: 'follower', teamStore: 'left' },
  anywhere: { temporary: 'derived' },
}

type Erasure = { readonly how: How; readonly meaning: string }

/** Undefined for a file that cannot hold words, or that is none of ours. */
export function placeOf(path: string): Erasure | undefined {
  const [found] = rowsAt(path)
  if (found?.row.holdsText !== true) return undefined
  const [scope = '', name = ''] = found.name.split('.', 2)
  const how = (erasers as Readonly<Record<string, Readonly<Record<string, How>>>>)[scope]?.[name]
  return how && { how, meaning: found.row.meaning }
}
