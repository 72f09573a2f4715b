/** What a tool printed. What is long is folded; what was too long for the log is fetched when the reader wants it. */
import { createContext } from 'preact'
import { useContext, useState } from 'preact/hooks'
import { counted, sizeText } from '../../../../lib/quantities.ts'
import type { EntryOf } from '../../../../state/transcript.ts'
import { getText, sentence, sessionPath } from '../client.ts'
import { visible, withoutAnsi } from '../model/words.ts'
import { Copy } from './copy.tsx'

type Whole = NonNullable<EntryOf<'tool'>['whole']>
type Props = { readonly text: string; readonly whole?: Whole | undefined }

/** Whose output it is; undefined for who may not fetch it. */
export const OutputOf = createContext<string | undefined>(undefined)

const MOST_LINES = 60
/** More is a file to be kept, not a text to be read. */
const MOST_SHOWN = 2 * 1024 * 1024

export function Output({ text, whole }: Props) {
  const [fetched, setFetched] = useState<string>()
  if (text.trim() === '') return <p class="faint">No output.</p>
  return (
    <>
      {whole !== undefined && fetched === undefined && (
        <Fetch whole={whole} onFetched={setFetched} />
      )}
      {fetched === undefined ? (
        <Lines key="ends" text={text} />
      ) : (
        <Lines key="whole" text={fetched} isOpen />
      )}
    </>
  )
}

function Fetch({
  whole: { sha256, byteLength },
  onFetched,
}: {
  readonly whole: Whole
  readonly onFetched: (text: string) => void
}) {
  const owner = useContext(OutputOf)
  const [state, setState] = useState('')
  const note = <span>Only its beginning and its end are in the log.</span>
  if (owner === undefined) return <p class="faint">{note}</p>
  const path = sessionPath(owner, `/blobs/${encodeURIComponent(sha256)}`)
  const show = async () => {
    setState('Fetching…')
    try {
      onFetched(await getText(path))
    } catch (error) {
      setState(sentence(error))
    }
  }
  return (
    <p class="buttons faint">
      {note}
      {byteLength <= MOST_SHOWN && (
        <button type="button" class="small" onClick={() => void show()}>
          Show all {sizeText(byteLength)}
        </button>
      )}
      <a href={path} download="output.txt">
        Download
      </a>
      <span role="status">{state}</span>
    </p>
  )
}

function Lines({ text, isOpen = false }: { readonly text: string; readonly isOpen?: boolean }) {
  const [isWhole, setWhole] = useState(isOpen)
  const lines = withoutAnsi(text).split('\n')
  const isCut = !isWhole && lines.length > MOST_LINES
  return (
    <>
      {isCut && (
        <button type="button" class="quiet small" onClick={() => setWhole(true)}>
          Show {counted(lines.length - MOST_LINES, 'line')} above
        </button>
      )}
      <div class="output-box">
        <pre class="output" tabIndex={0}>
          {visible((isCut ? lines.slice(-MOST_LINES) : lines).join('\n'))}
        </pre>
        <Copy text={() => lines.join('\n')} what="output" />
      </div>
    </>
  )
}
