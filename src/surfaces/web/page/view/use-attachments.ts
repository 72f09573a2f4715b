/** Pictures and texts that are to go along with a message: chosen, pasted or dropped. */
import { useCallback, useState } from 'preact/hooks'
import { sizeText } from '../../../../lib/quantities.ts'
import { toBase64 } from '../model/base64.ts'
import { visible } from '../model/words.ts'

type Attached = {
  readonly key: string
  readonly name: string
  readonly base64: string
  /** For a picture, as it is shown. */
  readonly source?: string
}

const MOST = 10
const MOST_BYTES = 5 * 1024 * 1024

export type Attachments = ReturnType<typeof useAttachments>

export function useAttachments(onTrouble: (text: string) => void) {
  const [files, setFiles] = useState<readonly Attached[]>([])
  const [isOver, setOver] = useState(false)
  const add = useCallback(
    async (given: Iterable<File> | null | undefined) => {
      for (const file of given ?? []) {
        if (file.size > MOST_BYTES) {
          onTrouble(
            `${visible(file.name)} has ${sizeText(file.size)}; ${sizeText(MOST_BYTES)} are taken.`,
          )
          continue
        }
        const base64 = toBase64(new Uint8Array(await file.arrayBuffer()))
        const isPicture = /^image\/(?:png|jpeg|gif|webp)$/.test(file.type)
        const source = isPicture ? { source: `data:${file.type};base64,${base64}` } : {}
        const attached = {
          key: crypto.randomUUID(),
          name: file.name || 'picture',
          base64,
          ...source,
        }
        setFiles((before) => (before.length < MOST ? [...before, attached] : before))
      }
    },
    [onTrouble],
  )
  return {
    files,
    isOver,
    add,
    clear: () => setFiles([]),
    /** What could not be sent is there again. */
    bringBack: (back: readonly Attached[]) => setFiles((now) => [...back, ...now]),
    remove: (key: string) => setFiles((before) => before.filter((each) => each.key !== key)),
    /** For the element that files are dropped on or pasted into. */
    drop: {
      onDragOver: (event: DragEvent) => {
        event.preventDefault()
        setOver(true)
      },
      onDragLeave: () => setOver(false),
      onDrop: (event: DragEvent) => {
        event.preventDefault()
        setOver(false)
        void add(event.dataTransfer?.files)
      },
      onPaste: (event: ClipboardEvent) => {
        const pasted = [...(event.clipboardData?.files ?? [])]
        if (pasted.length === 0) return
        event.preventDefault()
        void add(pasted)
      },
    },
  }
}
