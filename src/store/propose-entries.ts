/**
 * What a session learned that its next ones should know: said by the person, found out by trying, or written into a
 * checkpoint. Proposals, each with its source; a person decides whether they go on the board. Pure over rows.
 */
import { defined } from '../lib/defined.ts'
import { isRecordLine } from '../state/summary-lines.ts'
import type { NewEntry } from './board-rules.ts'
import { isCommand, troubleOf, whatOf, type CallRow } from './call-outcome.ts'
import { directivesIn } from './directives.ts'
import type { Sql } from './sql.ts'
import { head } from './text.ts'
import { workedInstead } from './fixed-commands.ts'

type SessionRows = {
  readonly id: string
  /** `owner/name`; without one the root of its git, else its directory. */
  readonly repository: string
  readonly branch: string | undefined
  readonly prompts: readonly { readonly turn: number; readonly text: string }[]
  readonly calls: readonly CallRow[]
  readonly technicalDetails: string | undefined
}

/** The newest. */
const MOST_ROWS = 2000
const MOST_PROPOSALS = 50
const MOST_DETAILS = 2000

/** Undefined when the store does not know the session. */
export function readSessionRows(sql: Sql, id: string): SessionRows | undefined {
  const session = sql(
    `SELECT coalesce(s.repository, o.git_root, s.cwd, '') AS project, s.branch
     FROM sessions s LEFT JOIN reprise_sessions o ON o.session_id = s.id WHERE s.id = ?`,
  ).get(id)
  if (session === undefined) return undefined
  const prompts = sql(
    `SELECT turn_index AS turn, substr(user_message, 1, 4000) AS text FROM turns
     WHERE session_id = ? ORDER BY turn_index DESC LIMIT ${MOST_ROWS}`,
  ).all(id) as { turn: number; text: string }[]
  const calls = sql(
    `SELECT session_id AS sessionId, turn_index AS turn, coalesce(tool_name, '') AS tool,
       coalesce(arguments, '') AS args, coalesce(output, '') AS output, success
     FROM reprise_tool_calls WHERE session_id = ? ORDER BY rowid DESC LIMIT ${MOST_ROWS}`,
  ).all(id) as CallRow[]
  const details = sql(
    `SELECT technical_details AS text FROM checkpoints WHERE session_id = ?
     ORDER BY turn_index DESC, checkpoint_number DESC LIMIT 1`,
  ).get(id)
  return {
    id,
    repository: String(session.project),
    branch: session.branch === null ? undefined : String(session.branch),
    prompts: prompts.toReversed(),
    calls: calls.toReversed(),
    technicalDetails: typeof details?.text === 'string' ? details.text : undefined,
  }
}

export function proposeEntries(rows: SessionRows): NewEntry[] {
  const { id, repository, branch } = rows
  if (repository === '') return []
  const seen = (turn: number) => `From session ${id.slice(0, 8)}, turn ${turn + 1}.`
  const said = rows.prompts.flatMap(({ turn, text }) =>
    directivesIn(text)
      .filter(({ isStanding }) => isStanding || turn > 0)
      .map(({ text: content }): NewEntry => ({
        repository,
        src: 'person',
        name: titleOf(content),
        description: seen(turn),
        content,
      })),
  )
  const found = workedInstead(rows.calls).map(({ failed, worked, turn }): NewEntry => ({
    repository,
    src: 'commands',
    name: titleOf(worked),
    description: seen(turn),
    content: `This works: ${worked}\nThis fails here: ${failed}`,
  }))
  const details = (rows.technicalDetails ?? '')
    .split('\n')
    .filter((each) => !isRecordLine(each))
    .join('\n')
    .trim()
  const written: NewEntry[] =
    details === ''
      ? []
      : [
          {
            repository,
            ...defined({ branch }),
            src: 'checkpoint',
            name: `technical details of ${id.slice(0, 8)}`,
            description: `From the newest checkpoint of session ${id.slice(0, 8)}.`,
            content: head(details, MOST_DETAILS),
          },
        ]
  return unique([...said, ...found, ...checksOf(rows), ...written]).slice(-MOST_PROPOSALS)
}

const CHECKS = /\b(?:test|tests|lint|build|check|typecheck|tsc)\b/

/** Commands that check the work, and went well more than once. */
function checksOf({ id, repository, calls }: SessionRows): NewEntry[] {
  const good = calls.filter(
    (call) => call.success === 1 && isCommand(call) && troubleOf(call) === undefined,
  )
  const times = new Map<string, number>()
  for (const what of good.map(whatOf)) times.set(what, (times.get(what) ?? 0) + 1)
  return [...times]
    .filter(([what, count]) => count >= 2 && what.length <= 100 && CHECKS.test(what))
    .map(([what, count]) => ({
      repository,
      src: 'commands',
      name: titleOf(what),
      description: `Went well ${count} times in session ${id.slice(0, 8)}.`,
      content: `This works: ${what}`,
    }))
}

const titleOf = (text: string): string =>
  head(text.split(/\s+/).slice(0, 8).join(' ').replace(/\.$/, ''), 80)

const unique = (entries: readonly NewEntry[]): NewEntry[] => [
  ...new Map(entries.map((entry) => [`${entry.src} ${entry.name}`, entry])).values(),
]
