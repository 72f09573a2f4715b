/**
 * Notices: what is told to the followers of now and is never stored. Their types are not those of
 * drafts, so none can be appended to a log by mistake.
 */
import type { z } from 'zod'
import { defined } from '../lib/defined.ts'
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

/** Undefined when it is none that we know, or not of its form. */
export function readNotice(value: unknown): Notice | undefined {
  const { type, data, agentId } = (value ?? {}) as Partial<Record<keyof Notice, unknown>>
  if (typeof type !== 'string' || !isNoticeType(type)) return undefined
  const read = noticeSchemas[type].safeParse(data)
  if (!read.success || (agentId !== undefined && typeof agentId !== 'string')) return undefined
  return { type, data: read.data, ...defined({ agentId }) } as Notice
}

export const isNoticeType = (type: string): type is NoticeType => Object.hasOwn(noticeSchemas, type)
