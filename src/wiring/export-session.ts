/** `reprise export`: a session as one redacted file, on disk or on stdout. */
import { basename, dirname, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { EngineError } from '../engine/errors.ts'
import { findSession } from './find-session.ts'
import { openDisk } from '../fs/disk.ts'
import { findHome } from './home.ts'
import { encodeText } from '../lib/bytes.ts'
import { openConfiguredEngine } from './open-engine.ts'
import { openRedactor } from './open-redactor.ts'
import { readPageStyle } from './page-folder.ts'
import { exportSession } from '../surfaces/web/export.ts'
import type { ExportFormat } from '../surfaces/web/export.ts'

export type ExportHost = {
  /** Without the word `export`. */
  readonly argv: readonly string[]
  readonly env: NodeJS.ProcessEnv
  readonly stdout: NodeJS.WritableStream
}

export async function runExport({ argv, env, stdout }: ExportHost): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      home: { type: 'string' },
      html: { type: 'boolean', default: false },
      markdown: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      output: { type: 'string', short: 'o' },
    },
  })
  const [word, ...more] = positionals
  const formats = (['html', 'markdown', 'json'] as const).filter((format) => values[format])
  if (word === undefined || more.length > 0 || formats.length > 1)
    throw new EngineError('invalid', 'Give one session and one of --html, --markdown, --json.')
  const format: ExportFormat = formats[0] ?? 'html'
  const engine = openConfiguredEngine({ home: findHome(values.home, env).path })
  try {
    const redactor = await openRedactor(engine.fs)
    const redact = async <T>(value: T) => (await redactor.redactJson(value)).value
    const parts = { redact, readStyle: readPageStyle }
    const { text } = await exportSession(engine, parts, await findSession(engine, word), format)
    if (values.output === undefined || values.output === '-') stdout.write(text)
    else await save(values.output, text)
    return 0
  } finally {
    await engine.stop()
  }
}

/** In one step, and for its owner alone: what is redacted is still somebody's work. */
async function save(path: string, text: string): Promise<void> {
  const place = resolve(path)
  const folder = openDisk(dirname(place))
  await folder.writeAtomic(basename(place), encodeText(text), { durable: false })
}
