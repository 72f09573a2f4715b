/**
 * History that is given to a model is data. Each quoted text stands in an element that it cannot
 * close, under a line that says what it is.
 */
import type { Payload } from '../format/event.ts'

export function quoted(
  element: string,
  attributes: Readonly<Record<string, string | undefined>>,
  text: string,
): string {
  const head = Object.entries(attributes)
    .filter((entry): entry is [string, string] => entry[1] !== undefined)
    .map(([name, value]) => ` ${name}="${inAttribute(value)}"`)
    .join('')
  const inside = text.replace(new RegExp(`<(?=[\\s/]*${element}\\b)`, 'gi'), '&lt;')
  return `<${element}${head}>\n${inside.trim()}\n</${element}>`
}

/** How the model is told of something that happened beside the conversation. */
export const notificationText = ({ kind, content }: Payload<'system.notification'>): string =>
  quoted('system_notification', { kind: kind.type }, content)

const inAttribute = (value: string) =>
  value
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('"', '&quot;')
