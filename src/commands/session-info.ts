/** `/session info`: what is known about the session. */
import { z } from 'zod'
import { EngineError } from '../engine/errors.ts'
import type { Session } from '../engine/session.ts'
import { counted, relativeTime, sizeText } from '../lib/quantities.ts'
import type { SessionState } from '../state/session-state.ts'
import { sessionTitle } from '../state/session-title.ts'
import { command } from './command.ts'
import { code, plain } from './markdown.ts'

export const sessionInfo = command({
  name: 'session info',
  summary: 'what is known about the session',
  changes: 'nothing',
  on: 'session',
  args: z.object({}),
  async run(context) {
    const open = await context.session()
    const [session, state] = await Promise.all([open.metadata(), readableState(open)])
    return {
      session,
      numbers: state === undefined ? null : numbersOf(state),
      agent: state?.answeredBy ?? null,
      model: state?.model ?? null,
      mode: state?.mode ?? null,
    }
  },
  say({ session, numbers, agent, model, mode }, { now, call }) {
    const { holder, rewound } = session
    const when = (iso: string) => `${iso} (${relativeTime(iso, now())})`
    const rows: readonly (readonly [string, string | null | undefined])[] = [
      ['id', session.id],
      ['directory', session.cwd],
      ['repository', session.repository],
      ['branch', session.branch],
      ['answered by', agent],
      ['model', model],
      ['mode', mode],
      ['created', when(session.createdAt)],
      ['changed', when(session.modifiedAt)],
      ['written by', session.clientName],
      ['contents', numbers && contentsOf(numbers, session.bytes)],
      ['folder', `${session.path} (${sizeText(session.folderBytes)})`],
      ['taken back', rewound > 0 ? `${counted(rewound, 'time')}, kept for ${call('redo')}` : null],
      ['open in', holder && `${holder.label}, pid ${holder.pid} on ${holder.host}`],
    ]
    return [
      `**${plain(sessionTitle(session))}**`,
      '',
      ...rows.flatMap(([what, value]) => (value ? [`- ${what} ${code(value)}`] : [])),
    ].join('\n')
  },
})

/** A damaged beginning leaves a session without a state; everything else of it can still be shown. */
async function readableState(session: Session): Promise<SessionState | undefined> {
  try {
    return await session.state()
  } catch (error) {
    if (error instanceof EngineError && error.code === 'corrupt') return undefined
    throw error
  }
}

const numbersOf = (state: SessionState) => ({
  events: state.eventCount,
  turns: state.turns.length,
  messages: state.messageCount,
  checkpoints: state.compaction.checkpoints.length,
  strangers: state.strangerCount,
  errors: state.errorCount,
  aborts: state.abortCount,
})

const contentsOf = (
  { turns, events, checkpoints }: ReturnType<typeof numbersOf>,
  bytes: number,
): string =>
  [
    counted(turns, 'turn'),
    counted(events, 'event'),
    ...(checkpoints > 0 ? [counted(checkpoints, 'checkpoint')] : []),
    sizeText(bytes),
  ].join(', ')
