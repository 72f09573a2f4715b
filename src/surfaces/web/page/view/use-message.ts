/** The message that is written: kept until the server has it, with what goes along. */
import { useRef, useState } from 'preact/hooks'
import type { CommandAnswer } from '../../api.ts'
import { LONG_MS, post, sessionPath } from '../client.ts'
import { mayBeCommand } from '../model/completion.ts'
import { broughtBack } from '../model/drafts.ts'
import { useAttachments } from './use-attachments.ts'
import { drafts } from './use-draft.ts'
import { askToNotify } from './use-notifications.ts'
import type { Attempt } from './use-list.ts'

export function useMessage(id: string, attempt: Attempt, whenBusy: 'queue' | 'steer') {
  const [text, setText] = useState(() => drafts.open(id))
  const [said, setSaid] = useState('')
  const latest = useRef(text)
  const attachments = useAttachments(
    (trouble) => void attempt(() => Promise.reject(new Error(trouble))),
  )
  const isEmpty = text.trim() === '' && attachments.files.length === 0

  const write = (next: string) => {
    drafts.write(id, next)
    latest.current = next
    setText(next)
  }
  const run = async (typed: string) => {
    const answer = await post<CommandAnswer>(sessionPath(id, '/command'), { text: typed }, LONG_MS)
    setSaid(answer.said)
    return answer.message
  }
  const send = () => {
    if (isEmpty) return
    const typed = text.trim() === '' ? 'See what is attached.' : text
    const along = attachments.files
    drafts.send(id, typed)
    write('')
    attachments.clear()
    setSaid('')
    askToNotify()
    void attempt(async () => {
      try {
        const prompt = mayBeCommand(typed) ? await run(typed) : typed
        const files = along.map(({ name, base64 }) => ({ name, base64 }))
        if (prompt !== undefined)
          await post(
            sessionPath(id, '/send'),
            { prompt, whenBusy, attachments: files },
            along.length === 0 ? undefined : LONG_MS,
          )
      } catch (error) {
        write(broughtBack(typed, latest.current))
        attachments.bringBack(along)
        throw error
      } finally {
        drafts.arrived(id, typed)
      }
    })
  }
  return { text, write, send, said, hush: () => setSaid(''), attachments, isEmpty }
}
