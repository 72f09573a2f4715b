/** A SessionFs that says what was asked of it, in order: for promises of the kind "this before that". */
import type { AppendFile, SessionFs } from '../../src/fs/session-fs.ts'

export type Recording = { readonly watched: SessionFs; readonly calls: string[] }

export function recording(fs: SessionFs): Recording {
  const calls: string[] = []
  const watched: SessionFs = {
    ...fs,
    openAppend: async (path) => recordingFile(await fs.openAppend(path), path, calls),
    writeAtomic: async (path, bytes, options) => {
      await fs.writeAtomic(path, bytes, options)
      calls.push(`writeAtomic ${options.durable ? 'durable ' : ''}${path}`)
    },
    createExclusive: async (path, bytes) => {
      const created = await fs.createExclusive(path, bytes)
      calls.push(`createExclusive ${created} ${path}`)
      return created
    },
    rename: async (from, to) => {
      await fs.rename(from, to)
      calls.push(`rename ${from} ${to}`)
    },
    remove: async (path) => {
      await fs.remove(path)
      calls.push(`remove ${path}`)
    },
    copy: async (from, to) => {
      await fs.copy(from, to)
      calls.push(`copy ${from} ${to}`)
    },
  }
  return { watched, calls }
}

function recordingFile(file: AppendFile, path: string, calls: string[]): AppendFile {
  return {
    identity: file.identity,
    size: file.size,
    write: async (chunks, position) => {
      calls.push(`write ${path} ${Buffer.concat(chunks).toString()}`)
      await file.write(chunks, position)
    },
    sync: async () => {
      await file.sync()
      calls.push(`sync ${path}`)
    },
    truncate: async (size) => {
      calls.push(`truncate ${path} ${size}`)
      await file.truncate(size)
    },
    close: file.close,
  }
}
