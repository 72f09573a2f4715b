/** How far a session is, and what says so. The first rule that fits decides. */
import type { LastCall, WorkedSession } from './standup-evidence.ts'
import { code, words } from './words.ts'

export const statuses = ['done', 'inProgress', 'blocked'] as const
export type Status = (typeof statuses)[number]

type Standing = {
  readonly status: Status
  /** In Markdown. Empty when there is nothing to add. */
  readonly because: string
}

/** So long after its last event a session without an answer may still be at work. */
const AT_WORK_MS = 10 * 60_000

export function standingOf(session: WorkedSession, now: Date): Standing {
  const { lastAnswer, failure, lastCall, checkpoint, turnsSinceCheckpoint } = session
  const answer = lastAnswer.trim()
  if (failure !== undefined) return { status: 'blocked', because: `failed: ${words(failure)}` }
  if (session.isStopped === true) return { status: 'inProgress', because: stopped(lastCall) }
  if (answer === '' || lastCall?.isOpen === true) return unfinished(session, now)
  const trouble = troubleWith(lastCall)
  if (trouble !== undefined) return { status: 'blocked', because: trouble }
  const obstacle = sentences(answer).findLast((sentence) => OBSTACLE.test(sentence))
  if (obstacle !== undefined) return { status: 'blocked', because: `said: ${words(obstacle)}` }
  const last = sentences(answer).at(-1) ?? ''
  if (last.endsWith('?')) return { status: 'inProgress', because: `asks: ${words(last)}` }
  if (checkpoint !== undefined && checkpoint.nextSteps.trim() !== '' && turnsSinceCheckpoint <= 0) {
    return {
      status: 'inProgress',
      because: `checkpoint ${checkpoint.number} says what is left`,
    }
  }
  return { status: 'done', because: '' }
}

function stopped(call: LastCall | undefined): string {
  const isMiddle = call !== undefined && (call.isOpen || call.trouble?.kind === 'interrupted')
  return isMiddle ? `stopped in the middle of ${code(call.what)}` : 'stopped'
}

function unfinished({ updatedAt, lastCall }: WorkedSession, now: Date): Standing {
  if (now.getTime() - Date.parse(updatedAt) < AT_WORK_MS) {
    return { status: 'inProgress', because: 'the last turn is not over' }
  }
  const where = lastCall?.isOpen === true ? ` in the middle of ${code(lastCall.what)}` : ''
  const trouble = troubleWith(lastCall)
  return {
    status: 'blocked',
    because: trouble ?? `the last turn ended without an answer${where}`,
  }
}

function troubleWith(call: LastCall | undefined): string | undefined {
  if (call?.trouble === undefined) return undefined
  const { what, trouble } = call
  switch (trouble.kind) {
    case 'denied':
      return `permission was refused for ${code(what)}`
    case 'interrupted':
      return `${code(what)} was interrupted`
    case 'failed':
      return `${code(what)} failed: ${words(trouble.reason)}`
    case 'exit':
      return `${code(what)} ended with ${words(trouble.reason)}`
  }
}

const OBSTACLE =
  /\b(?:i(?: am|'m) (?:blocked|stuck)|blocked (?:by|on|until)|(?:can(?:not|'t)|could(?: not|n't)) (?:continue|proceed)|unable to (?:continue|proceed)|waiting for)\b/i

const sentences = (text: string): string[] =>
  text
    .split(/(?<=[.!?])\s+|\n+/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence))
