/** The one line that says what a call of a tool is about, on every surface. */
export function argumentText(given: unknown): string {
  if (typeof given === 'string') return given
  if (typeof given !== 'object' || given === null) return ''
  const { command, question, query, url, pattern, path, file_path } = given as Readonly<
    Record<string, unknown>
  >
  const [first, second] = [command, question, query, url, pattern, path, file_path].filter(
    (value): value is string => typeof value === 'string' && value !== '',
  )
  if (first === undefined) {
    const text = JSON.stringify(given)
    return text === '{}' ? '' : text
  }
  // An editor of many commands says what it does, and to which file.
  if (first === command && typeof path === 'string' && path !== '') return `${command} ${path}`
  // What is looked for says more than where; both together say it all.
  return first === pattern && second !== undefined ? `${first} in ${second}` : first
}
