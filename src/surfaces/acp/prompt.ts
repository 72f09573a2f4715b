/** Content blocks as a message, and the attachments of a message as content blocks. */
import { isAbsolute, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { ContentBlock } from '@agentclientprotocol/sdk'
import type { Message } from '../../engine/turn/message.ts'
import type { Payload } from '../../format/event.ts'
import { isFields, type Fields } from '../../lib/fields.ts'
import { RpcFailure, rpcCodes } from '../../lib/json-rpc/failure.ts'
import { quoted } from '../../state/quoting.ts'

type Attachment = NonNullable<Payload<'user.message'>['attachments']>[number]

/** Texts are put together as they are; what is embedded is quoted after them. */
export function messageOf(blocks: readonly Fields[]): Message {
  const texts: string[] = []
  const quotes: string[] = []
  const attachments: Attachment[] = []
  for (const block of blocks) {
    if (block['type'] === 'text') texts.push(required(block, 'text'))
    else if (block['type'] === 'image' || block['type'] === 'audio') attachments.push(blobOf(block))
    else if (block['type'] === 'resource_link') {
      const link = linkOf(block)
      if (typeof link === 'string') texts.push(link)
      else attachments.push(link)
    } else if (block['type'] === 'resource') {
      const resource = resourceOf(block['resource'])
      if (typeof resource === 'string') quotes.push(resource)
      else attachments.push(resource)
    } else throw bad(`A block of the type "${String(block['type'])}" cannot be taken.`)
  }
  const prompt = [texts.join(''), ...quotes].filter((part) => part !== '').join('\n\n')
  return { prompt, ...(attachments.length > 0 && { attachments }) }
}

const bad = (message: string) => new RpcFailure(rpcCodes.invalidParams, `prompt: ${message}`)

function required(block: Fields, key: string): string {
  const value = block[key]
  if (typeof value === 'string') return value
  throw bad(`"${key}" of a block of the type "${String(block['type'])}" is no text.`)
}

const blobOf = (block: Fields): Attachment => ({
  type: 'blob',
  mimeType: required(block, 'mimeType'),
  data: required(block, 'data'),
})

function linkOf(block: Fields): Attachment | string {
  const uri = required(block, 'uri')
  const name = required(block, 'name')
  const path = pathOf(uri)
  return path === undefined ? `[${name}](${uri})` : { type: 'file', path, displayName: name }
}

function pathOf(uri: string): string | undefined {
  if (!uri.startsWith('file:')) return undefined
  try {
    return fileURLToPath(uri)
  } catch {
    // An address of another host is no path here; it goes as a link.
    return undefined
  }
}

function resourceOf(resource: unknown): Attachment | string {
  if (!isFields(resource)) throw bad('an embedded resource is missing.')
  const uri = required(resource, 'uri')
  if (typeof resource['text'] === 'string') return quoted('resource', { uri }, resource['text'])
  const { mimeType = 'application/octet-stream' } = resource
  return {
    type: 'blob',
    mimeType: String(mimeType),
    displayName: uri,
    data: required(resource, 'blob'),
  }
}

export function attachmentBlocks(attachments: readonly Attachment[], cwd: string): ContentBlock[] {
  return attachments.map((attachment) => {
    if (attachment.type === 'file' || attachment.type === 'directory') {
      const path = isAbsolute(attachment.path) ? attachment.path : resolve(cwd, attachment.path)
      const { displayName } = attachment
      return { type: 'resource_link', uri: pathToFileURL(path).href, name: displayName }
    }
    if (attachment.type === 'blob') {
      const { mimeType, data, displayName } = attachment
      const kind = mimeType.split('/', 1)[0]
      // Large ones are kept beside the log, and leave no bytes in it.
      if (data && (kind === 'image' || kind === 'audio')) return { type: kind, data, mimeType }
      return { type: 'text', text: `[${displayName ?? mimeType}]` }
    }
    if ('url' in attachment)
      return { type: 'resource_link', uri: attachment.url, name: attachment.url }
    const name = 'displayName' in attachment ? attachment.displayName : attachment.type
    return { type: 'text', text: `[${name}]` }
  })
}
