/**
 * The files of an inbox, in `<session>/.reprise/inbox/`. They pass between the processes that have one session open
 * and mean nothing once the work that they are about has ended:
 *
 *     serving                                there while the holder of the lease takes requests; empty: of the release before
 *     <15 digits of ms>-<nonce>.json         a request to the process that is at work; the names sort by age
 *     <15 digits of ms>-<nonce>.reply.json   what became of it; the first to create it decides
 *     question-<request>.json                a question of the agent that waits for a person
 *     notices.jsonl                          what the turn tells as it streams (live/stream-lines.ts)
 */
import { MOST_REQUEST_BYTES } from '../../format/inbox.ts'
import { layout } from '../../format/layout.ts'
import { fileName, readName, sessionFolder } from '../../format/paths.ts'
import type { SessionFs } from '../../fs/session-fs.ts'
import { decodeText, encodeText } from '../../lib/bytes.ts'
import { NOTICES } from '../live/stream-lines.ts'

const { session } = layout
export const SERVING = fileName(session.serving)

export const inboxFolder = (dir: string): string => sessionFolder(dir, 'request')

/** More than people write. */
export const MOST_REQUESTS = 100

export const requestPath = (folder: string, name: string): string =>
  `${folder}/${fileName(session.request, { sent: name })}`
export const replyPath = (folder: string, name: string): string =>
  `${folder}/${fileName(session.reply, { sent: name })}`
export const newRequestName = (nowMs: number): string =>
  `${String(nowMs).padStart(15, '0')}-${crypto.randomUUID()}`

/** Undefined for an id that cannot be part of a name. */
export function questionPath(folder: string, requestId: string): string | undefined {
  const name = fileName(session.question, { request: requestId })
  return readName(session.question, name) === undefined ? undefined : `${folder}/${name}`
}

type InboxView = {
  /** Names without their ends, oldest first. */
  readonly requests: readonly string[]
  readonly replies: readonly { readonly file: string; readonly atMs: number }[]
  /** The ids of the requests that they are about. */
  readonly questions: readonly string[]
  /** What has no name that we know. */
  readonly others: readonly string[]
}

export async function viewInbox(fs: SessionFs, folder: string): Promise<InboxView> {
  const requests: string[] = []
  const replies: { file: string; atMs: number }[] = []
  const questions: string[] = []
  const others: string[] = []
  for (const { name, kind } of await fs.list(folder)) {
    const request = readName(session.request, name)?.sent
    const reply = readName(session.reply, name)?.sent
    const question = readName(session.question, name)?.request
    if (kind === 'file' && request !== undefined) requests.push(request)
    else if (reply !== undefined) replies.push({ file: name, atMs: Number(reply.slice(0, 15)) })
    else if (question !== undefined) questions.push(question)
    else if (name !== SERVING && name !== NOTICES) others.push(name)
  }
  return { requests: requests.sort(), replies, questions, others }
}

export const encodeFile = (value: object): Uint8Array => encodeText(`${JSON.stringify(value)}\n`)

/** Undefined when it is gone; empty when it is larger than any of ours. */
export async function readSmall(fs: SessionFs, path: string): Promise<string | undefined> {
  const stat = await fs.stat(path)
  if (stat === undefined) return undefined
  if (stat.kind !== 'file' || stat.size > MOST_REQUEST_BYTES) return ''
  const bytes = await fs.read(path)
  return bytes && decodeText(bytes)
}
