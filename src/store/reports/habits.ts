/** Habits that cost time, each with the sessions that show it. A rule that finds too little says nothing. */
import { counted } from '../../lib/quantities.ts'
import { isCommand, troubleOf, whatOf } from '../call-outcome.ts'
import type { HabitsEvidence, Prompt } from './habits-evidence.ts'
import { code, words } from './words.ts'

export type Tip = {
  readonly habit: string
  readonly title: string
  /** In Markdown, as is `instead`. */
  readonly seen: string
  readonly instead: string
  readonly count: number
  readonly sessions: readonly string[]
}

type Rule = (evidence: HabitsEvidence) => Tip | undefined

export const habitsOf = (evidence: HabitsEvidence): Tip[] =>
  rules.flatMap((rule) => rule(evidence) ?? []).sort((a, b) => b.count - a.count)

const failingCommands: Rule = ({ calls }) => {
  const failing = calls.filter((call) => {
    const kind = isCommand(call) ? troubleOf(call)?.kind : undefined
    return kind === 'failed' || kind === 'exit'
  })
  const [worst] = largest(failing, whatOf)
  if (worst === undefined || worst.items.length < 3) return undefined
  const { key, items } = worst
  const last = items.at(-1)
  const reason = last === undefined ? '' : (troubleOf(last)?.reason ?? '')
  return {
    habit: 'failing-command',
    title: 'One command keeps failing',
    seen: `${code(key)} failed ${items.length} times, the last time with: ${words(reason)}`,
    instead:
      'Say in AGENTS.md how it is run here, or mend what it needs, so that no session finds it out again. `reprise chronicle improve` proposes the lines.',
    count: items.length,
    sessions: sessionsOf(items),
  }
}

const pastedPrompts: Rule = ({ prompts }) => {
  const long = prompts.filter(({ text }) => text.trim().length >= 20)
  const [most] = largest(long, promptKey).filter(({ items }) => sessionsOf(items).length >= 3)
  if (most === undefined) return undefined
  const sessions = sessionsOf(most.items)
  return {
    habit: 'pasted-prompt',
    title: 'The same prompt goes into session after session',
    seen: `${words(most.items[0]?.text ?? '')} was given in ${counted(sessions.length, 'session')}.`,
    instead:
      'Put what always holds into AGENTS.md or on the board (`reprise board add`), and give only what is new.',
    count: most.items.length,
    sessions,
  }
}

const repeatedPrompts: Rule = ({ prompts }) => {
  const last = new Map<string, string>()
  const repeats = prompts.filter((prompt) => {
    const isSame = last.get(prompt.sessionId) === promptKey(prompt)
    last.set(prompt.sessionId, promptKey(prompt))
    return isSame
  })
  if (repeats.length < 3) return undefined
  return {
    habit: 'repeated-prompt',
    title: 'A prompt is sent again as it was',
    seen: `${counted(repeats.length, 'prompt')} came twice in a row in the same session.`,
    instead:
      'Take the attempt back with `reprise sessions undo` and say what was wrong with it: a failed attempt that stays in the history is read again every time.',
    count: repeats.length,
    sessions: sessionsOf(repeats),
  }
}

const cutShort: Rule = ({ prompts, calls }) => {
  const last = new Map(prompts.map(({ sessionId, turn }) => [sessionId, turn]))
  const cut = [
    ...prompts.filter(
      ({ sessionId, turn, isAnswered }) => !isAnswered && last.get(sessionId) !== turn,
    ),
    ...calls.filter((call) => troubleOf(call)?.kind === 'interrupted'),
  ]
  const turns = new Set(cut.map(({ sessionId, turn }) => `${sessionId} ${turn}`))
  if (turns.size < 3 || turns.size * 10 < prompts.length) return undefined
  return {
    habit: 'cancelled-turns',
    title: 'Many turns are cut short',
    seen: `${counted(turns.size, 'turn')} of ${prompts.length} ended without an answer or in the middle of a tool.`,
    instead:
      'Ask for a plan first (`reprise sessions plan`), or steer while the turn runs, instead of cancelling it.',
    count: turns.size,
    sessions: sessionsOf(cut),
  }
}

const refusedTools: Rule = ({ calls }) => {
  const refused = calls.filter((call) => troubleOf(call)?.kind === 'denied')
  if (refused.length < 3) return undefined
  const [most] = largest(refused, whatOf)
  return {
    habit: 'refused-permissions',
    title: 'Permissions are refused again and again',
    seen: `${counted(refused.length, 'call')} came to nothing because permission was refused, most often ${code(most?.key ?? '')}.`,
    instead:
      'Allow what is harmless once and for all, as in `reprise config set permissions.allow \'["shell(git status*)"]\'`, and forbid in AGENTS.md what must never be done.',
    count: refused.length,
    sessions: sessionsOf(refused),
  }
}

const LONG_CHARS = 200_000

const neverCompacted: Rule = ({ sessions }) => {
  const long = sessions.filter(
    ({ turns, chars, checkpoints }) => checkpoints === 0 && (turns >= 30 || chars >= LONG_CHARS),
  )
  if (long.length === 0) return undefined
  return {
    habit: 'no-compaction',
    title: 'Long sessions carry all of their history',
    seen: `${counted(long.length, 'session')} went on for 30 turns or 200,000 characters without a compaction.`,
    instead:
      'Compact when a part of the work is done (`reprise sessions compact @latest`), or start anew for a new task: every turn pays for all before it.',
    count: long.length,
    sessions: long.map(({ id }) => id),
  }
}

const neverPlanned: Rule = ({ sessions }) => {
  const large = sessions.filter(
    ({ turns, files, hasPlan }) => turns >= 15 && files >= 5 && !hasPlan,
  )
  if (large.length === 0) return undefined
  return {
    habit: 'no-plan',
    title: 'Large work is done without a plan',
    seen: `${counted(large.length, 'session')} of 15 turns or more changed 5 files or more without a plan.`,
    instead:
      'Ask for a plan before the first edit. It survives compaction, and `reprise sessions plan` shows it.',
    count: large.length,
    sessions: large.map(({ id }) => id),
  }
}

const neverNamed: Rule = ({ sessions }) => {
  const unnamed = sessions.filter(({ named }) => !named)
  if (sessions.length < 5 || unnamed.length * 5 < sessions.length * 4) return undefined
  return {
    habit: 'no-names',
    title: 'Sessions have no names',
    seen: `${unnamed.length} of ${counted(sessions.length, 'session')} were never named.`,
    instead:
      'Name what you will come back to: `reprise -n "Lease tests" -p "…"`, or `reprise sessions rename @latest "…"`. A name also keeps a session from being pruned.',
    count: unnamed.length,
    sessions: unnamed.map(({ id }) => id),
  }
}

const startedAnew: Rule = ({ sessions }) => {
  const short = sessions.filter(({ turns }) => turns === 1)
  if (short.length < 10 || short.length * 5 < sessions.length * 3) return undefined
  return {
    habit: 'one-turn-sessions',
    title: 'Most sessions end after one turn',
    seen: `${short.length} of ${counted(sessions.length, 'session')} have one turn only.`,
    instead:
      '`reprise --continue -p "…"` goes on with the nearest session, which knows already what was done.',
    count: short.length,
    sessions: short.map(({ id }) => id),
  }
}

const rules: readonly Rule[] = [
  failingCommands,
  pastedPrompts,
  repeatedPrompts,
  cutShort,
  refusedTools,
  neverCompacted,
  neverPlanned,
  neverNamed,
  startedAnew,
]

const promptKey = ({ text }: Prompt): string => text.toLowerCase().replace(/\s+/g, ' ').trim()

const sessionsOf = (items: readonly { readonly sessionId: string }[]): string[] => [
  ...new Set(items.map(({ sessionId }) => sessionId)),
]

function largest<T>(items: readonly T[], keyOf: (item: T) => string) {
  return Array.from(Map.groupBy(items, keyOf), ([key, all]) => ({ key, items: all })).sort(
    (a, b) => b.items.length - a.items.length,
  )
}
