/**
 * A file with a connected client that is written at known positions. Bytes at the end are appended, and counted with
 * the client afterwards; anything else replaces the whole file in one step, which to its readers is the same file still.
 */
import type { ClientFiles } from './client-files.ts'
import type { Held } from './client-names.ts'
import type { AppendFile } from './session-fs.ts'

type Around = {
  readonly files: ClientFiles
  native(path: string): string
  inTurn<T>(path: string, action: () => Promise<T>): Promise<T>
  told(path: string): void
}

export function openClientAppend(file: Held, { files, native, inTurn, told }: Around): AppendFile {
  /** Nothing happens to a file that has lost its name. */
  const changing = async (action: (place: string) => Promise<void>): Promise<void> => {
    const { path } = file
    if (path === undefined) return
    await inTurn(path, async () => {
      if (file.path !== path) return
      await action(native(path))
      told(path)
    })
  }
  const sizeAt = async (place: string) => (await files.stat(place))?.size ?? 0

  return {
    identity: file.identity,
    size: async () => (file.path === undefined ? 0 : sizeAt(native(file.path))),
    async write(chunks, position) {
      const bytes = Buffer.concat(chunks)
      if (bytes.length === 0) return
      await changing(async (place) => {
        const size = await sizeAt(place)
        if (position >= size) {
          return files.append(place, Buffer.concat([Buffer.alloc(position - size), bytes]), size)
        }
        const old = (await files.read(place)) ?? new Uint8Array()
        const whole = Buffer.alloc(Math.max(old.length, position + bytes.length))
        whole.set(old)
        whole.set(bytes, position)
        await files.replace(place, whole)
      })
    },
    // What the client acknowledged is as safe as it keeps things.
    sync: async () => {},
    truncate: (size) =>
      changing(async (place) => {
        const old = (await files.read(place)) ?? new Uint8Array()
        if (old.length === size) return
        const whole = Buffer.alloc(size)
        whole.set(old.subarray(0, size))
        await files.replace(place, whole)
      }),
    close: async () => {},
  }
}
