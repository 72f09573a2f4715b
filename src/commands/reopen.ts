/** `/reopen`: the sessions that were open when Reprise ended without being asked to, with what waits in each. */
import { z } from 'zod'
import type { LeftOpen } from '../engine/sessions/crash-recovery.ts'
import { ago, counted } from '../lib/quantities.ts'
import { sessionTitle } from '../state/session-title.ts'
import { command, type Wording } from './command.ts'
import { code, plain } from './markdown.ts'

export const reopen = command({
  name: 'reopen',
  summary: 'sessions that were open in a crash or a reboot, with what waits in them',
  changes: 'nothing',
  on: 'home',
  args: z.object({}),
  async run({ engine }) {
    const left = await engine.leftOpen()
    await engine.toldLeftOpen()
    return { sessions: left }
  },
  say({ sessions }, wording) {
    if (sessions.length === 0) return 'No session was left open.'
    return [
      `${wereOpen(sessions.length)}:`,
      '',
      ...sessions.map((each) => lineOf(each, wording)),
      '',
      'What waits in one is there when it is opened: its questions can be answered, its messages go on when you say so.',
    ].join('\n')
  },
})

/** How many were open when a crash, a kill or a reboot came. */
export const wereOpen = (count: number): string =>
  `${counted(count, 'session')} ${count === 1 ? 'was' : 'were'} still open when Reprise was stopped`

const lineOf = (left: LeftOpen, { call, now }: Wording): string => {
  const { session } = left
  const when = ago(session.modifiedAt, now().getTime())
  return `- ${plain(sessionTitle(session))} (${[when, ...leftWords(left)].join(', ')}): ${code(call('resume', session.id.slice(0, 8)))}`
}

/** What a session that was left open has for a person. */
export function leftWords({ wasRunning, asks, waiting }: LeftOpen): readonly string[] {
  const turn = asks ? 'it asks you something' : 'its turn was cut short'
  return [
    ...(wasRunning || asks ? [turn] : []),
    ...(waiting.length > 0 ? [`${counted(waiting.length, 'message')} waiting to be sent`] : []),
  ]
}
