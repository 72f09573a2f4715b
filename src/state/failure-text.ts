/** Why a tool did not do what it was asked, for the person in front of it. The log has the words that the model reads. */
import type { EntryOf } from './transcript.ts'
import { INTERRUPTED } from './provider-valid.ts'
import { spanText } from '../lib/quantities.ts'

type Failed = Pick<EntryOf<'tool'>, 'output' | 'failure' | 'unfinished' | 'at' | 'endedAt'>

export function failureText(entry: Failed): string {
  const { output = '', failure } = entry
  const refusal = refusalText(output, failure)
  if (refusal !== undefined) return refusal
  if (failure !== 'interrupted') return output
  const printed = output.replace(`[${INTERRUPTED}]`, '').replace(INTERRUPTED, '').trimEnd()
  return [printed, stopped(entry, printed !== '')].filter(Boolean).join('\n')
}

/** Undefined when it did not fail because this person said no, or had it plan only. */
export function refusalText(output: string, failure: string | undefined): string | undefined {
  if (failure === 'rejected') return 'You said no.'
  if (failure === 'denied' && output.startsWith('Blocked: plan mode is read-only'))
    return 'Blocked: plan mode is read-only. /mode interactive allows edits.'
  const [, words] = /^A person denied this\..*?They said: ([^]*)$/.exec(output) ?? []
  return failure === 'denied' && words !== undefined ? `You said no: ${words}` : undefined
}

function stopped({ unfinished, at, endedAt }: Failed, hasOutput: boolean): string {
  if (endedAt === undefined) return 'Stopped before it had a result.'
  const after = `after ${spanText(Date.parse(endedAt) - Date.parse(at))}`
  const above = hasOutput ? ' (output above)' : ''
  if (unfinished === 'stopped') return `Stopped by you ${after}${above}.`
  // When it ended is not known: the log was written to by who came next.
  if (unfinished === 'killed') return `Stopped: the program ended${above}.`
  return unfinished === undefined
    ? 'You cancelled this.'
    : `No result: its agent ended first${above}.`
}
