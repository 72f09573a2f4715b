/**
 * The tables of the session store. Those without a prefix have the names and columns of the Copilot CLI's
 * store, so that queries written for it run here; columns of ours stand behind them. Tables that begin with
 * `reprise_` are ours alone. Ours count what comes before the first turn as turn -1.
 */

export const SESSION_TABLES = `
CREATE TABLE sessions (
  id TEXT PRIMARY KEY,
  cwd TEXT,
  repository TEXT,
  host_type TEXT,
  branch TEXT,
  summary TEXT,
  created_at TEXT DEFAULT (datetime('now')),
  updated_at TEXT DEFAULT (datetime('now'))
);
CREATE INDEX idx_sessions_repo ON sessions(repository);
CREATE INDEX idx_sessions_cwd ON sessions(cwd);

CREATE TABLE turns (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  session_id TEXT NOT NULL REFERENCES sessions(id),
  turn_index INTEGER NOT NULL,
  user_message TEXT,
  assistant_response TEXT,
  timestamp TEXT DEFAULT (datetime('now')),
  UNIQUE (session_id, turn_index)
);
CREATE INDEX idx_turns_timestamp ON turns(timestamp);

CREATE TABLE checkpoints (
  id INTEGER PRIMARY KEY,
  session_id TEXT NOT NULL REFERENCES sessions(id),
  checkpoint_number INTEGER NOT NULL,
  title TEXT,
  overview TEXT,
  history TEXT,
  work_done TEXT,
  technical_details TEXT,
  important_files TEXT,
  next_steps TEXT,
  created_at TEXT DEFAULT (datetime('now')),
  turn_index INTEGER NOT NULL DEFAULT -1,
  UNIQUE (session_id, checkpoint_number)
);

CREATE TABLE session_files (
  id INTEGER PRIMARY KEY,
  session_id TEXT NOT NULL REFERENCES sessions(id),
  file_path TEXT NOT NULL,
  tool_name TEXT,
  turn_index INTEGER,
  first_seen_at TEXT DEFAULT (datetime('now')),
  UNIQUE (session_id, file_path)
);
CREATE INDEX idx_session_files_path ON session_files(file_path);

CREATE TABLE session_refs (
  id INTEGER PRIMARY KEY,
  session_id TEXT NOT NULL REFERENCES sessions(id),
  ref_type TEXT NOT NULL,
  ref_value TEXT NOT NULL,
  turn_index INTEGER,
  created_at TEXT DEFAULT (datetime('now')),
  UNIQUE (session_id, ref_type, ref_value)
);
CREATE INDEX idx_session_refs_type_value ON session_refs(ref_type, ref_value);

CREATE TABLE assistant_usage_events (
  id INTEGER PRIMARY KEY,
  session_id TEXT NOT NULL REFERENCES sessions(id),
  turn_index INTEGER,
  agent_id TEXT,
  parent_tool_call_id TEXT,
  model TEXT,
  copilot_usage_model TEXT,
  input_tokens INTEGER,
  output_tokens INTEGER,
  cache_read_tokens INTEGER,
  cache_write_tokens INTEGER,
  reasoning_tokens INTEGER,
  total_nano_aiu REAL,
  request_multiplier REAL,
  duration_ms REAL,
  time_to_first_token_ms REAL,
  output_ttft_ms REAL,
  inter_token_latency_ms REAL,
  initiator TEXT,
  api_endpoint TEXT,
  reasoning_effort TEXT,
  finish_reason TEXT,
  content_filter_triggered INTEGER,
  token_details_json TEXT,
  created_at TEXT DEFAULT (datetime('now'))
);
CREATE INDEX idx_assistant_usage_events_session ON assistant_usage_events(session_id, turn_index);
CREATE INDEX idx_assistant_usage_events_created ON assistant_usage_events(created_at);

CREATE TABLE dynamic_context_items (
  repository TEXT NOT NULL,
  branch TEXT NOT NULL,
  src TEXT NOT NULL,
  name TEXT NOT NULL,
  description TEXT,
  content TEXT,
  read_count INTEGER NOT NULL DEFAULT 0,
  count INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (repository, branch, src, name)
);
`

/**
 * `parts` holds the pieces of compound words, so that parseSummary is found by "parse summary". The default
 * tokenizer splits snake_case and paths by itself.
 */
export const SEARCH_TABLES = `
CREATE VIRTUAL TABLE search_index USING fts5(
  content, session_id UNINDEXED, source_type UNINDEXED, source_id UNINDEXED, parts
);
CREATE VIRTUAL TABLE reprise_words USING fts5vocab(search_index, 'row');
`

export const OWN_TABLES = `
CREATE TABLE reprise_cursors (
  key INTEGER PRIMARY KEY,
  session_id TEXT NOT NULL UNIQUE,
  offset INTEGER NOT NULL,
  last_event_id TEXT,
  last_event_start INTEGER NOT NULL,
  last_event_at TEXT,
  turn_count INTEGER NOT NULL,
  carried TEXT NOT NULL
);

CREATE TABLE reprise_sessions (
  session_id TEXT PRIMARY KEY REFERENCES sessions(id),
  name TEXT,
  user_named INTEGER NOT NULL,
  git_root TEXT,
  client_name TEXT,
  producer TEXT,
  model TEXT
) WITHOUT ROWID;

-- Where each turn begins, and what was known of the session there when it differs from the turn before.
CREATE TABLE reprise_turns (
  session_id TEXT NOT NULL REFERENCES sessions(id),
  turn_index INTEGER NOT NULL,
  start INTEGER NOT NULL,
  event_id TEXT NOT NULL,
  carried TEXT,
  PRIMARY KEY (session_id, turn_index)
) WITHOUT ROWID;

CREATE TABLE reprise_tool_calls (
  session_id TEXT NOT NULL REFERENCES sessions(id),
  tool_call_id TEXT NOT NULL,
  turn_index INTEGER NOT NULL,
  tool_name TEXT,
  arguments TEXT,
  paths TEXT,
  output TEXT,
  success INTEGER,
  started_at TEXT,
  completed_at TEXT,
  completed_turn INTEGER,
  PRIMARY KEY (session_id, tool_call_id)
);
CREATE INDEX reprise_tool_calls_turn ON reprise_tool_calls(session_id, turn_index);

CREATE TABLE reprise_artifacts (
  session_id TEXT NOT NULL REFERENCES sessions(id),
  path TEXT NOT NULL,
  size INTEGER NOT NULL,
  mtime_ms REAL NOT NULL,
  PRIMARY KEY (session_id, path)
) WITHOUT ROWID;

-- One row for each row of search_index, under the same rowid: FTS finds a row by text or by rowid only.
CREATE TABLE reprise_documents (
  id INTEGER PRIMARY KEY,
  session_key INTEGER NOT NULL,
  turn_index INTEGER NOT NULL,
  source TEXT NOT NULL,
  at_ms INTEGER NOT NULL,
  border INTEGER NOT NULL,
  UNIQUE (session_key, turn_index, source)
);

-- What the file system said when a session was last looked at. Not derived from any log.
CREATE TABLE reprise_stamps (
  session_id TEXT PRIMARY KEY,
  log_size INTEGER NOT NULL,
  log_mtime_ms REAL,
  folder_mtime_ms REAL,
  has_artifacts INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE reprise_home (name TEXT PRIMARY KEY, value REAL) WITHOUT ROWID;
`

/**
 * One vector a session (`session`) and checkpoint (`checkpoint <n>`), of numbers of four bytes. Made by a model, so it is
 * kept when the rest is made anew; it goes with its session, and is made again when that has gone on.
 */
export const VECTOR_TABLE = `
CREATE TABLE reprise_vectors (
  session_id TEXT NOT NULL,
  part TEXT NOT NULL,
  model TEXT NOT NULL,
  last_event TEXT NOT NULL,
  vector BLOB NOT NULL,
  PRIMARY KEY (session_id, part)
) WITHOUT ROWID;
`
