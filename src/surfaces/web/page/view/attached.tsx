/** What goes along with the message that is written, and the button to choose more. */
import { visible } from '../model/words.ts'
import { Icon } from './icon.tsx'
import type { Attachments } from './use-attachments.ts'

export function AttachedList({ attachments }: { readonly attachments: Attachments }) {
  if (attachments.files.length === 0) return null
  return (
    <ul class="attached" aria-label="Goes along">
      {attachments.files.map(({ key, name, source }) => (
        <li key={key}>
          {source === undefined ? <Icon name="file" /> : <img src={source} alt="" />}
          {visible(name)}
          <button
            type="button"
            class="quiet sign"
            aria-label={`Leave out ${visible(name)}`}
            onClick={() => attachments.remove(key)}
          >
            <Icon name="close" />
          </button>
        </li>
      ))}
    </ul>
  )
}

export const AttachButton = ({ attachments }: { readonly attachments: Attachments }) => {
  const choose = () => {
    const input = document.createElement('input')
    input.type = 'file'
    input.multiple = true
    input.addEventListener('change', () => void attachments.add(input.files))
    input.click()
  }
  return (
    <button
      type="button"
      class="quiet sign"
      aria-label="Attach pictures or texts"
      title="Attach pictures or texts; they can be pasted and dropped, too"
      onClick={choose}
    >
      <Icon name="attach" />
    </button>
  )
}
