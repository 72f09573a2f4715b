/**
 * What of a session is made into vectors: one text for it as a whole and one for each checkpoint. Names and prompts come
 * first and have most of the room: they say what it was about; answers and paths say the rest.
 */
import type { Sql } from '../sql.ts'

export type MeaningText = { readonly part: string; readonly text: string }

/** Characters. Models for this take some hundred words and pass over the rest. */
const ROOM = {
  prompts: 1_200,
  prompt: 300,
  answers: 600,
  answer: 200,
  paths: 300,
  checkpoint: 2_000,
}
const MOST_TURNS = 12

export function textsOf(sql: Sql, id: string): readonly MeaningText[] {
  const session = sql(
    `SELECT coalesce(o.name, s.summary, '') AS name FROM sessions s
     LEFT JOIN reprise_sessions o ON o.session_id = s.id WHERE s.id = ?`,
  ).get(id)
  if (session === undefined) return []
  const turns = sql(
    `SELECT user_message AS prompt, assistant_response AS answer FROM turns
     WHERE session_id = ? ORDER BY turn_index LIMIT ${MOST_TURNS}`,
  ).all(id)
  const paths = sql(
    'SELECT file_path AS path FROM session_files WHERE session_id = ? LIMIT 20',
  ).all(id)
  const whole = [
    String(session.name),
    joined(
      turns.map(({ prompt }) => prompt),
      ROOM.prompt,
      ROOM.prompts,
    ),
    joined(
      turns.map(({ answer }) => answer),
      ROOM.answer,
      ROOM.answers,
    ),
    joined(
      paths.map(({ path }) => path),
      ROOM.paths,
      ROOM.paths,
    ),
  ]
  const checkpoints = sql(
    `SELECT checkpoint_number AS number, title, overview, work_done, next_steps FROM checkpoints
     WHERE session_id = ? ORDER BY checkpoint_number`,
  ).all(id)
  return [
    { part: 'session', text: whole.filter((part) => part !== '').join('\n') },
    ...checkpoints.map(({ number, title, overview, work_done: done, next_steps: next }) => ({
      part: `checkpoint ${String(number)}`,
      text: joined([title, overview, done, next], ROOM.checkpoint, ROOM.checkpoint),
    })),
  ].filter(({ text }) => text.trim() !== '')
}

function joined(texts: readonly unknown[], each: number, all: number): string {
  return texts
    .flatMap((text) => (typeof text === 'string' && text !== '' ? [text.slice(0, each)] : []))
    .join('\n')
    .slice(0, all)
    .toWellFormed()
}
