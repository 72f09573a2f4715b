/** Leaves out where on a machine something was done. Paths within what was said and done stay. */
const PLACES: ReadonlySet<string> = new Set([
  'cwd',
  'gitRoot',
  'workspacePath',
  'checkpointPath',
  'outputFilePath',
  'resolvedPath',
  'resolvedPaths',
  'resolvedWorkingDirectory',
])

export function withoutPlaces<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  const text = JSON.stringify(value, (key, each: unknown) => (PLACES.has(key) ? undefined : each))
  return JSON.parse(text) as T
}
