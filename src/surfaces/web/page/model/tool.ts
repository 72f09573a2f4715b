/** How a tool call is drawn: its sign, its line, what stands behind. */
import { argumentText } from '../../../../state/call-text.ts'

export const toolMarks = { announced: '○', running: '●', succeeded: '✓', failed: '✗' } as const

export const oneLine = (text: string): string => text.slice(0, 300).replace(/\s+/g, ' ')

/** What stands behind the line, when it says more than the line does. */
export function argumentDetails(given: unknown): string | undefined {
  if (typeof given !== 'object' || given === null) return undefined
  const values = Object.values(given)
  if (values.length === 0) return undefined
  if (values.length === 1 && argumentText(given) === values[0]) return undefined
  return JSON.stringify(given, null, 2)
}
