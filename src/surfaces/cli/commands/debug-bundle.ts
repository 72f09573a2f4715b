/** `debug bundle`: one archive to send with a report. It holds no content, and no secret that can be known. */
import { randomBytes } from 'node:crypto'
import { homedir } from 'node:os'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { notWritten } from '../../../engine/disk-error.ts'
import { EngineError } from '../../../engine/errors.ts'
import { knownFromEnv } from '../../../lib/redact/known.ts'
import { createRedactor } from '../../../lib/redact/redact.ts'
import { tarOf, type TarFile } from '../../../lib/tar.ts'
import { writeNew } from '../../../lib/write-new.ts'
import type { Cli, Run } from '../command.ts'
import { gatherDebugFiles } from '../debug-files.ts'
import { counted, sizeText } from '../../../lib/quantities.ts'
import { bold, dim } from '../render/span.ts'

export const run: Run = async (cli, given) => {
  const time = cli.now()
  const stamp = time.toISOString().slice(0, 19).replaceAll(':', '')
  const path = resolve(cli.cwd, given.text('output') ?? `reprise-debug-${stamp}.tar.gz`)
  const files = await redacted(cli, await gatherDebugFiles(cli))
  const bytes = await promisify(gzip)(tarOf(files, time))
  const isNew = await writeNew(path, bytes).catch((cause: unknown) => {
    throw notWritten(cause)
  })
  if (!isNew) {
    throw new EngineError(
      'conflict',
      `${path} exists already. Nothing was written. Give another name with -o.`,
    )
  }
  if (cli.json) {
    cli.out.json({ path, bytes: bytes.length, files: files.map((file) => file.path) })
    return
  }
  cli.out.line(bold(path), dim(` (${counted(files.length, 'file')}, ${sizeText(bytes.length)})`))
  cli.out.line('It holds no content of sessions. Look into it before you send it.')
}

/** The key is of this archive alone: nobody can try out elsewhere what a placeholder stands for. */
async function redacted(cli: Cli, files: readonly TarFile[]): Promise<TarFile[]> {
  const redactor = createRedactor({
    known: knownFromEnv(cli.host.env),
    key: randomBytes(32),
  })
  const person = homedir()
  return files.map(({ path, text }) => ({
    path,
    text: redactor.redactText(text).text.replaceAll(person, '~'),
  }))
}
