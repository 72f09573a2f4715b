/**
 * What the machine allows: the same bytes and the same syscalls with nothing of ours around them. Each is a
 * probe, run beside the figure that it bounds.
 */
import {
  closeSync,
  copyFileSync,
  fdatasyncSync,
  fsyncSync,
  ftruncateSync,
  lstatSync,
  openSync,
  readFileSync,
  readSync,
  readdirSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { summaryOf, type Sample } from './measure.ts'
import { timed } from './timed.ts'

export const statAll = async ({ folder }: { folder: string }): Promise<Sample> =>
  timed(() => {
    for (const name of readdirSync(folder)) statSync(`${folder}/${name}/events.jsonl`)
  })

/** Every folder listed, every file and folder asked for its stamp. */
export const statTree = async ({ folder }: { folder: string }): Promise<Sample> =>
  timed(() => {
    const waiting = [folder]
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      for (const entry of readdirSync(next, { withFileTypes: true })) {
        const place = `${next}/${entry.name}`
        lstatSync(place)
        if (entry.isDirectory()) waiting.push(place)
      }
    }
  })

/** What has to be read of every session when nothing is known of any. */
export const readAll = async ({ folder }: { folder: string }): Promise<Sample> =>
  timed(() => {
    for (const name of readdirSync(folder)) {
      readFileSync(`${folder}/${name}/workspace.yaml`)
      readFileSync(`${folder}/${name}/events.jsonl`)
    }
  })

export const readJson = async ({ file }: { file: string }): Promise<Sample> =>
  timed(() => void JSON.parse(readFileSync(file, 'utf8')))

const CHUNK_BYTES = 1024 * 1024
const NEWLINE = 0x0a

/** Every line through JSON.parse, in chunks of 1 MiB, keeping nothing. */
export const parseLines = async ({ file }: { file: string }): Promise<Sample> =>
  timed(() => {
    const log = openSync(file, 'r')
    let buffer = Buffer.allocUnsafe(2 * CHUNK_BYTES)
    let held = 0
    for (;;) {
      if (buffer.length - held < CHUNK_BYTES) {
        buffer = Buffer.concat([buffer], buffer.length * 2)
      }
      const got = readSync(log, buffer, held, CHUNK_BYTES, null)
      if (got === 0) break
      const end = held + got
      let start = 0
      for (;;) {
        const newline = buffer.subarray(0, end).indexOf(NEWLINE, start)
        if (newline === -1) break
        JSON.parse(buffer.toString('utf8', start, newline))
        start = newline + 1
      }
      buffer.copyWithin(0, start, end)
      held = end - start
    }
    closeSync(log)
  })

export const copyWhole = async ({ file, to }: { file: string; to: string }): Promise<Sample> => {
  rmSync(to, { force: true })
  return timed(() => {
    copyFileSync(file, to)
    sync(to)
  })
}

/** The end of a file copied aside, then cut off: what a rewind that loses nothing cannot do without. */
export const cutEnd = async ({
  file,
  to,
  bytes,
}: {
  file: string
  to: string
  bytes: number
}): Promise<Sample> => {
  rmSync(to, { force: true })
  const keep = statSync(file).size - bytes
  return timed(() => {
    const from = openSync(file, 'r+')
    const target = openSync(to, 'w')
    const buffer = Buffer.allocUnsafe(CHUNK_BYTES)
    for (let at = keep; ;) {
      const got = readSync(from, buffer, 0, buffer.length, at)
      if (got === 0) break
      writeSync(target, buffer, 0, got)
      at += got
    }
    fsyncSync(target)
    ftruncateSync(from, keep)
    fsyncSync(from)
    closeSync(target)
    closeSync(from)
  })
}

/** One line, one fdatasync, again and again. */
export const writeAndSync = async ({
  folder,
  count,
  bytes,
}: {
  folder: string
  count: number
  bytes: number
}): Promise<Sample> => {
  const path = join(folder, 'bare.jsonl')
  const line = Buffer.alloc(bytes, 'x')
  const file = openSync(path, 'w')
  const times: number[] = []
  for (let done = 0; done < count; done++) {
    const { ms } = timed(() => {
      writeSync(file, line)
      fdatasyncSync(file)
    })
    times.push(ms)
  }
  closeSync(file)
  const { median, p95 } = summaryOf(times)
  return { p50: median, p95, perSecond: 1000 / median }
}

function sync(path: string): void {
  const file = openSync(path, 'r')
  fsyncSync(file)
  closeSync(file)
}
