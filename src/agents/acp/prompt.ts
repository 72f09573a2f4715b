/** A user's message as the blocks of a prompt: what the agent cannot take is named, so that nothing is lost unseen. */
import type { ContentBlock } from '@agentclientprotocol/sdk'
import { pathToFileURL } from 'node:url'
import { isAbsolute, resolve } from 'node:path'
import type { Payload } from '../../format/event.ts'
import { sessionFolder } from '../../format/paths.ts'
import { isBelow } from '../../lib/is-below.ts'
import { quoted } from '../../state/quoting.ts'
import type { Abilities } from './capabilities.ts'

type Message = Payload<'user.message'>
type Attachment = NonNullable<Message['attachments']>[number]

type PromptPlace = {
  readonly cwd: string
  readonly workspacePath: string
  readonly abilities: Abilities
}

export const textBlock = (text: string): ContentBlock => ({ type: 'text', text })

export function promptBlocks(
  { content, attachments = [] }: Pick<Message, 'content' | 'attachments'>,
  { cwd, workspacePath, abilities }: PromptPlace,
): ContentBlock[] {
  const ownFiles = sessionFolder(workspacePath, 'files')
  const blocks = attachments
    // The text of a file of the session stands in the content: an agent need not be able to read the folder.
    .filter((each) => each.type !== 'file' || !isBelow(ownFiles, each.path))
    .map((attachment) => blockOf(attachment, cwd, abilities))
  return content === '' && blocks.length > 0 ? blocks : [textBlock(content), ...blocks]
}

function blockOf(attachment: Attachment, cwd: string, abilities: Abilities): ContentBlock {
  if (attachment.type === 'file' || attachment.type === 'directory') {
    const path = isAbsolute(attachment.path) ? attachment.path : resolve(cwd, attachment.path)
    return { type: 'resource_link', uri: pathToFileURL(path).href, name: attachment.displayName }
  }
  if (attachment.type === 'selection') {
    const { filePath, text } = attachment
    return textBlock(quoted('selection', { file: filePath }, text))
  }
  if (attachment.type === 'blob') {
    const { mimeType, data, displayName } = attachment
    const kind = mimeType.split('/', 1)[0]
    if (data !== undefined && (kind === 'image' || kind === 'audio') && abilities[kind])
      return { type: kind, data, mimeType }
    return textBlock(`[an attachment that this agent cannot be given: ${displayName ?? mimeType}]`)
  }
  if ('url' in attachment)
    return { type: 'resource_link', uri: attachment.url, name: attachment.url }
  return textBlock(quoted('attachment', { type: attachment.type }, JSON.stringify(attachment)))
}
