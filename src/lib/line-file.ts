/** A file that grows by lines, private to its user; its folders are made with it. A line that cannot be written is lost. */
import { appendFile, mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { inTurn } from './keyed-mutex.ts'

export const appendLines = (path: string, lines: readonly string[]): Promise<void> =>
  inTurn(`lines ${path}`, async () => {
    await mkdir(dirname(path), { recursive: true })
    await appendFile(path, `${lines.join('\n')}\n`, { mode: 0o600 })
  })
