/** Why an answer ends where it ends, as people are told; undefined for one that is whole. */
const WORDS: Readonly<Record<string, string>> = {
  stopped: 'stopped here',
  broken: 'the connection broke here',
  retried: 'the connection broke here; it was asked again',
  killed: 'the program ended here',
}

export const unfinishedWords = (why: string | undefined): string | undefined =>
  why === undefined ? undefined : (WORDS[why] ?? 'not finished')
