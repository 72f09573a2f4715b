/**
 * What a message names with `@`, or has attached by its path, goes along with it: the text of a file, a picture, the
 * names in a folder. It is read once, when the message is taken, and recorded with it, so that the model is given the
 * same in every later request. Outside of the project only what rules or grants allow is read; of the rest the agent is
 * told that it may ask. A file of the session's own folder (a long paste of a terminal) is the person's text: every
 * kind of agent is given it, up to a limit of its own.
 */
import { homedir } from 'node:os'
import { isAbsolute, join, relative } from 'node:path'
import type { Payload } from '../../format/event.ts'
import { sessionFolder } from '../../format/paths.ts'
import { defined } from '../../lib/defined.ts'
import { isBelow } from '../../lib/is-below.ts'
import { realPath } from '../../lib/real-path.ts'
import { kindAt, readNamed } from '../../project/read-named.ts'
import { mentionsIn, type MentionReading } from '../../state/mentions.ts'
import { headAndTail } from '../../state/preview.ts'
import { quoted } from '../../state/quoting.ts'
import type { Agent } from '../agent.ts'
import type { EngineContext } from '../engine-context.ts'
import type { LiveSession } from '../live/live-session.ts'
import { mayRead, mayReadUnasked } from './answer.ts'
import type { Message } from './message.ts'

type Attachment = NonNullable<Payload<'user.message'>['attachments']>[number]
type FileAttachment = Extract<Attachment, { type: 'file' | 'directory' }>

/** What goes along with a message. */
type Along = {
  readonly attachments: readonly Attachment[]
  /** For the model: texts of files. */
  readonly notes: readonly string[]
}

const MOST_CHARS = 48 * 1024
const MOST_CHARS_IN_ALL = 160 * 1024
const MOST_NAMES = 200

/** About a hundred thousand tokens: what fits beside a conversation into the window of a current model. */
const MOST_CHARS_OF_SESSION_FILES = 400 * 1024
const MOST_BYTES_OF_SESSION_FILE = 64 * 1024 * 1024

/** Another sender than a person names files by chance. */
const isOfPerson = ({ source }: Message): boolean => source === undefined || source === 'user'

export async function alongWith(
  engine: EngineContext,
  session: LiveSession,
  agent: Agent,
  message: Message,
): Promise<Along> {
  const given = message.attachments ?? []
  const typed = message.displayPrompt ?? message.prompt
  const mentioned = isOfPerson(message) ? await mentionedFiles(session.project.cwd, typed) : []
  const known = new Set(given.flatMap((each) => ('path' in each ? [each.path] : [])))
  const named = [...given, ...mentioned.filter(({ path }) => !known.has(path))]
  if (!named.some((each) => each.type === 'file' || each.type === 'directory'))
    return { attachments: given, notes: [] }
  const attachments: Attachment[] = []
  const notes: string[] = []
  const ownFolder = await realPath(engine.fs.nativePath(sessionFolder(session.dir, 'files')))
  let left = MOST_CHARS_IN_ALL
  let leftForOwn = MOST_CHARS_OF_SESSION_FILES
  for (const each of named) {
    if (each.type !== 'file' && each.type !== 'directory') {
      attachments.push(each)
      continue
    }
    const place = await realPath(
      isAbsolute(each.path) ? each.path : join(session.project.cwd, each.path),
    )
    const isOwn = isBelow(ownFolder, place)
    const limit = isOwn ? leftForOwn : Math.min(MOST_CHARS, left)
    const { attachment, note } = await readAlong(engine, session, each, { place, isOwn, limit })
    attachments.push(attachment)
    // An agent of another kind is given the path in its own protocol, and reads a file of the project itself.
    if (note === undefined || (agent.takesFiles !== true && !isOwn)) continue
    notes.push(note)
    if (isOwn) leftForOwn = Math.max(0, leftForOwn - note.length)
    else left = Math.max(0, left - note.length)
  }
  return { attachments, notes }
}

async function mentionedFiles(cwd: string, text: string): Promise<readonly FileAttachment[]> {
  const found: FileAttachment[] = []
  for (const { readings } of mentionsIn(text)) {
    for (const reading of readings) {
      const attachment = await attachmentOf(cwd, reading)
      if (attachment === undefined) continue
      found.push(attachment)
      break
    }
  }
  return found
}

async function attachmentOf(
  cwd: string,
  { path, lines }: MentionReading,
): Promise<FileAttachment | undefined> {
  if (path.includes('\0')) return undefined
  const written = /^~(?=[/\\]|$)/.test(path) ? join(homedir(), path.slice(1)) : path
  const whole = isAbsolute(written) ? written : join(cwd, written)
  const kind = await kindAt(whole)
  if (kind === undefined) return undefined
  if (kind === 'folder') return { type: 'directory', path: whole, displayName: path }
  return { type: 'file', path: whole, displayName: path, ...defined({ lineRange: lines }) }
}

async function readAlong(
  engine: EngineContext,
  session: LiveSession,
  attachment: FileAttachment,
  {
    place,
    isOwn,
    limit,
  }: { readonly place: string; readonly isOwn: boolean; readonly limit: number },
): Promise<{ readonly attachment: Attachment; readonly note?: string }> {
  const here = await realPath(session.project.cwd)
  const whereNamed = isAbsolute(attachment.path)
    ? attachment.path
    : join(session.project.cwd, attachment.path)
  const shown = isBelow(here, place) && place !== here ? relative(here, place) : place
  const lineRange = attachment.type === 'file' ? attachment.lineRange : undefined
  const lines = lineRange && `${lineRange.start}-${lineRange.end}`
  const say = (text: string, more: Readonly<Record<string, string | undefined>> = {}) =>
    quoted('attached', { path: shown, lines, ...more }, text)
  if ((await kindAt(place)) === undefined) return { attachment }
  const mayBeRead =
    isOwn || isBelow(here, place)
      ? await mayRead(engine, session, place)
      : await mayReadUnasked(engine, session, place)
  if (!mayBeRead) return { attachment, note: say(NOT_READ, { read: 'no' }) }
  const named = await readNamed(place, {
    ...defined({ lines: lineRange }),
    ...(isOwn && { mostBytes: MOST_BYTES_OF_SESSION_FILE }),
  })
  switch (named.kind) {
    case 'picture': {
      const { mimeType, data } = named
      return { attachment: { type: 'blob', mimeType, data, displayName: shown } }
    }
    case 'folder': {
      const more = named.names.length - MOST_NAMES
      const names = [
        ...named.names.slice(0, MOST_NAMES),
        ...(more > 0 ? [`… and ${more} more`] : []),
      ]
      return { attachment, note: say(names.join('\n'), { type: 'folder' }) }
    }
    case 'text': {
      const taggedFilesEntry = `* ${whereNamed} (${named.lineCount} lines)`
      const text = limit === 0 ? TOO_MUCH : headAndTail(named.text, limit)
      return { attachment: { ...attachment, taggedFilesEntry }, note: say(text) }
    }
    case 'other':
      return { attachment, note: say(`Not shown: ${named.why}.`, { read: 'no' }) }
  }
}

const NOT_READ =
  'Not read: it lies outside of the project, or a rule denies it. The tool view asks a person to allow it.'
const TOO_MUCH = 'Not shown: more was named than goes into one message. The tool view shows it.'
