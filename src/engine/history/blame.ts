/**
 * Which turn, and which prompt, last wrote each line of a file. Asked of the sessions that worked in this project, newest
 * first, from the contents that they recorded, and for imported ones from their diffs; times prove nothing and are not used.
 */
import { resolve } from 'node:path'
import type { SessionId } from '../../format/ids.ts'
import { inSession } from '../../format/paths.ts'
import { defined } from '../../lib/defined.ts'
import { readLines } from '../../project/blame-diff.ts'
import type { LineAuthor } from '../../project/blame.ts'
import { openTimeTravel } from '../../project/time-travel.ts'
import type { EngineContext } from '../engine-context.ts'
import { EngineError } from '../errors.ts'
import { nearestSessions } from '../catalogue/catalogue.ts'
import type { SessionSummary } from '../catalogue/catalogue-row.ts'
import { sessionDir } from '../session-dir.ts'
import { blameImported } from './blame-imported.ts'
import { turnOf, type BlamedTurn } from './blamed-turn.ts'

export type BlameQuery = {
  readonly file: string
  /** Counted from 1, both included; the whole file without it. */
  readonly lines?: { readonly from: number; readonly to: number }
  /** With one line: what stood there. Where it stands elsewhere now, that line is meant. */
  readonly text?: string
  readonly cwd?: string
  /** Only this session. */
  readonly session?: SessionId
}

export type BlamedLine = {
  readonly line: number
  readonly text: string
  readonly by:
    | BlamedTurn
    /** Older than every record, or written outside of every session. */
    | { readonly kind: 'unknown'; readonly reason: string }
}

export async function blame(
  engine: EngineContext,
  query: BlameQuery,
): Promise<readonly BlamedLine[]> {
  const cwd = query.cwd ?? engine.cwd
  const file = resolve(cwd, query.file)
  const lines = await readLines(file)
  if (lines === undefined) throw new EngineError('not_found', `There is no file ${file} to read.`)
  if (lines === 'binary') throw new EngineError('not_found', `${file} is not text.`)
  const range = whereNow(lines, query)
  if (range === 'gone') return [goneLine(query)]
  const search = { file, lines, ...wanted(lines, range) }
  const project = await engine.detectProject(cwd)
  const near = await nearestSessions(engine.fs, project, { limit: Infinity, onlyNear: true })
  const sessions = near.sessions
    .filter(({ id }) => query.session === undefined || id === query.session)
    .sort((a, b) => (a.modifiedAt < b.modifiedAt ? 1 : -1))
  for (const session of sessions) {
    if (search.open.size === 0) break
    const { fs } = engine
    if ((await fs.stat(inSession(sessionDir(session.id), 'changes'))) !== undefined)
      await askRecord(engine, session, { search, sessions, root: project.gitRoot ?? cwd })
    if (session.importedFrom !== undefined && search.open.size > 0)
      await askDiffs(engine, session, search)
  }
  return search.answers
}

type Search = {
  readonly file: string
  readonly lines: readonly string[]
  readonly answers: BlamedLine[]
  /** Lines without a writer yet, as they are counted in `lines`, and where their answers stand. */
  readonly open: Map<number, number>
}

/** The line with the same text that is nearest to where it was seen. */
function whereNow(
  lines: readonly string[],
  { lines: seen, text }: BlameQuery,
): BlameQuery['lines'] | 'gone' {
  if (text === undefined || seen === undefined) return seen
  const places = lines.flatMap((line, at) => (line === text ? [at + 1] : []))
  const far = (place: number) => Math.abs(place - seen.from)
  const [nearest] = places.sort((one, other) => far(one) - far(other))
  return nearest === undefined ? 'gone' : { from: nearest, to: nearest }
}

const goneLine = ({ lines, text = '' }: BlameQuery): BlamedLine => ({
  line: lines?.from ?? 1,
  text,
  by: { kind: 'unknown', reason: 'The line is not in the file any more.' },
})

/** Nobody has written any of them, until a session says otherwise. */
function wanted(
  lines: readonly string[],
  range: BlameQuery['lines'] = { from: 1, to: lines.length },
): Pick<Search, 'answers' | 'open'> {
  const { from, to } = range
  if (lines.length > 0 && (from < 1 || from > to || to > lines.length)) {
    const there = lines.length === 1 ? 'one line' : `${lines.length} lines`
    throw new EngineError(
      'not_found',
      `The file has ${there}, and no line ${from > to ? from : to}.`,
    )
  }
  const reason = 'No session of this project has recorded a change of this file.'
  const answers = lines
    .slice(from - 1, to)
    .map((text, at): BlamedLine => ({ line: from + at, text, by: { kind: 'unknown', reason } }))
  return { answers, open: new Map(answers.map(({ line }, at) => [line - 1, at])) }
}

function answer({ answers, open }: Search, index: number, by: BlamedLine['by']): void {
  const at = open.get(index)
  const known = at === undefined ? undefined : answers[at]
  if (at === undefined || known === undefined) return
  answers[at] = { ...known, by }
  if (by.kind === 'turn') open.delete(index)
}

async function askRecord(
  engine: EngineContext,
  session: SessionSummary,
  { search, sessions, root }: { search: Search; sessions: readonly SessionSummary[]; root: string },
): Promise<void> {
  const { fs, clock } = engine
  const travel = await openTimeTravel({ fs, sessionDir: sessionDir(session.id), root, clock })
  const blamed = await travel.blame(search.file)
  if (blamed.kind !== 'lines') return
  const turns = new Map<string, BlamedTurn>()
  for (const index of search.open.keys()) {
    const author = blamed.authors[index]
    if (author === undefined) continue
    if (author.kind !== 'call') {
      answer(search, index, { kind: 'unknown', reason: REASONS[author.kind] })
      continue
    }
    const turn = turns.get(author.toolCallId) ?? (await turnOf(engine, session, author, sessions))
    turns.set(author.toolCallId, turn)
    answer(search, index, turn)
  }
}

const REASONS = {
  older: 'No session wrote this line: it was there before the first one was recorded.',
  outside: 'No session wrote this line: something else changed the file.',
  unrecorded: 'Who wrote this line is not known: a version of the file in between was not kept.',
} satisfies Record<Exclude<LineAuthor['kind'], 'call'>, string>

/** Of what was imported no contents are recorded; the diffs that came along say it where they can. */
async function askDiffs(
  engine: EngineContext,
  session: SessionSummary,
  search: Search,
): Promise<void> {
  const { id: sessionId, name: sessionName } = session
  for (const [index, wrote] of await blameImported(engine, session, search))
    answer(search, index, { kind: 'turn', sessionId, ...defined({ sessionName }), ...wrote })
}
