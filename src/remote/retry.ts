/**
 * How long the end of a process waits for Mission Control. One that answers has a while for what was just done; one that
 * has been asked and has said nothing at all is not waited for: the marks in the home stay, and the next process goes on.
 */
import type { ServerAddress } from './ask-server.ts'

const ANSWERING_MS = 2000
const FIRST_ANSWER_MS = 1000

export function withPatience(
  address: ServerAddress,
  now: () => number = Date.now,
): { readonly address: ServerAddress; readonly patienceMs: () => number } {
  let firstAsked: number | undefined
  let isAnswering = false
  const ask: typeof fetch = async (...asked) => {
    firstAsked ??= now()
    const response = await (address.fetch ?? fetch)(...asked)
    isAnswering = true
    return response
  }
  return {
    address: { ...address, fetch: ask },
    patienceMs: () =>
      isAnswering ? ANSWERING_MS : Math.max(0, (firstAsked ?? now()) + FIRST_ANSWER_MS - now()),
  }
}
