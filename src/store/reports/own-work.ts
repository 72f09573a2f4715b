/** A fork begins with a copy of what another session did. Reports count that once, where it was done. */

/**
 * A condition in SQL: the row at `at` in turn `turn` of session `s` is its own and no copy of an older session's. When
 * the older one is gone, the copy is all that is left of the work, and counts.
 */
export const ownWork = (at: string, turn: string): string => ownSince(at, eventOf(turn))

/** The same of a row of `assistant_usage_events`: what was taken back, here or there, is a copy or none all the same. */
export const ownUse = (row: string): string =>
  ownSince(
    `${row}.created_at`,
    `coalesce(nullif(${row}.taken_back, ''), ${eventOf(`${row}.turn_index`)})`,
  )

const eventOf = (turn: string): string =>
  `(SELECT here.event_id FROM reprise_turns here WHERE here.session_id = s.id AND here.turn_index = ${turn})`

const ownSince = (at: string, event: string): string =>
  `NOT (${at} < s.created_at AND EXISTS (
     SELECT 1 FROM (
       SELECT session_id FROM reprise_turns WHERE event_id = ${event}
       UNION ALL SELECT session_id FROM assistant_usage_events WHERE taken_back = ${event}
     ) there JOIN sessions older ON older.id = there.session_id
     WHERE there.session_id <> s.id AND (older.created_at, older.id) < (s.created_at, s.id)))`
