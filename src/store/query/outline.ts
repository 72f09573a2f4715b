/** The tables that questions are mostly about, with their columns, short enough to stand in the text of a tool. */
import { SEARCH_TABLES, SESSION_TABLES } from '../schema.ts'

const TOLD = [
  'sessions',
  'turns',
  'checkpoints',
  'session_files',
  'session_refs',
  'search_index',
] as const

/** `turns(session_id, …)`, one after the other. */
export const OUTLINE: string = TOLD.map((name) => `${name}(${columnsOf(name)})`).join(', ')

/** What the store of Mission Control has besides (`server-store.ts`), and has not. */
export const FAR_OUTLINE =
  'sessions.cwd is always NULL there; sessions has person (an id), person_name and machine too, and there is events(session_id, seq, id, type, timestamp, parent_id, person, machine, repository, branch, data), one row for each event with its data as JSON.'

function columnsOf(table: string): string {
  const create = new RegExp(`TABLE ${table} (?:USING fts5)?\\(([^;]*)\\)`).exec(
    SESSION_TABLES + SEARCH_TABLES,
  )?.[1]
  return (create ?? '')
    .replace(/UNIQUE \([^)]*\)/, '')
    .split(',')
    .map((part) => part.trim().split(' ')[0])
    .filter(Boolean)
    .join(', ')
}
