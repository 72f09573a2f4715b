/** `/remote`: whether a session has a copy in Mission Control, and may be acted in from there. */
import { z } from 'zod'
import type { RemoteControl, RemoteMode, RemoteStatus } from '../engine/remote-control.ts'
import { relativeTime } from '../lib/quantities.ts'
import { command, type CommandContext, type Wording } from './command.ts'
import { noMissionControl } from './find-session.ts'
import { plain } from './markdown.ts'
import { linkWithCode } from './qr.ts'

export type Told = RemoteStatus & { readonly id: string; readonly server: string }

export const remote = command({
  name: 'remote',
  summary: 'whether copies go to Mission Control, and where they are watched and steered',
  changes: 'nothing',
  on: 'session',
  args: z.object({}),
  run: async (context) => {
    const control = await remoteOf(context)
    const session = await context.session()
    return told(control, session.id, await control.status(session.id))
  },
  say: sayStatus,
})

export const remoteOn = command({
  name: 'remote on',
  summary: 'keep a copy of this session in Mission Control',
  changes: 'settings',
  on: 'session',
  args: z.object({
    steer: z.boolean().optional().describe('and let it be acted in from there'),
  }),
  run: (context, { steer }) => set(context, steer === true ? 'steer' : 'export'),
  say: sayStatus,
})

export const remoteOff = command({
  name: 'remote off',
  summary: 'send nothing more of this session to Mission Control',
  changes: 'settings',
  on: 'session',
  args: z.object({}),
  run: (context) => set(context, 'off'),
  say: sayStatus,
})

export const remoteList = command({
  name: 'remote list',
  summary: 'the sessions that Mission Control shows you',
  changes: 'nothing',
  on: 'home',
  args: z.object({}),
  run: async (context) => ({ sessions: await (await remoteOf(context)).sessions() }),
  say({ sessions }, { now }) {
    if (sessions.length === 0) return 'Mission Control shows you no sessions.'
    return sessions
      .map(({ id, name, machine, state, isStale, modifiedTime }) => {
        const where = machine === null ? '' : ` on ${machine}`
        const heard = isStale ? 'not heard of' : state
        return `- ${id.slice(0, 8)} ${plain(name ?? 'unnamed')} (${heard}${plain(where)}, ${relativeTime(modifiedTime, now().getTime())})`
      })
      .join('\n')
  },
})

export const remoteApprove = command({
  name: 'remote approve',
  summary: 'say yes to another machine that shows this code, as yourself',
  changes: 'settings',
  on: 'home',
  args: z.object({
    code: z.string().describe('what "reprise remote login" showed there'),
    no: z.boolean().optional().describe('say no: the code is of no use any more'),
  }),
  words: ['code'],
  run: async (context, { code, no }) =>
    (await remoteOf(context)).approve(code, { isApproved: no !== true }),
  say: ({ machine, isApproved }) =>
    isApproved
      ? `${plain(machine)} has joined as you. Its token ends with "reprise control token revoke", or on the server.`
      : `${plain(machine)} was refused.`,
})

export const remoteLink = command({
  name: 'remote link',
  summary: 'a link that opens Mission Control in a browser, signed in as yourself',
  changes: 'nothing',
  on: 'home',
  args: z.object({}),
  run: async (context) => (await remoteOf(context)).link(),
  say: ({ link }) => `${linkWithCode(link)}\n\nIt works once, within ten minutes.`,
})

async function set(context: CommandContext, mode: RemoteMode): Promise<Told> {
  const control = await remoteOf(context)
  const session = await context.session()
  return told(control, session.id, await control.set(session.id, mode))
}

export const told = ({ url }: RemoteControl, id: string, status: RemoteStatus): Told => ({
  ...status,
  id,
  server: url,
})

export async function remoteOf({ engine }: CommandContext): Promise<RemoteControl> {
  const control = await engine.remote?.()
  if (control !== undefined) return control
  throw noMissionControl()
}

export function sayStatus(
  { mode, state, server, url, error, at, machine }: Told,
  { call, now }: Wording,
): string {
  if (mode === 'off')
    return `Nothing of this session is sent to ${server}. ${call('remote on')} keeps a copy there.`
  const shown = url === undefined ? '' : `\n\n${linkWithCode(url)}`
  const age = at === undefined ? '' : relativeTime(at.toISOString(), now().getTime())
  if (machine !== undefined) {
    const heard = state === 'active' ? `it was heard of ${age}` : `it was last heard of ${age}`
    const how = mode === 'steer' ? 'it can be acted in from here' : 'it can only be read'
    return `This session runs on ${plain(machine)}: ${heard}, and ${how}.${shown}`
  }
  if (state === 'error')
    return `The copy at ${server} is late, since ${age}: ${plain(error ?? '')} Nothing here is lost by that.${shown}`
  const steered = mode === 'steer' ? 'and can be steered from there' : 'for reading'
  if (state === 'connecting')
    return `A copy is kept at ${server}, ${steered}. It is being sent.${shown}`
  return `A copy is kept at ${server}, ${steered}; it was up to date ${age}.${shown}`
}
