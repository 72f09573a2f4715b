/** `sessions files` with a path: the bytes as they are. */
import type { files } from '../../../commands/session-files.ts'
import type { View } from '../command.ts'
import { sizeText, relativeTime } from '../../../lib/quantities.ts'
import { dim } from '../render/span.ts'
import { table } from '../render/table.ts'

export const filesView: View<Awaited<ReturnType<typeof files.run>>> = {
  async show({ out, now }, result) {
    if (result.base64 !== undefined) return out.bytes(Buffer.from(result.base64, 'base64'))
    const rows = result.files.map(({ path, size, modifiedAt }) => [
      path,
      sizeText(size),
      dim(relativeTime(modifiedAt, now())),
    ])
    for (const spans of table(rows, { columns: out.columns, shrink: 0, right: [1] }))
      out.line(...spans)
    if (rows.length === 0) out.line('The session keeps no files.')
  },
}
