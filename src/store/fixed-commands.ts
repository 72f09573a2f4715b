/** Commands that failed, and the one of the same program that then went well: what the agent had to find out. */
import { isCommand, troubleOf, whatOf, type CallRow } from './call-outcome.ts'

type WorkedInstead = {
  readonly sessionId: string
  readonly turn: number
  readonly failed: string
  readonly times: number
  readonly worked: string
}

/** Takes the calls of any sessions, in the order in which they were made. */
export function workedInstead(calls: readonly CallRow[]): WorkedInstead[] {
  const found: WorkedInstead[] = []
  let failing: { call: CallRow; what: string; times: number } | undefined
  for (const call of calls.filter(isCommand)) {
    const what = whatOf(call)
    if (LOOKS_AROUND.test(programOf(what))) continue
    const isSamePlace =
      failing?.call.sessionId === call.sessionId &&
      call.turn - failing.call.turn <= 1 &&
      programOf(what) === programOf(failing.what)
    const trouble = troubleOf(call)
    if (trouble?.kind === 'failed' || trouble?.kind === 'exit') {
      failing = { call, what, times: isSamePlace ? (failing?.times ?? 0) + 1 : 1 }
    } else if (
      trouble === undefined &&
      call.success === 1 &&
      failing !== undefined &&
      isSamePlace
    ) {
      if (what !== failing.what) {
        const { sessionId, turn } = call
        found.push({ sessionId, turn, failed: failing.what, times: failing.times, worked: what })
      }
      failing = undefined
    }
  }
  return found
}

/** Their failures teach where a file is not, and little else. */
const LOOKS_AROUND =
  /^(?:ls|cat|cd|pwd|echo|find|head|tail|sed|awk|grep|rg|wc|mkdir|rm|cp|mv|touch|test)$/

const programOf = (command: string): string =>
  (/^(?:[^\s=]+=\S+ |cd \S+ && |env |sudo |npx )*(\S+)/.exec(command)?.[1] ?? '').replace(
    /^.*\//,
    '',
  )
