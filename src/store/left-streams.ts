/**
 * What turns told and no event holds: of a turn that runs or was killed, and of turns after which another program went
 * on. It is found by search where it lies, until it is in the log. Only sessions that have such a file are looked at.
 */
import { sessionFolder, inSession, logPath } from '../format/paths.ts'
import type { SessionFs } from '../fs/session-fs.ts'
import { decodeText } from '../lib/bytes.ts'
import { readLog } from '../log/read.ts'
import { streamedIn, wordsOf } from '../state/streamed.ts'
import type { Artifact } from './artifacts.ts'
import { MAX_SPEECH, clean, head } from './text.ts'

/** More is not read for the sake of a search. */
const MOST_BYTES = 8 * 1024 * 1024

type LeftOptions = {
  readonly known: ReadonlyMap<string, { readonly size: number; readonly mtimeMs: number }>
  readonly redact: (text: string) => string
  /** Where the log's last turn begins that the store knows. */
  readonly lastTurn: number
}

export async function readLeftStreams(
  fs: SessionFs,
  dir: string,
  { known, redact, lastTurn }: LeftOptions,
): Promise<Artifact[]> {
  const running = inSession(dir, 'notices')
  const folder = sessionFolder(dir, 'unfinished')
  const serving = inSession(dir, 'serving')
  const [log, stat, aside, atWork] = await fs.statMany([logPath(dir), running, folder, serving])
  const paths = stat?.kind === 'file' ? [running] : []
  if (aside !== undefined)
    for (const { name } of await fs.list(folder)) paths.push(`${folder}/${name}`)
  const found: Artifact[] = []
  // A turn that has told nothing yet: its file comes without anything moving that is looked at here.
  if (stat === undefined && atWork !== undefined)
    found.push({ path: running.slice(dir.length + 1), size: -1, mtimeMs: 0, text: '' })
  if (paths.length === 0) return found
  for (const [index, each] of (await fs.statMany(paths)).entries()) {
    const full = paths[index] ?? ''
    if (each?.kind !== 'file' || each.size > MOST_BYTES) continue
    // What the log says whole is taken out of it, so the log counts too.
    const size = each.size + (log?.size ?? 0)
    const artifact = { path: full.slice(dir.length + 1), size, mtimeMs: each.mtimeMs }
    const before = known.get(artifact.path)
    const isKnown = before?.size === size && before.mtimeMs === each.mtimeMs
    const from = full === running ? lastTurn : 0
    found.push(
      isKnown ? artifact : { ...artifact, text: await wordsIn(fs, dir, full, from, redact) },
    )
  }
  return found
}

async function wordsIn(
  fs: SessionFs,
  dir: string,
  path: string,
  from: number,
  redact: LeftOptions['redact'],
): Promise<string> {
  const bytes = await fs.read(path)
  const streamed = bytes && streamedIn(decodeText(bytes))
  if (streamed === undefined) return ''
  for await (const { records } of readLog(fs, logPath(dir), { from, wholeLinesOnly: true }))
    for (const { event } of records) streamed.pieces.settle(event)
  const words = wordsOf(streamed).map((text) => clean(redact(text)))
  return head(words.join('\n\n'), MAX_SPEECH)
}
