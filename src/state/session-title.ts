/** What a session is called where people choose among several, and how its id is shortened. */

/** The name it was given, or what its first message was about. */
export const sessionTitle = (
  { name, summary }: { readonly name?: string | undefined; readonly summary: string },
  unnamed = '(nothing said yet)',
): string => name || summary || unnamed

const SHORTEST = 8

/** The beginning of each id that no other id shares: what people type. */
export function shortIds(ids: readonly string[]): (id: string) => string {
  const counts = new Map<string, number>()
  for (const id of ids) {
    const start = id.slice(0, SHORTEST)
    counts.set(start, (counts.get(start) ?? 0) + 1)
  }
  return (id) => (counts.get(id.slice(0, SHORTEST)) === 1 ? id.slice(0, SHORTEST) : id)
}
