/** A picture in a file, of a kind and size that models take. It is known by its first bytes, not by its name. */
import { pictureKind } from '../../lib/picture-kind.ts'
import { openFile } from './files.ts'
import { ToolFailure } from './tool.ts'

export type Picture = { readonly mimeType: string; readonly data: string }

const MOST_BYTES = 3 * 1024 * 1024

/** Undefined when it is something else. */
export async function pictureAt(path: string): Promise<Picture | undefined> {
  const file = await openFile(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(12), 0, 12, 0)
    const mimeType = pictureKind(buffer.subarray(0, bytesRead))
    if (mimeType === undefined) return undefined
    const { size } = await file.stat()
    if (size > MOST_BYTES)
      throw new ToolFailure(
        'failed',
        `It is a picture of ${size} bytes; ${MOST_BYTES} is the limit.`,
      )
    const bytes = Buffer.alloc(size)
    const read = await file.read(bytes, 0, size, 0)
    return { mimeType, data: bytes.subarray(0, read.bytesRead).toString('base64') }
  } finally {
    await file.close()
  }
}
