/**
 * What the store says of a session as a whole: workspace.yaml where it says something, the log for the rest.
 * The name, the plan and the files in the session's own folder are found by search too.
 */
import { layout } from '../format/layout.ts'
import type { Spent } from '../format/spent.ts'
import type { WorkspaceFile } from '../format/workspace-file.ts'
import { preview } from '../state/preview.ts'
import type { Artifact } from './artifacts.ts'
import type { StoreCursor } from './store-changes.ts'
import { putDocument, removeDocument, type Owner } from './documents.ts'
import type { Sql } from './sql.ts'
import { clean } from './text.ts'

/** The session's folder as it was found. */
export type SessionFacts = {
  readonly file: WorkspaceFile | undefined
  readonly artifacts: readonly Artifact[]
  /** What turns used that were taken back; absent when the store has it already. */
  readonly takenBack?: readonly Spent[]
}

/** The row that all others refer to, when the session is new to the store. */
export function beginSession(
  sql: Sql,
  { id }: Owner,
  place: StoreCursor,
  facts: SessionFacts,
  firstPrompt: string | null,
): void {
  sql(
    `INSERT INTO sessions (cwd, repository, host_type, branch, summary, created_at, updated_at, id)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  ).run(...valuesOf(place, facts, firstPrompt), id)
}

/** Behind the rows of its turns: the first of them may have become longer. */
export function goOnWithSession(
  sql: Sql,
  owner: Owner,
  place: StoreCursor,
  facts: SessionFacts,
): void {
  sql(
    `UPDATE sessions SET cwd = ?, repository = ?, host_type = ?, branch = ?, summary = ?,
       created_at = ?, updated_at = ? WHERE id = ?`,
  ).run(...valuesOf(place, facts, firstPromptOf(sql, owner)), owner.id)
}

const valuesOf = (
  { carried, lastEventAt }: StoreCursor,
  { file }: SessionFacts,
  firstPrompt: string | null,
) => [
  text(file?.cwd ?? carried.cwd),
  text(file?.repository ?? carried.repository),
  text(file?.host_type ?? carried.hostType),
  text(file?.branch ?? carried.branch),
  text(file?.name) ?? firstPrompt,
  text(file?.created_at ?? carried.startTime ?? carried.firstAt),
  lastEventAt,
]

/** What stands beside the session's row. One that is new to the store has nothing there that would have to go. */
export function writeFacts(
  sql: Sql,
  owner: Owner,
  { carried, turnCount }: StoreCursor,
  facts: SessionFacts,
  { isNew }: { readonly isNew: boolean },
): void {
  const { file } = facts
  const name = text(file?.name)
  const before = isNew
    ? null
    : sql('SELECT name FROM reprise_sessions WHERE session_id = ?').get(owner.id)?.name
  sql('INSERT OR REPLACE INTO reprise_sessions VALUES (?, ?, ?, ?, ?, ?, ?)').run(
    owner.id,
    name,
    file?.user_named === true ? 1 : 0,
    text(file?.git_root ?? carried.gitRoot),
    text(file?.client_name),
    text(carried.producer),
    text(carried.model),
  )
  if (before !== name) writeName(sql, owner, name, carried.startTime ?? carried.firstAt)
  if (!isNew || facts.artifacts.length > 0)
    writeArtifacts(sql, owner, facts.artifacts, turnCount - 1)
  if (facts.takenBack !== undefined) writeTakenBack(sql, owner, facts.takenBack)
}

const text = (value: string | undefined): string | null =>
  value === undefined ? null : clean(value)

/** More of it is not shown, and may be long. */
function firstPromptOf(sql: Sql, { id }: Owner): string | null {
  const first = sql(
    'SELECT substr(user_message, 1, 400) AS text FROM turns WHERE session_id = ? AND turn_index = 0',
  ).get(id)
  return typeof first?.text === 'string' ? preview(first.text) : null
}

function writeName(sql: Sql, owner: Owner, name: string | null, at: string | undefined): void {
  if (name === null || name === '') removeDocument(sql, owner, 'name')
  else putDocument(sql, owner, { turn: -1, source: 'name', at: at ?? null, content: name })
}

/** What is in no event yet, and what a person or a tool put into the folder. */
const RUNNING = layout.session.notices.path
const sourceOf = (path: string): string =>
  path.startsWith('.reprise/') ? `unfinished:${path}` : `file:${path}`

function writeArtifacts(
  sql: Sql,
  owner: Owner,
  artifacts: readonly Artifact[],
  lastTurn: number,
): void {
  const known = knownArtifacts(sql, owner.id)
  for (const { path, size, mtimeMs, text: content } of artifacts) {
    known.delete(path)
    if (content === undefined) continue
    sql('INSERT OR REPLACE INTO reprise_artifacts VALUES (?, ?, ?, ?)').run(
      owner.id,
      path,
      size,
      mtimeMs,
    )
    const at = new Date(mtimeMs).toISOString()
    const source = sourceOf(path)
    // What is left of the last turn is found there.
    const turn = path === RUNNING ? lastTurn : -1
    if (content === '') removeDocument(sql, owner, source)
    else if (path === RUNNING) removeDocument(sql, owner, source, turn)
    if (content !== '') putDocument(sql, owner, { turn, source, at, content })
  }
  for (const path of known.keys()) {
    sql('DELETE FROM reprise_artifacts WHERE session_id = ? AND path = ?').run(owner.id, path)
    removeDocument(sql, owner, sourceOf(path))
  }
}

export type KnownArtifact = { readonly size: number; readonly mtimeMs: number }

export function knownArtifacts(sql: Sql, id: string): Map<string, KnownArtifact> {
  const rows = sql(
    'SELECT path, size, mtime_ms AS mtimeMs FROM reprise_artifacts WHERE session_id = ?',
  ).all(id) as (KnownArtifact & { path: string })[]
  return new Map(rows.map((row) => [row.path, row]))
}

function writeTakenBack(sql: Sql, { id }: Owner, spent: readonly Spent[]): void {
  sql('DELETE FROM assistant_usage_events WHERE session_id = ? AND taken_back IS NOT NULL').run(id)
  const insert = sql(
    `INSERT INTO assistant_usage_events
       (session_id, taken_back, created_at, model, input_tokens, output_tokens, cache_read_tokens,
        cache_write_tokens, reasoning_tokens, total_nano_aiu, request_multiplier, dollars, duration_ms)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  for (const each of spent) {
    // Output that a message alone told of is no row of the log either.
    if (each.requests === undefined) continue
    const { turn = '', at, model, inputTokens, outputTokens, cacheReadTokens } = each
    const { cacheWriteTokens, reasoningTokens, nanoAiu, cost, dollars, durationMs } = each
    const amounts = [inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, reasoningTokens]
    const prices = [nanoAiu, cost, dollars, durationMs]
    const values = [...amounts, ...prices].map((value) => value ?? null)
    insert.run(id, clean(turn), clean(at), clean(model), ...values)
  }
}
