/** How long to wait before the next try: soon at first, then less and less often, never longer than ten seconds. */
const FIRST_MS = 300
const LONGEST_MS = 10_000

export const waitBefore = (tries: number): number => Math.min(LONGEST_MS, FIRST_MS * 2 ** tries)
