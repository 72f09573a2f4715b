/** The file of a backup of Mission Control: compressed lines, for its owner alone. */
import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { access, constants, rm } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { ControlError } from '../control/control-error.ts'
import { backUp } from '../control/database/backup.ts'
import type { Database } from '../control/database/port.ts'
import { errorText } from '../lib/error-text.ts'

/** A file that is there is never overwritten, and one that is not whole does not stay. */
export async function writeBackup(db: Database, file: string): Promise<number> {
  const out = createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true })
  try {
    await once(out, 'open')
  } catch (cause) {
    if (codeOf(cause) === 'EEXIST')
      throw new ControlError('conflict', `${file} is there already. Nothing was written.`, {
        cause,
      })
    throw notWritten(file, cause)
  }
  const zip = createGzip()
  const written = pipeline(zip, out)
  const failed = written.then(
    () => undefined,
    (cause: unknown) => notWritten(file, cause),
  )
  try {
    const rows = await backUp(db, async (line) => {
      if (!zip.write(`${line}\n`)) await Promise.race([once(zip, 'drain'), failed.then(refuse)])
    })
    zip.end()
    refuse(await failed)
    return rows
  } catch (cause) {
    zip.destroy()
    await failed
    await rm(file, { force: true })
    throw cause
  }
}

function refuse(failure: Error | undefined): void {
  if (failure !== undefined) throw failure
}

const codeOf = (cause: unknown): unknown =>
  cause instanceof Error && 'code' in cause ? cause.code : undefined

const notWritten = (file: string, cause: unknown): ControlError =>
  new ControlError(
    'invalid',
    `${file} cannot be written (${errorText(cause)}). No backup was made.`,
    { cause },
  )

/** Before a database is made for it. */
export async function checkBackup(file: string): Promise<void> {
  try {
    await access(file, constants.R_OK)
  } catch (cause) {
    throw notRead(file, cause)
  }
}

const notRead = (file: string, cause: unknown): ControlError =>
  new ControlError(
    'invalid',
    `${file} cannot be read (${errorText(cause)}). Nothing was changed.`,
    { cause },
  )

export async function* linesOfBackup(file: string): AsyncGenerator<string> {
  const plain = createGunzip()
  const whole = pipeline(createReadStream(file), plain)
  // It is waited for below, unless the lines fail before.
  whole.catch(() => undefined)
  try {
    yield* createInterface({ input: plain, crlfDelay: Infinity })
    await whole
  } catch (cause) {
    if (!String(codeOf(cause)).startsWith('Z_')) throw notRead(file, cause)
    throw new ControlError(
      'invalid',
      `${file} is no backup of Mission Control, or it is not whole. Nothing was changed.`,
      { cause },
    )
  }
}
