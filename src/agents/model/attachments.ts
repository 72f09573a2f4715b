/** What a user attached, as a model takes it: pictures as they are, everything else named or quoted in words. */
import { defined } from '../../lib/defined.ts'
import type { Attachment } from '../../state/attachments.ts'
import { quoted } from '../../state/quoting.ts'
import type { UserPart } from './provider.ts'

export function attachmentPart(attachment: Attachment): UserPart {
  if (attachment.type === 'blob' && attachment.data && attachment.mimeType.startsWith('image/')) {
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
    const { mimeType, displayName } = attachment
    return `<attachment${attributes({ type: mimeType, name: displayName })}>not shown here</attachment>`
  }
  return quoted('attachment', { type: attachment.type }, JSON.stringify(attachment))
}

/** An element with nothing in it, written by the same rules. */
const attributes = (values: Readonly<Record<string, string | undefined>>): string =>
  /^<attachment(.*)>\n/.exec(quoted('attachment', values, ''))?.[1] ?? ''
