/** Puts files of the person's own machine into the session's files, by choosing or dropping them. */
import { useState } from 'preact/hooks'
import { counted, sizeText } from '../../../../lib/quantities.ts'
import { LONG_MS, post, sessionPath } from '../client.ts'
import { toBase64 } from '../model/base64.ts'
import { visible } from '../model/words.ts'
import type { Attempt } from './use-list.ts'

type Props = {
  readonly id: string
  readonly attempt: Attempt
  readonly onDone: () => void
}

/** What the server takes at once. */
const MOST_BYTES = 10 * 1024 * 1024

export function Upload({ id, attempt, onDone }: Props) {
  const [told, setTold] = useState('')
  const [isOver, setOver] = useState(false)
  const send = (list: FileList | null | undefined) =>
    void attempt(async () => {
      const files = [...(list ?? [])]
      if (files.length === 0) return
      setTold('Uploading…')
      try {
        for (const file of files) await upload(id, file)
        setTold(`${counted(files.length, 'file')} uploaded.`)
      } catch (error) {
        setTold('')
        throw error
      } finally {
        onDone()
      }
    })
  return (
    <label
      class={`upload ${isOver ? 'is-over' : ''}`}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        send(event.dataTransfer?.files)
      }}
    >
      <input
        type="file"
        multiple
        onChange={(event) => {
          send(event.currentTarget.files)
          event.currentTarget.value = ''
        }}
      />
      <span>Choose files, or drop them here</span>
      <span class="faint" role="status">
        {told || `up to ${sizeText(MOST_BYTES)} each`}
      </span>
    </label>
  )
}

async function upload(id: string, file: File): Promise<void> {
  if (file.size > MOST_BYTES)
    throw new Error(
      `${visible(file.name)} has ${sizeText(file.size)}; ${sizeText(MOST_BYTES)} are taken.`,
    )
  const base64 = toBase64(new Uint8Array(await file.arrayBuffer()))
  await post(sessionPath(id, '/files'), { path: `files/${file.name}`, base64 }, LONG_MS)
}
