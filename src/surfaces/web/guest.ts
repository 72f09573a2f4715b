/**
 * Lets a guest watch one session until a time. Nothing is kept about it: what they hold names the session and the
 * time and is sealed with the guest key, so an owner who replaces the key ends all of them.
 */
import { createHmac } from 'node:crypto'
import { asSessionId, type SessionId } from '../../format/ids.ts'
import { sameText } from './same-text.ts'

export type Guest = { readonly sessionId: SessionId; readonly expiresAtMs: number }

/** 256 bits. Asked for each time: another process may have replaced it. */
export interface GuestKey {
  /** Undefined when there is none yet, and so no guest. */
  read(): Promise<Uint8Array | undefined>
  /** The one there is, or a new one. */
  make(): Promise<Uint8Array>
}

/** What is sealed: neither may be used in the place of the other. */
type Use = 'link' | 'cookie'

export function sealGuest(key: Uint8Array, use: Use, { sessionId, expiresAtMs }: Guest): string {
  const named = `${sessionId}.${Math.floor(expiresAtMs / 1000).toString(36)}`
  return `${named}.${sealOf(key, use, named)}`
}

/** Undefined for what was not sealed with this key for this use, and from the time on that it names. */
export function openGuest(
  key: Uint8Array,
  use: Use,
  text: string,
  nowMs: number,
): Guest | undefined {
  const [, named = '', id = '', seconds = '', seal = ''] = SEALED.exec(text) ?? []
  if (!sameText(seal, sealOf(key, use, named))) return undefined
  const expiresAtMs = Number.parseInt(seconds, 36) * 1000
  return nowMs < expiresAtMs ? { sessionId: asSessionId(id), expiresAtMs } : undefined
}

const SEALED = /^(([0-9a-f-]{36})\.([0-9a-z]{1,10}))\.([\w-]{43})$/

const sealOf = (key: Uint8Array, use: Use, named: string): string =>
  createHmac('sha256', key).update(`reprise web guest ${use}\n${named}`).digest('base64url')
