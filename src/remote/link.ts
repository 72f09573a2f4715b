/**
 * What a session's folder knows of its copy in Mission Control: on which server it is, what was wanted of it here, and
 * how far it went when this machine last looked. The server is asked anyway before anything is sent; what stands here
 * saves reading the whole log.
 */
import { z } from 'zod'
import type { SessionId } from '../format/ids.ts'
import { layout } from '../format/layout.ts'
import { inSession, logPath, readName, sessionDir, TRASH } from '../format/paths.ts'
import type { SessionFs } from '../fs/session-fs.ts'
import { decodeText, encodeText } from '../lib/bytes.ts'
import type { ServerHead } from './server-heads.ts'
import { stands } from './log-unchanged.ts'

/** `steer`: exported, and people may act in it from afar. */
const MODES = ['off', 'export', 'steer'] as const

const End = z.object({
  generation: z.int(),
  events: z.int(),
  lastEventId: z.string(),
})
/** How far a generation of the copy goes. */
export type End = z.output<typeof End>

const Copy = z.object({
  head: End,
  /** Behind the last exported record in the log. */
  logSize: z.int(),
  /** Of the last record, as it was sent. */
  tailHash: z.string().optional(),
  /** Generations that a rewind left: a redo goes on from the end of one of them. */
  left: z.array(End),
})
export type Copy = z.output<typeof Copy>

const Link = z.object({
  version: z.literal(1),
  /** A link of another server is neither used nor overwritten. */
  server: z.string(),
  mode: z.enum(MODES).optional(),
  /** The task of Mission Control that it stands for, where a program named one. */
  task: z.string().optional(),
  copy: Copy.optional(),
})
type Link = z.output<typeof Link>

export async function readLink(fs: SessionFs, dir: string): Promise<Link | undefined> {
  const bytes = await fs.read(inSession(dir, 'remote'))
  if (bytes === undefined) return undefined
  try {
    return Link.safeParse(JSON.parse(decodeText(bytes))).data
  } catch {
    // Torn or foreign: the server knows how far it is.
    return undefined
  }
}

/** Also of a session that lies in the trash, the newest there. */
export async function lastLink(fs: SessionFs, id: SessionId): Promise<Link | undefined> {
  const here = await readLink(fs, sessionDir(id))
  if (here !== undefined || (await fs.stat(sessionDir(id))) !== undefined) return here
  const trashed = (await fs.list(TRASH))
    .map(({ name }) => ({ name, ...readName(layout.home.trashed, name) }))
    .filter((each) => each.id === id)
    .sort((a, b) => Number(b.ms) - Number(a.ms))
  for (const { name } of trashed) {
    const link = await readLink(fs, `${TRASH}/${name}`)
    if (link !== undefined) return link
  }
  return undefined
}

export const writeLink = (fs: SessionFs, dir: string, link: Link): Promise<void> =>
  fs.writeAtomic(inSession(dir, 'remote'), encodeText(JSON.stringify(link)), { durable: false })

/** The server has what this machine sent last: as many events, and the last one byte for byte. */
export const isAsRemembered = ({ head, tailHash }: Copy, there: ServerHead): boolean =>
  head.generation === there.generation &&
  head.events === there.events &&
  (there.lastEventId ?? head.lastEventId) === head.lastEventId &&
  (tailHash ?? there.tailHash) === (there.tailHash ?? tailHash)

/** The log ends with the event that the copy ends with: a rewound one may have the same size. */
export async function endsThere(fs: SessionFs, dir: string, copy: Copy): Promise<boolean> {
  const { head, logSize } = copy
  if ((await fs.stat(logPath(dir)))?.size !== logSize) return false
  return logSize === 0 || stands(fs, logPath(dir), { id: head.lastEventId, end: logSize })
}
