/**
 * Lines in files of one folder, a file a day and a new one when it is full; the oldest are removed. Several processes
 * may write to them. Writing waits in memory for a moment, so that nobody waits for it, and a line that cannot be
 * written is dropped: nothing ever fails because of it.
 */
import {
  closeSync,
  constants,
  fstatSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  unlinkSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'

type RotatingFileOptions = {
  /** Made when missing, 0700, as is the one around it; what lies further out must be there. */
  readonly folder: string
  /** Files are named `<stem>-<date>.log`, full ones `<stem>-<date>.<number>.log`. */
  readonly stem: string
  readonly maxBytes: number
  /** How many files stay. */
  readonly keep: number
  readonly now: () => Date
}

interface RotatingFile {
  write(line: string): void
  flush(): void
}

const PAUSE_MS = 250
const MOST_WAITING = 64 * 1024

export function createRotatingFile(options: RotatingFileOptions): RotatingFile {
  let waiting = ''
  let timer: NodeJS.Timeout | undefined

  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    const text = waiting
    waiting = ''
    if (text === '') return
    try {
      append(options, Buffer.from(text))
    } catch {
      // No room, no right, no folder: the lines are dropped.
    }
  }

  return {
    flush,
    write(line) {
      waiting += `${line}\n`
      if (waiting.length > MOST_WAITING) flush()
      else timer ??= setTimeout(flush, PAUSE_MS).unref()
    },
  }
}

function append(options: RotatingFileOptions, bytes: Uint8Array): void {
  const { folder, stem, maxBytes, now } = options
  makeFolder(dirname(folder))
  makeFolder(folder)
  const day = `${stem}-${now().toISOString().slice(0, 10)}`
  const path = join(folder, `${day}.log`)
  let file = openToAppend(path)
  try {
    if (file.size > 0 && file.size + bytes.length > maxBytes) {
      closeSync(file.fd)
      setAside(folder, day, path)
      file = openToAppend(path)
    }
    writeSync(file.fd, bytes)
  } finally {
    closeSync(file.fd)
  }
  if (file.size === 0) removeOldest(options)
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path, 0o700)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

/** Never through a link, and never into a pipe, which would hold the process. */
function openToAppend(path: string): { readonly fd: number; readonly size: number } {
  const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants
  const fd = openSync(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600)
  const stat = fstatSync(fd)
  if (stat.isFile()) return { fd, size: stat.size }
  closeSync(fd)
  throw new Error(`${path} is not a file.`)
}

/** A link is refused where a name is taken, so two processes that do this at once lose nothing. */
function setAside(folder: string, day: string, path: string): void {
  const taken = filesIn(folder, day).map(({ number }) => (number === Infinity ? 0 : number))
  try {
    linkSync(path, join(folder, `${day}.${Math.max(0, ...taken) + 1}.log`))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return
    throw error
  }
  unlinkSync(path)
}

function removeOldest({ folder, stem, keep }: RotatingFileOptions): void {
  for (const { name } of filesIn(folder, stem).slice(0, -keep)) {
    rmSync(join(folder, name), { force: true })
  }
}

type LogFile = { readonly name: string; readonly date: string; readonly number: number }

/** Oldest first; of one day the file without a number is the newest. */
function filesIn(folder: string, start: string): LogFile[] {
  return readdirSync(folder)
    .flatMap((name): LogFile[] => {
      const match = /-(\d{4}-\d\d-\d\d)(?:\.(\d+))?\.log$/.exec(name)
      if (!name.startsWith(start) || match === null) return []
      return [{ name, date: match[1] ?? '', number: Number(match[2] ?? Infinity) }]
    })
    .sort((a, b) => (a.date === b.date ? a.number - b.number || 0 : a.date < b.date ? -1 : 1))
}
