/** What a client is told of a session, in the words of the protocol's first version. */
import type { ContentBlock, SessionUpdate, ToolCallContent } from '@agentclientprotocol/sdk'
import type { Fields } from '../../lib/fields.ts'

/** Another agent's update goes on in whatever words it used. */
export type Update = SessionUpdate | { readonly sessionUpdate: 'raw'; readonly update: Fields }

export const text = (value: string): ContentBlock => ({ type: 'text', text: value })

export const textContent = (value: string): ToolCallContent => ({
  type: 'content',
  content: text(value),
})
