/** What a user attached, as a model takes it: pictures as they are, texts quoted, everything else named in words. */
import { defined } from '../../lib/defined.ts'
import { isPicture, type Attachment, type Picture } from '../../state/attachments.ts'
import { headAndTail } from '../../state/preview.ts'
import { quoted } from '../../state/quoting.ts'
import type { UserPart } from './provider.ts'

const MOST_CHARS = 48 * 1024

/** A picture, or a text: what a model is given itself when it is at hand. */
export const isShown = (attachment: Attachment): attachment is Picture =>
  attachment.type === 'blob' && SHOWN.test(attachment.mimeType)

const SHOWN =
  /^(?:image\/|text\/|application\/(?:json|xml|yaml|x-yaml|toml|javascript|typescript|sql|x-sh|.*\+(?:json|xml))(?:;|$))/i

export function attachmentPart(attachment: Attachment): UserPart {
  if (isPicture(attachment) && attachment.data) {
    const { data, mimeType, displayName } = attachment
    return {
      type: 'file',
      data: { type: 'data', data },
      mediaType: mimeType,
      ...defined({ filename: displayName }),
    }
  }
  return { type: 'text', text: inWords(attachment) }
}

function inWords(attachment: Attachment): string {
  if (attachment.type === 'file' || attachment.type === 'directory') {
    const range = attachment.type === 'file' ? attachment.lineRange : undefined
    const lines = range && `${range.start}-${range.end}`
    return `<attachment${attributes({ type: attachment.type, path: attachment.path, lines })} />`
  }
  if (attachment.type === 'selection') {
    const { filePath: path, text, selection } = attachment
    const lines = `${selection.start.line}-${selection.end.line}`
    return quoted('attachment', { type: 'selection', path, lines }, text)
  }
  if (attachment.type === 'blob') {
    const { mimeType: type, displayName: name, data } = attachment
    if (data && isShown(attachment))
      return quoted('attachment', { type, name }, headAndTail(textOf(data), MOST_CHARS))
    return `<attachment${attributes({ type, name })}>not shown here</attachment>`
  }
  return quoted('attachment', { type: attachment.type }, JSON.stringify(attachment))
}

/** What is no base64 in its usual form was given as it is. */
function textOf(data: string): string {
  const bytes = Buffer.from(data, 'base64')
  return bytes.toString('base64') === data ? bytes.toString('utf8') : data
}

/** An element with nothing in it, written by the same rules. */
const attributes = (values: Readonly<Record<string, string | undefined>>): string =>
  /^<attachment(.*)>\n/.exec(quoted('attachment', values, ''))?.[1] ?? ''
