/** A fork begins with a copy of what another session did. Reports count that once, where it was done. */

/**
 * A condition in SQL: the row at `at` in turn `turn` of session `s` is its own and no copy of an older session's. When
 * the older one is gone, the copy is all that is left of the work, and counts.
 */
export const ownWork = (at: string, turn: string): string =>
  `NOT (${at} < s.created_at AND EXISTS (
     SELECT 1 FROM reprise_turns here JOIN reprise_turns there ON there.event_id = here.event_id
     JOIN sessions older ON older.id = there.session_id
     WHERE here.session_id = s.id AND here.turn_index = ${turn} AND there.session_id <> s.id
       AND (older.created_at, older.id) < (s.created_at, s.id)))`
