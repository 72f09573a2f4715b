/**
 * Notices: what is told to whoever listens now and is never stored. Their types are not those of
 * drafts, so none can be appended to a log by mistake.
 */
import type { z } from 'zod'
import { agentNotices } from './notices/agent.ts'
import { requestNotices } from './notices/request.ts'
import { sessionNotices } from './notices/session.ts'

export const noticeSchemas = { ...sessionNotices, ...agentNotices, ...requestNotices } as const

export type NoticeType = keyof typeof noticeSchemas
export type NoticePayload<T extends NoticeType> = z.output<(typeof noticeSchemas)[T]>

export type Notice = { [T in NoticeType]: NoticeOf<T> }[NoticeType]
export type NoticeOf<T extends NoticeType> = {
  readonly type: T
  readonly data: NoticePayload<T>
  readonly agentId?: string
}

export const isNoticeType = (type: string): type is NoticeType => Object.hasOwn(noticeSchemas, type)
