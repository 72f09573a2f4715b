/** Pictures of a message or a result. Each is shown small, and as it is when it is pressed. */
import { useContext, useState } from 'preact/hooks'
import type { Picture } from '../../../../state/transcript.ts'
import { sessionPath } from '../client.ts'
import { visible } from '../model/words.ts'
import { Dialog } from './dialog.tsx'
import { OutputOf } from './output.tsx'

const KINDS = /^image\/(?:png|jpeg|gif|webp)$/

export function Pictures({ pictures }: { readonly pictures: readonly Picture[] }) {
  const owner = useContext(OutputOf)
  const [open, setOpen] = useState<string>()
  const shown = pictures.flatMap(({ name = 'Picture', mimeType, data, sha256 }) => {
    if (!KINDS.test(mimeType)) return []
    if (data !== undefined) return [{ name, source: `data:${mimeType};base64,${data}` }]
    if (owner === undefined || sha256 === undefined) return []
    return [{ name, source: sessionPath(owner, `/pictures/${encodeURIComponent(sha256)}`) }]
  })
  if (shown.length === 0) return null
  return (
    <div class="pictures">
      {shown.map(({ name, source }) => (
        <button type="button" class="picture" title={visible(name)} onClick={() => setOpen(source)}>
          <img src={source} alt={visible(name)} loading="lazy" />
        </button>
      ))}
      {open !== undefined && (
        <Dialog title="Picture" className="is-picture" onClose={() => setOpen(undefined)}>
          <img src={open} alt="" />
        </Dialog>
      )}
    </div>
  )
}
