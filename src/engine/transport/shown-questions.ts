/**
 * Questions of an agent, shown to other processes while they wait: a question is told and never stored, so a
 * process that looks on learns of it from the inbox.
 */
import { readShownQuestion, type ShownQuestion } from '../../format/inbox.ts'
import type { SessionFs } from '../../fs/session-fs.ts'
import { serially } from '../../lib/coalesce.ts'
import { readLease } from '../../log/lease.ts'
import type { EngineContext } from '../engine-context.ts'
import { asLogged } from '../live/as-logged.ts'
import { encodeFile, inboxFolder, questionPath, readSmall, viewInbox } from './inbox-files.ts'
import type { LiveSession } from '../live/live-session.ts'

/** Gives the way to take it back. A question that cannot be shown is still asked here. */
export async function showQuestion(
  engine: EngineContext,
  session: LiveSession,
  asked: Omit<ShownQuestion, 'version'>,
): Promise<() => Promise<void>> {
  const path = questionPath(inboxFolder(session.dir), asked.requestId)
  if (path === undefined || !engine.fs.isShared) return async () => {}
  try {
    const question = { version: 1, ...asked, ...(await withoutSecrets(engine, asked)) } as const
    await engine.fs.writeAtomic(path, encodeFile(question satisfies ShownQuestion), {
      durable: false,
    })
  } catch {
    // It can be answered from here all the same.
    return async () => {}
  }
  // A file that is left says a question of a turn that has ended: nothing waits for an answer to it.
  return () => engine.fs.remove(path).catch(() => {})
}

/** The files are read by other processes and may outlive this one: no secret goes into them. */
async function withoutSecrets(
  engine: EngineContext,
  { question, choices }: Pick<ShownQuestion, 'question' | 'choices'>,
): Promise<Pick<ShownQuestion, 'question' | 'choices'>> {
  const clean = (text: string) => asLogged(engine, text)
  return {
    question: await clean(question),
    ...(choices !== undefined && { choices: await Promise.all(choices.map(clean)) }),
  }
}

/** What waits now, as another process shows it. What one that died has left is no question any more. */
export async function shownQuestions(fs: SessionFs, dir: string): Promise<ShownQuestion[]> {
  const folder = inboxFolder(dir)
  const shown: ShownQuestion[] = []
  for (const requestId of (await viewInbox(fs, folder)).questions) {
    const path = questionPath(folder, requestId)
    const text = path === undefined ? undefined : await readSmall(fs, path)
    const question = text === undefined ? undefined : readShownQuestion(text)
    if (question?.requestId === requestId) shown.push(question)
  }
  const isAlive = shown.length > 0 && (await readLease(fs, dir))?.alive === true
  return isAlive ? shown : []
}

/** Tells those who watch here what other processes ask, as if it were asked here. */
export function watchQuestions(
  fs: SessionFs,
  session: () => Pick<LiveSession, 'dir' | 'writing' | 'feed'>,
): Disposable {
  const known = new Set<string>()
  let isOver = false
  const look = serially(async () => {
    const { dir, writing, feed } = session()
    if (isOver) return
    const questions = writing.writer === undefined ? await shownQuestions(fs, dir) : []
    if (isOver) return
    for (const { version: _version, ...data } of questions) {
      if (known.has(data.requestId)) continue
      known.add(data.requestId)
      feed.tell({ type: 'user_input.requested', data: { ...data, allowFreeform: true } })
    }
    for (const requestId of known) {
      if (questions.some((question) => question.requestId === requestId)) continue
      known.delete(requestId)
      tellGone(requestId)
    }
  })
  const tellGone = (requestId: string) =>
    session().feed.tell({ type: 'user_input.completed', data: { requestId } })
  // What cannot be read now is read at the next change.
  const lookQuietly = () => void look().catch(() => {})
  const watch = fs.watch(inboxFolder(session().dir), lookQuietly)
  lookQuietly()
  return {
    [Symbol.dispose]() {
      isOver = true
      watch[Symbol.dispose]()
      for (const requestId of known) tellGone(requestId)
    },
  }
}
