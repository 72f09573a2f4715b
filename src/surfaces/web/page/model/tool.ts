/** How a tool call is drawn: its sign, its line, what stands behind. */
export const toolMarks = { announced: '○', running: '●', succeeded: '✓', failed: '✗' } as const

export const oneLine = (text: string): string => text.slice(0, 300).replace(/\s+/g, ' ')

/** The one line that says what a tool call is about. */
export function argumentText(given: unknown): string {
  if (typeof given === 'string') return given
  if (typeof given !== 'object' || given === null) return ''
  const { command, path, file_path, pattern, query, url } = given as Readonly<
    Record<string, unknown>
  >
  for (const value of [command, path, file_path, pattern, query, url])
    if (typeof value === 'string') return value
  const text = JSON.stringify(given)
  return text === '{}' ? '' : text
}

/** What stands behind the line, when it says more than the line does. */
export function argumentDetails(given: unknown): string | undefined {
  if (typeof given !== 'object' || given === null) return undefined
  const values = Object.values(given)
  if (values.length === 0) return undefined
  if (values.length === 1 && argumentText(given) === values[0]) return undefined
  return JSON.stringify(given, null, 2)
}
