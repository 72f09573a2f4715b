/** Parts of contents as Gemini's API has them; Qwen Code writes the same. */
import { fieldsOf, isFields, objectsOf, textIn, type Fields } from '../../lib/fields.ts'
import type { Picture } from '../convert/import-drafts.ts'
import { shown } from '../convert/values.ts'

/** Anywhere in a content, those of results included. */
export function picturesIn(content: unknown): Picture[] {
  return objectsOf(content).flatMap((part) => {
    const inline = fieldsOf(part['inlineData'])
    const data = textIn(inline, 'data')
    const own =
      data === undefined ? [] : [{ mimeType: textIn(inline, 'mimeType') ?? 'image/png', data }]
    return [...own, ...picturesIn(fieldsOf(part['functionResponse'])['parts'])]
  })
}

/** What the model was told of a call: `response.output`, or `response.error`. */
export function responseText(result: unknown): string {
  return objectsOf(result)
    .flatMap((part) => {
      const response = fieldsOf(part['functionResponse'])['response']
      if (!isFields(response)) return []
      return [shown(response['output'] ?? response['error'] ?? response)]
    })
    .join('\n')
}

/** A change of a file, as the program shows it. */
export const diffOfDisplay = (display: Fields): string | undefined => textIn(display, 'fileDiff')
