/**
 * Where the agent struggled, and what the instruction file could say so that it does not happen again: a
 * proposal as a diff, never applied, each line with the turns that it comes from.
 */
import type { Rewinds } from '../rewinds.ts'
import type { HabitsEvidence } from './habits-evidence.ts'
import { diffFor, type InstructionFile } from './instruction-diff.ts'
import { factsOf, lookedAt } from './looked-at.ts'
import type { Report, Scope } from './report.ts'
import {
  lessonsOf,
  struggleKinds,
  strugglesOf,
  type Lesson,
  type TurnRef,
  type Struggle,
  type StruggleKind,
} from './struggles.ts'
import { sinceWords } from './local-day.ts'
import { code, joined, shortId, some, words } from './words.ts'

const headings: Record<StruggleKind, string> = {
  corrected: 'Corrected by you',
  rewound: 'Taken back',
  failing: 'What kept failing',
  retried: 'Tried again and again',
  refused: 'Refused permissions',
}

type ImproveOptions = {
  readonly file: InstructionFile
  readonly rewinds?: readonly Rewinds[]
}

const MOST_SHOWN = 10
const MOST_LESSONS = 15

export function improve(
  evidence: HabitsEvidence,
  scope: Scope,
  { file, rewinds = [] }: ImproveOptions,
): Report {
  const struggles = strugglesOf(evidence, rewinds)
  const lessons = lessonsOf(evidence)
    .sort((a, b) => b.places.length - a.places.length)
    .slice(0, MOST_LESSONS)
  const lines = lessons.map(({ line }) => line)
  const diff = diffFor(file, lines)
  return {
    kind: 'improve',
    json: {
      ...factsOf(evidence, scope),
      struggles,
      lessons,
      file: file.path,
      diff: diff ?? null,
    },
    markdown: joined(
      `# What to improve, from the sessions since ${sinceWords(scope)}`,
      lookedAt(evidence),
      ...struggleKinds.map((kind) => showKind(kind, struggles)),
      struggles.length === 0 && nothing(evidence.sessions.length),
      ...proposal(file, diff, lessons),
    ),
  }
}

function showKind(kind: StruggleKind, all: readonly Struggle[]): string {
  const struggles = all.filter((struggle) => struggle.kind === kind)
  if (struggles.length === 0) return ''
  const shown = struggles
    .slice(0, MOST_SHOWN)
    .map(({ what, places }) => `- ${what} (${placesText(places)})`)
  const more = struggles.length - MOST_SHOWN
  return `## ${headings[kind]}\n\n${[...shown, ...(more > 0 ? [`- … ${more} more`] : [])].join('\n')}`
}

function proposal(
  { path, text }: InstructionFile,
  diff: string | undefined,
  lessons: readonly Lesson[],
): string[] {
  if (diff === undefined) {
    return lessons.length === 0 ? [] : [`${code(path)} says all of this already.`]
  }
  const verb = text === undefined ? 'A new' : 'Changes to'
  const fence = diff.includes('```') ? '````' : '```'
  return [
    `## ${verb} ${path}, to be read before it is applied`,
    `${fence}diff\n${diff}${fence}`,
    lessons
      .map(
        ({ line, places }) =>
          `- ${words(line.slice(2).replaceAll('`', ''), 160)} (${placesText(places)})`,
      )
      .join('\n'),
    `Apply it with ${code('reprise chronicle improve --diff | git apply')}.`,
  ]
}

const placesText = (places: readonly TurnRef[]): string =>
  some(
    places.map(
      ({ sessionId, turn }) =>
        // People count from 1, as in `sessions rewind --turn`.
        `${code(shortId(sessionId))}${turn === undefined ? '' : ` turn ${turn + 1}`}`,
    ),
    3,
  )

const nothing = (sessions: number): string =>
  sessions === 0
    ? `There is nothing to learn from yet. Look further back with ${code('--since 90d')}, or index old sessions with ${code('reprise chronicle reindex')}.`
    : 'The agent was not corrected, and nothing failed twice.'
