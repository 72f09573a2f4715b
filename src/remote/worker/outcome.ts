/** What came of a task: its changes as a branch and as a diff, and what the agent said last. */
import type { Session } from '../../engine/session.ts'
import { MOST_TEXT, type TaskResult } from '../../format/task.ts'
import { defined } from '../../lib/defined.ts'
import { git } from '../git/git.ts'
import { makePatch, type Patch } from '../git/make-patch.ts'
import { folderOf, type Checkout } from './checkout.ts'

type OutcomeParts = {
  readonly id: string
  readonly checkout: Checkout
  readonly session: Session
  readonly redactText: (text: string) => string
  readonly push: boolean
}

/** Of the files as they are now. */
export const changesIn = (
  { cwd, base }: Checkout,
  redactText: (text: string) => string,
): Promise<Patch> => makePatch({ cwd, base, redactText })

type Outcome = { readonly result: TaskResult; readonly reason?: string }

export async function outcomeOf(parts: OutcomeParts): Promise<Outcome> {
  const { id, checkout, session, redactText, push } = parts
  const { repository, base, isLocal } = checkout
  const { text, leftOut, tree } = await changesIn(checkout, redactText)
  const answer = await lastAnswer(session, redactText)
  const isLarge = text.length > MOST_TEXT
  const told: TaskResult = {
    base,
    leftOut: [...leftOut],
    ...defined({ answer, diff: isLarge ? undefined : text }),
  }
  if (text === '') return { result: told }
  const branch = `reprise/${folderOf(id).slice(0, 8)}`
  const message = ['-m', `Task ${id}`, '-m', `Session ${session.id}`]
  const options = { cwd: repository }
  const commit = (await git(['commit-tree', tree, '-p', base, ...message], options)).trim()
  await git(['update-ref', `refs/heads/${branch}`, commit], options)
  const isPushed = push && (await pushed(repository, branch, isLocal))
  const result = { ...told, branch, commit, isPushed }
  return isLarge ? { result, reason: LARGE } : { result }
}

const LARGE = 'The changes are larger than a diff may be here: they are in the branch alone.'

/** That it could not be pushed loses nothing: the diff is told, and the branch is here. */
const pushed = (cwd: string, branch: string, mayBeLocal: boolean): Promise<boolean> =>
  git(['push', '--no-verify', '--force', 'origin', `refs/heads/${branch}`], {
    cwd,
    mayBeLocal,
  }).then(
    () => true,
    () => false,
  )

async function lastAnswer(
  session: Session,
  redactText: (text: string) => string,
): Promise<string | undefined> {
  const { events } = await session.events({ direction: 'backward', limit: 100 })
  const said = events.find(({ type }) => type === 'assistant.message')
  const { content } = (said?.data ?? {}) as { readonly content?: unknown }
  return typeof content === 'string' && content !== '' ? redactText(content) : undefined
}
