/** How an event in the log names the command that it is the effect of. */
import { fieldsOf, textIn } from '../../lib/fields.ts'

const PREFIX = 'command-'

export const sourceOf = (command: string): string => `${PREFIX}${command}`

export function commandIn(event: { readonly data?: unknown }): string | undefined {
  const source = textIn(fieldsOf(event.data), 'source')
  return source?.startsWith(PREFIX) === true ? source.slice(PREFIX.length) : undefined
}
