/** What a tool server gave: its texts for the model, everything else named there and kept with the event. */
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { defined } from '../../lib/defined.ts'
import { ToolFailure, type ToolResult } from '../tools/tool.ts'

const Resource = z.looseObject({
  uri: z.string(),
  mimeType: z.string().exactOptional(),
  text: z.string().exactOptional(),
  blob: z.string().exactOptional(),
})

const Content = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.enum(['image', 'audio']), data: z.string(), mimeType: z.string() }),
  z.object({ type: z.literal('resource'), resource: Resource }),
  z.object({
    type: z.literal('resource_link'),
    uri: z.string(),
    name: z.string(),
    mimeType: z.string().exactOptional(),
  }),
])
type Content = z.output<typeof Content>

const Result = z.looseObject({
  content: z.array(z.unknown()).default([]),
  structuredContent: z.unknown().optional(),
  isError: z.boolean().default(false),
})

export function readResult(given: unknown): ToolResult {
  const parsed = Result.safeParse(given)
  if (!parsed.success) throw new ToolFailure('failed', 'The server answered in no known form.')
  const { content, structuredContent, isError } = parsed.data
  const contents = content.flatMap((each) => {
    const known = Content.safeParse(each)
    return known.success ? [known.data] : []
  })
  const texts = contents.map(inWords)
  if (structuredContent !== undefined && !texts.some((each) => isSameJson(each, structuredContent)))
    texts.push(JSON.stringify(structuredContent))
  const text = texts.join('\n')
  if (isError) throw new ToolFailure('failed', text === '' ? 'The tool failed.' : text)
  return {
    content: text,
    ...(contents.some(({ type }) => type !== 'text') && { contents }),
    ...defined({ structuredContent }),
  }
}

/** Many servers give it as a text, too, as the protocol asks of them. */
function isSameJson(text: string, value: unknown): boolean {
  try {
    return isDeepStrictEqual(JSON.parse(text), value)
  } catch {
    // Words, not JSON.
    return false
  }
}

function inWords(content: Content): string {
  switch (content.type) {
    case 'text':
      return content.text
    case 'resource':
      return content.resource.text ?? `[resource ${content.resource.uri}]`
    case 'resource_link':
      return `[resource ${content.uri}]`
    default:
      return `[${content.type} ${content.mimeType}]`
  }
}
