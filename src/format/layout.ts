/**
 * Every path that is written, once: what lies in a home, in the folder of a session, in a project while its files are
 * restored, and in the user's cache folder. Whatever builds or reads such a path does it by this table (paths.ts), and
 * whatever walks over all that is kept walks over it. docs/format.md §2 is generated from it. It is long because it is
 * one table with a row for each path.
 *
 * In a path, `<name>` is a part that varies (`parts` says how), `[a|b]` may be missing or be one of these, and a `/` at
 * the end is a folder that holds a whole session.
 */

/**
 * `truth` cannot be made again. `derived` can, from the truth. `aside` is no part of a session any more, or never was,
 * and is kept for a person or a redo. `momentary` means nothing once the processes that wrote it have ended.
 */
type Kind = 'truth' | 'derived' | 'aside' | 'momentary'

/** `both`: in the Copilot CLI's format, read and written by it and by us. */
type Whose = 'ours' | 'copilot' | 'both'

export type LayoutRow<Path extends string = string, Holds extends boolean = boolean> = {
  readonly path: Path
  readonly kind: Kind
  /** Whether words of people, of models or of their projects can stand in it. */
  readonly holdsText: Holds
  readonly whose: Whose
  readonly meaning: string
}

const row =
  <const Holds extends boolean>(kind: Kind, holdsText: Holds) =>
  <const Path extends string>(
    path: Path,
    meaning: string,
    whose: Whose = 'ours',
  ): LayoutRow<Path, Holds> => ({ path, kind, holdsText, whose, meaning })

const text = {
  truth: row('truth', true),
  derived: row('derived', true),
  aside: row('aside', true),
  momentary: row('momentary', true),
}
const bare = {
  truth: row('truth', false),
  derived: row('derived', false),
  aside: row('aside', false),
  momentary: row('momentary', false),
}

/** Below the home. */
const home = {
  session: text.truth('session-state/<id>/', 'one session', 'both'),
  fork: text.momentary(
    'session-state/.fork-<id>/',
    'a fork in the making; renamed when it is whole',
  ),
  importing: text.momentary(
    'session-state/.import-<id>/',
    'a session of another agent in the making; renamed when it is whole',
  ),
  rescued: text.truth(
    '.reprise/rescued/<id>/<sha256>',
    'a file of another agent, or rows of its database, as they were when the session was imported',
  ),
  rescuedAbout: text.truth(
    '.reprise/rescued/<id>/about.json',
    'where they came from, and what became of them',
  ),
  claudeStore: text.truth(
    '.reprise/claude-store/<path>',
    'what the Claude Agent SDK keeps here: the entries of a session, one a line, and of its sub-agents',
  ),
  trashed: text.aside(
    '.reprise/trash/<id>~<ms>/',
    'a deleted session; `<ms>` is the time of deletion',
  ),
  catalogue: text.derived(
    '.reprise/catalogue.json',
    'what was last read of every session: the home, and what is newer than its rows',
  ),
  catalogueRows: text.derived('.reprise/catalogue/<process>.rows', 'its rows, newest first'),
  touched: bare.momentary(
    '.reprise/touched/<id>.<process>.<when>',
    '§10: which sessions are, or were lately, written to',
  ),
  remoteDue: bare.derived(
    '.reprise/remote/due/<id>',
    'an empty file: the copy of this session in Mission Control may be behind its log',
  ),
  remoteRemoved: bare.truth(
    '.reprise/remote/removed/<id>',
    'which server had a copy of this session that was removed there: one that a backup brings back is removed again',
  ),
  remoteLooked: bare.derived(
    '.reprise/remote/looked',
    'an empty file: when it was last looked whether Mission Control has again what was removed there',
  ),
  remoteKnown: text.derived(
    '.reprise/remote/known.json',
    'the sessions of other machines that Mission Control last showed, for when it cannot be asked',
  ),
  archived: bare.truth(
    '.reprise/archived/<id>',
    'an empty file: this session is not listed unless asked for',
  ),
  unseen: bare.momentary(
    '.reprise/unseen/<id>.<outcome>',
    'an empty file: how the last turn of this session ended while nobody looked',
  ),
  store: text.derived(
    'session-store.db[-wal|-shm|-journal]',
    "the index of all sessions, in SQLite; in the Copilot CLI's home its own",
  ),
  brokenStore: text.aside('session-store.db.broken', 'an index that was damaged, one at most'),
  ownStore: text.derived(
    '.reprise/session-store.db[-wal|-shm|-journal]',
    "our index where that name is taken: in the Copilot CLI's home, by a later version, by a link or a folder",
  ),
  brokenOwnStore: text.aside('.reprise/session-store.db.broken', 'one that was damaged'),
  board: text.truth('.reprise/board/board.json', 'the context board'),
  proposals: text.truth(
    '.reprise/board/proposals.json',
    'what sessions propose for it, and what was decided',
  ),
  brokenBoard: text.aside(
    '.reprise/board/<board>.json.broken',
    'one of the two that could not be read',
  ),
  boardLease: bare.momentary(
    '.reprise/board/.reprise/lease/<generation>.<sign>',
    'who may change the board, as §10',
  ),
  boardRequest: bare.momentary(
    '.reprise/board/.reprise/lease/request-<since>-<nonce>.json',
    'who waits for it',
  ),
  boardInUse: bare.momentary('.reprise/board/inuse.<pid>.lock', 'this process changes the board'),
  config: bare.truth('.reprise/config.json', "the user's settings"),
  configLock: bare.momentary('.reprise/config.lock', 'who changes the settings'),
  extension: bare.truth(
    '.reprise/extensions/<name>/<path>',
    "the user's extensions; read, never written",
  ),
  programs: bare.truth(
    'extensions/<name>/<path>',
    "the user's programs that join sessions, as the Copilot CLI has them; read, never written",
  ),
  promptHistory: text.truth(
    '.reprise/prompt-history.jsonl',
    'what was typed in the terminal, the last 500',
  ),
  diagnostics: bare.aside(
    '.reprise/logs/reprise-<date>[.<n>].log',
    'what ended and how: ids, counts and durations',
  ),
  forgotten: bare.truth(
    '.reprise/forgotten.jsonl',
    'what was forgotten and when, without it: keyed hashes, by which redaction knows it again',
  ),
  redactionKey: bare.truth('.reprise/redaction-key', 'by which a secret has one placeholder'),
  contents: text.derived(
    '.reprise/contents/<owner>-<n>.pack',
    'contents of files of projects, of all sessions; `<owner>` is the one that added them',
  ),
  contentsIndex: bare.derived('.reprise/contents/<owner>-<n>.idx', 'where they stand in it'),
  tree: text.derived(
    '.reprise/trees/<root>-<hex>.tree',
    'a project as it was last seen, for all sessions in it; `<root>` stands for its folder',
  ),
  sealKey: bare.truth(
    '.reprise/seal-key',
    '§8: what this home seals its records of files with, and which sessions are older than it',
  ),
  permittedPlaces: bare.truth(
    '.reprise/places.json',
    'what was allowed for a repository or a folder, and which folders are trusted',
  ),
  webToken: bare.truth('.reprise/web-token', 'what opens the web page'),
  guestKey: bare.truth('.reprise/web-guest-key', 'what links for guests are sealed with'),
  webServer: bare.momentary('.reprise/web-server', 'where the web server that runs is reached'),
  serverToken: bare.momentary('.reprise/server-<port>.token', 'what opens a TCP server'),
  controlDatabase: text.truth(
    '.reprise/control/control.db[-wal|-shm|-journal]',
    'Mission Control: the sessions of a team, when this home serves them',
  ),
  controlLock: bare.momentary(
    '.reprise/control/node.lock[-journal]',
    'held by the one server that serves it',
  ),
  flatLog: text.truth(
    'session-state/<id>.jsonl',
    'a session of an older format; left alone',
    'copilot',
  ),
  operationLock: bare.momentary(
    'session-state/.session-operation-locks/<path>',
    'locks of the Copilot CLI; left alone',
    'copilot',
  ),
  copilotConfig: bare.truth('config.json', 'read for the folders that are trusted', 'copilot'),
  copilotPermissions: bare.truth(
    'permissions-config.json',
    'read for what was allowed in a repository or a folder',
    'copilot',
  ),
  copilotSettings: bare.truth('settings.json[.lock]', 'left alone', 'copilot'),
  copilotPlugins: bare.truth(
    'installed-plugins/<path>',
    'plugins; those of the Copilot CLI are left alone',
    'both',
  ),
  copilotLogs: text.aside('logs/<path>', 'left alone; tell whether it runs', 'copilot'),
} as const

/** Below the folder of a session. */
const session = {
  log: text.truth('events.jsonl', 'the log: §3 to §8', 'both'),
  plan: text.truth('plan.md', 'the plan of the session, when there is one', 'both'),
  objective: text.truth(
    'autopilot-objective.json',
    'what autopilot is to reach, as a program wrote it',
    'both',
  ),
  files: text.truth('files/<path>', 'files of the session', 'both'),
  research: text.truth('research/<path>', 'files of the session', 'both'),
  metadata: text.derived(
    'workspace.yaml',
    'derived but for `name`, `user_named` and unknown keys',
    'both',
  ),
  checkpointIndex: text.derived('checkpoints/index.md', 'derived but for the titles', 'both'),
  checkpoint: text.derived('checkpoints/<nnn>-<slug>.md', 'the summary of a compaction', 'both'),
  olderCheckpoint: text.aside(
    'checkpoints/<nnn>-<slug>.md.<n>',
    'one that stood where a redo brought another back',
  ),
  database: text.truth(
    'session.db[-wal|-shm|-journal]',
    'SQLite, made by the first tool that asks for it',
    'both',
  ),
  inUse: bare.momentary('inuse.<pid>.lock', '§10: this process has the session open', 'both'),
  lease: bare.momentary('.reprise/lease/<generation>.<sign>', '§10: who may write'),
  leaseRequest: bare.momentary(
    '.reprise/lease/request-<since>-<nonce>.json',
    '§10: who waits for it',
  ),
  serving: bare.momentary(
    '.reprise/inbox/serving',
    '§10: there while the holder of the lease takes requests',
  ),
  notices: text.truth(
    '.reprise/inbox/notices.jsonl',
    '§10: what a turn tells as it streams, until it is in the log',
  ),
  unfinished: text.aside(
    '.reprise/unfinished/<turn>.jsonl',
    '§10: what a killed turn told, where another program has gone on since',
  ),
  request: text.momentary(
    '.reprise/inbox/<sent>.json',
    '§10: what is asked of the process that is at work',
  ),
  reply: text.momentary('.reprise/inbox/<sent>.reply.json', '§10: what became of it'),
  question: text.momentary(
    '.reprise/inbox/question-<request>.json',
    '§10: a question that waits for a person',
  ),
  queue: text.truth(
    '.reprise/queue.json',
    'messages that wait for the end of the turn, until each is in the log',
  ),
  forgetIntent: bare.momentary(
    '.reprise/forget.json',
    '§8: a text is being taken out; what is to be put where',
  ),
  forgetStaged: text.momentary(
    '.reprise/forget/<n>',
    '§8: files without it, until they are in place',
  ),
  redoIntent: bare.momentary('.reprise/redo.json', '§8: a redo is under way'),
  digest: bare.derived('.reprise/digest.jsonl', '§8: hashes of the stretches of the log'),
  rewound: text.aside('.reprise/rewound/<nnn>.jsonl', '§8: what a rewind removed'),
  rewoundAbout: bare.aside('.reprise/rewound/<nnn>.json', '§8: what it was'),
  spent: bare.aside('.reprise/spent.json', '§8: what turns used that are gone for good'),
  rewoundFiles: bare.aside(
    '.reprise/rewound/<nnn>.files',
    '§8: which restores of files belong to it',
  ),
  rewoundCheckpoint: text.aside(
    '.reprise/rewound/checkpoints/<nnn>-<slug>.md[.<n>]',
    '§8: checkpoints that a rewind removed',
  ),
  rewoundCheckpointIndex: text.aside('.reprise/rewound/checkpoints/index.md', '§8: their titles'),
  blob: text.truth('.reprise/blobs/<sha256>', '§3: bulky content that events name'),
  torn: text.aside(
    '.reprise/torn/<offset>-<hash>.bin',
    '§11: the ends of appends that never finished',
  ),
  quarantined: text.aside(
    '.reprise/quarantine/<offset>-<hash>.bin',
    '§11: bytes that a mending took out',
  ),
  beforeMend: text.aside(
    '.reprise/before-mend-<n>.jsonl',
    '§11: the log as it was before a mending',
  ),
  mending: text.momentary('.reprise/mending.jsonl', '§11: a mended log in the making'),
  brokenMetadata: text.aside(
    '.reprise/broken/workspace-<n>.yaml',
    '§11: a workspace.yaml that could not be read',
  ),
  changes: text.truth(
    '.reprise/files/changes.jsonl',
    'what was changed in project and workspace, and what was restored',
  ),
  changesEnd: bare.derived('.reprise/files/changes.end', '§8: how far it goes'),
  content: text.truth(
    '.reprise/files/blobs/<xx>/<sha256>',
    'contents that it names; `<xx>` begins the hash',
  ),
  baseline: text.derived(
    '.reprise/files/baseline.jsonl',
    'every covered file of the project as last seen',
  ),
  pack: text.derived(
    '.reprise/files/tree-<n>.pack',
    'contents of these files, of a session that is older than `.reprise/contents/`; only read',
  ),
  packIndex: bare.derived('.reprise/files/tree-<n>.idx', 'where they stand in it'),
  restoreIntent: text.momentary(
    '.reprise/files/restore.json',
    '§8: a rewind or redo of files is under way, with what takes it back',
  ),
  foreignIntent: text.aside(
    '.reprise/files/restore-foreign.json',
    '§8: one that this home did not write, and did not act on',
  ),
  replacing: text.momentary(
    '.reprise/replacing.json',
    'with a client that owns its files and cannot rename: the file that is being replaced, whole',
  ),
  agent: bare.derived('.reprise/agent.json', 'the sessions of ACP agents behind this one'),
  clientMetadata: text.truth('.reprise/client-metadata.json', 'what programs keep with a session'),
  snapshot: text.derived(
    '.reprise/snapshot.json',
    'a folded state and the place up to which it holds',
  ),
  repositoryKey: bare.derived(
    '.reprise/repository-key',
    'what a repository without a remote is known by',
  ),
  remote: bare.truth(
    '.reprise/remote.json',
    'on which Mission Control its copy is, how far it goes, and whether it is wanted',
  ),
  forkedFrom: bare.truth(
    '.reprise/forked-from',
    'the id of the session that this one was forked from',
  ),
  imported: text.truth(
    '.reprise/imported.json',
    'which agent it was imported from, how much of the log that is, and what could not be kept',
  ),
  copilotSnapshots: text.aside('rewind-file-snapshots/<path>', 'left alone', 'copilot'),
  copilotHold: bare.momentary('inuse.<pid>.hold', 'left alone', 'copilot'),
  copilotFork: bare.momentary('.workspace-fork.lock', 'left alone', 'copilot'),
} as const

/** Below the project's root. */
const project = {
  staging: text.momentary(
    '.reprise-restore-<uuid>/<path>',
    'what a restore of files moves, while it runs',
  ),
} as const

/** Below the user's cache folder: of homes on a disk that other machines share. */
const cache = {
  store: text.derived('stores/<home>/session-store.db[-wal|-shm|-journal]', 'the index of a home'),
  brokenStore: text.aside('stores/<home>/session-store.db.broken', 'one that was damaged'),
  teamStore: text.derived(
    'control/<home>/<hex>.db[-wal|-shm|-journal]',
    'what a node of Mission Control has indexed of a team or of one of its people',
  ),
} as const

/** In any folder of a home. */
const anywhere = {
  temporary: text.momentary(
    '.reprise-tmp-<pid>-<hex>',
    '§2.7: a file in the making, or left behind by a killed process',
  ),
} as const

export const layout = { home, session, project, cache, anywhere } as const

/** The names of the rows of a part of the table that can hold words. A table over them is told of a new one. */
export type TextRow<Scope extends keyof typeof layout> = {
  [Name in keyof (typeof layout)[Scope]]: (typeof layout)[Scope][Name] extends {
    readonly holdsText: true
  }
    ? Name
    : never
}[keyof (typeof layout)[Scope]]

/** The parts that vary, as regular expressions. */
export const parts = {
  id: '[A-Za-z0-9_-][A-Za-z0-9._-]{0,236}',
  uuid: '[0-9a-f-]{36}',
  ms: '\\d+',
  process: '[0-9a-f]{12}',
  when: 'open|done|left|told',
  outcome: 'done|failed',
  board: 'board|proposals',
  /** The id of a session; the shortest that fits, because a number follows. */
  owner: '[A-Za-z0-9_-][A-Za-z0-9._-]{0,236}?',
  name: '[\\w-]+',
  /** At any depth. */
  path: '(?:(?!\\.reprise-tmp-)[^/]+/)*(?!\\.reprise-tmp-)[^/]+',
  date: '\\d{4}-\\d\\d-\\d\\d',
  n: '\\d{1,9}',
  port: '\\d{1,5}',
  nnn: '\\d{3,9}',
  slug: '[^/]+?',
  pid: '[1-9]\\d{0,9}',
  generation: '\\d{10,15}',
  sign: 'json|heartbeat|released',
  since: '[0-9a-z]+',
  nonce: '[0-9a-z-]+',
  /** When, in 15 digits of milliseconds, so that names sort by age, and a UUID. */
  sent: '\\d{15}-[0-9a-f-]{36}',
  request: '[\\w-]{1,100}',
  turn: '[\\w-]{1,100}',
  sha256: '[0-9a-f]{64}',
  xx: '[0-9a-f]{2}',
  offset: '\\d+',
  hash: '[0-9a-f]{8}',
  home: '[0-9a-f]{16}',
  hex: '[0-9a-f]{16}',
  /** The start of the SHA-256 of a project's folder. */
  root: '[0-9a-f]{16}',
} as const
