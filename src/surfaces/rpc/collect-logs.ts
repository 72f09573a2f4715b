/**
 * What helps to find out what went wrong in a session, in a folder or one archive: its events, and files that the program
 * names. Secrets are taken out of all that is not said to be clean.
 */
import { isAbsolute, join, normalize, relative, resolve } from 'node:path'
import { z } from 'zod'
import { EngineError } from '../../engine/errors.ts'
import { errorText } from '../../lib/error-text.ts'
import type { TarFile } from '../../lib/tar.ts'
import { readText, textFilesAt, writeArchive, writeFolder } from '../../lib/text-bundle.ts'
import type { HostedSession } from './hosted-session.ts'
import { knownEvents } from './known-events.ts'
import { wireEvent } from './wire.ts'

export const collecting = {
  destination: z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('archive'),
      outputPath: z.string().min(1),
      noOverwrite: z.boolean().default(false),
    }),
    z.object({ kind: z.literal('directory'), outputDirectory: z.string().min(1) }),
  ]),
  include: z
    .looseObject({
      events: z.boolean().default(true),
      currentProcessLogPath: z.string().optional(),
    })
    .prefault({}),
  additionalEntries: z
    .array(
      z.object({
        kind: z.enum(['file', 'directory']),
        path: z.string().min(1),
        bundlePath: z.string().min(1),
        redaction: z.enum(['plain-text', 'events-jsonl', 'none']).default('plain-text'),
        required: z.boolean().default(false),
      }),
    )
    .default([]),
} as const

const shape = z.object(collecting)
type Wish = z.output<typeof shape>
type Entry = Wish['additionalEntries'][number]
type Source = 'events' | 'process-log' | 'additional'
type Collected = TarFile & { readonly source: Source }
type Skipped = { readonly bundlePath: string; readonly path: string; readonly reason: string }

/** A file that is larger than this is no log that people read. */
const MOST_BYTES = 64 << 20
const limits = ({ kind }: Entry) => ({ isFolder: kind === 'directory', mostBytes: MOST_BYTES })

export async function collectLogs(session: HostedSession, wish: Wish, cwd: string) {
  const redactor = await session.services?.redactor()
  const clean = (text: string) => redactor?.redactText(text).text ?? text
  const cleanLines = (text: string) =>
    text
      .split('\n')
      .map((line) => cleanLine(line, (value) => redactor?.redactJson(value).value ?? value, clean))
      .join('\n')
  const cleaned = { 'plain-text': clean, 'events-jsonl': cleanLines, none: (text: string) => text }
  const files: Collected[] = []
  const skippedEntries: Skipped[] = []
  if (wish.include.events) {
    const { events } = await knownEvents(session.ops)
    const text = events.map((event) => `${JSON.stringify(wireEvent(event))}\n`).join('')
    files.push({ path: 'events.jsonl', text: cleanLines(text), source: 'events' })
  }
  const { currentProcessLogPath: log } = wish.include
  const named: readonly (Entry & { readonly source: Source })[] = [
    ...(log === undefined ? [] : [{ ...PROCESS_LOG, path: log }]),
    ...wish.additionalEntries.map((entry) => ({ ...entry, source: 'additional' as const })),
  ]
  for (const { source, ...entry } of named) {
    const place = resolve(cwd, entry.path)
    try {
      for (const file of await textFilesAt(place, limits(entry))) {
        const text = await readText(file)
        files.push({
          path: bundled(entry, place, file),
          text: cleaned[entry.redaction](text),
          source,
        })
      }
    } catch (error) {
      const reason = errorText(error)
      if (entry.required)
        throw new EngineError(
          'invalid',
          `${entry.path} cannot be read: ${reason}. Nothing was written.`,
        )
      skippedEntries.push({ bundlePath: entry.bundlePath, path: entry.path, reason })
    }
  }
  return {
    kind: wish.destination.kind,
    path: await write(wish.destination, files, cwd),
    entries: files.map(({ path, text, source }) => ({
      bundlePath: path,
      source,
      sizeBytes: Buffer.byteLength(text),
    })),
    ...(skippedEntries.length > 0 && { skippedEntries }),
  }
}

const PROCESS_LOG = {
  kind: 'file',
  bundlePath: 'process.log',
  redaction: 'plain-text',
  required: false,
  source: 'process-log',
} as const

function cleanLine(
  line: string,
  ofJson: (value: unknown) => unknown,
  ofText: (text: string) => string,
): string {
  if (line.trim() === '') return line
  try {
    return JSON.stringify(ofJson(JSON.parse(line)))
  } catch {
    // Not JSON: redacted as the text that it is.
    return ofText(line)
  }
}

/** Never out of the bundle. */
function bundled({ kind, bundlePath }: Entry, place: string, file: string): string {
  const path = normalize(kind === 'file' ? bundlePath : join(bundlePath, relative(place, file)))
  if (isAbsolute(path) || path.split(/[/\\]/).includes('..'))
    throw new Error(`${bundlePath} leads out of the bundle`)
  return path.replaceAll('\\', '/')
}

const write = (to: Wish['destination'], files: readonly Collected[], cwd: string) =>
  to.kind === 'archive'
    ? writeArchive(resolve(cwd, to.outputPath), files, { isBeside: to.noOverwrite })
    : writeFolder(resolve(cwd, to.outputDirectory), files)
