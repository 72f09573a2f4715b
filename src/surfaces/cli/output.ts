/**
 * The only place that writes to the terminal. Whatever is given to it is made safe here, so no command
 * can forget to: control characters of names, paths, prompts and errors never arrive as controls.
 */
import { safeJson, safeText } from '../../lib/safe-text.ts'
import { paint, wantsColour } from './render/colour.ts'
import type { Span } from './render/span.ts'

export interface Output {
  /** One line for people. */
  line(...spans: Span[]): void
  /** A text of several lines. */
  block(text: string): void
  /** One JSON document. */
  json(value: unknown): void
  /** One JSON value on a line of its own, for streams. */
  record(value: unknown): void
  /** Bytes as they are when a program reads them; on a terminal, as text that is safe. */
  bytes(chunk: Uint8Array): Promise<void>
  /** One line beside the result, on stderr. */
  note(...spans: Span[]): void
  noteRecord(value: unknown): void
  readonly columns: number
  readonly isTerminal: boolean
  /** Resolves when everything has left the process. */
  drained(): Promise<void>
}

type Stream = NodeJS.WriteStream

const WITHOUT_TERMINAL = 120

export function createOutput(stdout: Stream, stderr: Stream, env: NodeJS.ProcessEnv): Output {
  const painted = { out: wantsColour(stdout, env), err: wantsColour(stderr, env) }
  const decoder = new TextDecoder()
  for (const stream of [stdout, stderr]) stream.on('error', ignoreGone)
  return {
    line: (...spans) => void stdout.write(`${render(spans, painted.out)}\n`),
    block: (text) => void stdout.write(endLine(safeText(text, { breaks: 'keep' }))),
    json: (value) => void stdout.write(`${safeJson(value, 2)}\n`),
    record: (value) => void stdout.write(`${safeJson(value)}\n`),
    async bytes(chunk) {
      const shown = stdout.isTTY
        ? safeText(decoder.decode(chunk, { stream: true }), { breaks: 'keep' })
        : chunk
      if (!stdout.write(shown)) await roomIn(stdout)
    },
    note: (...spans) => void stderr.write(`${render(spans, painted.err)}\n`),
    noteRecord: (value) => void stderr.write(`${safeJson(value)}\n`),
    columns: stdout.isTTY ? stdout.columns : WITHOUT_TERMINAL,
    isTerminal: stdout.isTTY === true,
    drained: async () => {
      await Promise.all([stdout, stderr].map(written))
    },
  }
}

/** The reader of the pipe has seen enough; that is no failure of ours. */
function ignoreGone(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error
}

export function render(spans: readonly Span[], isPainted: boolean): string {
  return spans
    .map((span) => {
      if (typeof span === 'string') return safeText(span)
      const text = safeText(span.text)
      return isPainted && text !== '' ? paint(text, span.style) : text
    })
    .join('')
}

const endLine = (text: string) => (text === '' || text.endsWith('\n') ? text : `${text}\n`)

/** A reader that went away makes no room any more; nothing waits for it. */
const roomIn = (stream: Stream) =>
  new Promise<void>((resolve) => {
    for (const event of ['drain', 'error', 'close']) stream.once(event, () => resolve())
  })

const written = (stream: Stream) =>
  new Promise<void>((resolve) => {
    if (stream.destroyed || !stream.writable) resolve()
    else stream.write('', () => resolve())
  })
