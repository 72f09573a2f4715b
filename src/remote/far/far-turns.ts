/** Turns of a session on another machine: messages, stopping, questions, its queue and its sub-agents. */
import type { Session } from '../../engine/session.ts'
import type { QueueView } from '../../engine/turn/queue.ts'
import type { Sent } from '../../engine/turn/send.ts'
import { turnElsewhere } from '../../engine/turn/turn-elsewhere.ts'
import { defined } from '../../lib/defined.ts'
import { wasIdle } from './ask-machine.ts'
import { atMachine, isRefused } from './far-link.ts'
import type { FarLink } from './far-link.ts'

const KINDS = { refuse: 'user_message', enqueue: 'queue', steer: 'steer' } as const

export const farTurns = ({ mirror, ask, operate, orElse, fresh, isThere }: FarLink) =>
  ({
    async send(message, { whenBusy = 'refuse' } = {}) {
      const { prompt, messageId = crypto.randomUUID(), displayPrompt, attachments } = message
      const ending = turnElsewhere({ messageId, lookMs: 2000, listen: mirror.listen })
      const content = {
        content: prompt,
        messageId,
        whenBusy,
        ...defined({ displayPrompt, attachments }),
      }
      try {
        const sent = await ask<Pick<Sent, 'how' | 'messageId'> | null>({
          kind: KINDS[whenBusy],
          content,
          mayWait: true,
        })
        const how = sent?.how ?? 'started'
        const isWaiting = async () =>
          (await operate<QueueView>('queue')).entries.some((entry) => entry.id === messageId)
        return { messageId, how, ended: ending.wait(how === 'queued' ? isWaiting : undefined) }
      } finally {
        ending[Symbol.dispose]()
      }
    },
    async cancel({ queue } = {}) {
      try {
        await ask({ kind: 'abort', content: defined({ queue }) })
        return true
      } catch (error) {
        if (wasIdle(error)) return false
        throw error
      }
    },
    pending: () => orElse('pending', async () => (await fresh()).pending()),
    continueWork: () => operate('continue'),
    answer: (promptId, { kind: decision, feedback, option }) =>
      ask({
        kind: 'permission_response',
        content: { promptId, decision, ...defined({ feedback, option }) },
      }),
    answerQuestion: (promptId, answer) =>
      ask({ kind: 'ask_user_response', content: { promptId, answer: answer ?? null } }),
    permissions: () => operate('permissions'),
    revoke: (number) => operate('revoke', { number }),
    async queue() {
      const nothing = { entries: [], isHeld: false }
      if (mirror.known()?.isSteerable !== true || !isThere()) return nothing
      return operate<QueueView>('queue').catch((error: unknown) => {
        if (isRefused(error)) return nothing
        throw error
      })
    },
    changeQueue: (change) => operate('queue-change', { change }),
    runTool: () => atMachine('run a tool in it'),
    startAgent: async () => false,
    tasks: {
      list: async () => (await fresh()).tasks.list(),
      start: () => atMachine('set a sub-agent to work in it'),
      message: () => atMachine('speak with a sub-agent of it'),
      cancel: () => atMachine('stop a sub-agent of it'),
      promote: () => atMachine('send a sub-agent of it to the background'),
      progress: async () => [],
      ended: async () => {},
    },
    schedules: {
      list: async () => (await fresh()).schedules.list(),
      add: () => atMachine('set a prompt for later in it'),
      stop: () => atMachine('take a scheduled prompt of it back'),
      rearm: () => atMachine('set a prompt for later in it'),
    },
    canvases: {
      record: () => atMachine('open a panel beside it'),
      remove: () => atMachine('close a panel beside it'),
    },
  }) satisfies Partial<Session>
