/** Why a tool did not do what it was asked, for the person in front of it. The log has the words that the model reads. */
import type { EntryOf } from './transcript.ts'
import { INTERRUPTED } from './provider-valid.ts'
import { spanText } from '../lib/quantities.ts'

type Failed = Pick<EntryOf<'tool'>, 'output' | 'failure' | 'unfinished' | 'at' | 'endedAt'>

export function failureText(entry: Failed): string {
  const { output = '', failure } = entry
  if (failure === 'rejected') return 'You said no.'
  if (failure === 'denied') {
    const [, words] = /^A person denied this\..*?They said: ([^]*)$/.exec(output) ?? []
    return words === undefined ? output : `You said no: ${words}`
  }
  if (failure !== 'interrupted') return output
  const printed = output.replace(`[${INTERRUPTED}]`, '').replace(INTERRUPTED, '').trimEnd()
  return [printed, stopped(entry, printed !== '')].filter(Boolean).join('\n')
}

function stopped({ unfinished, at, endedAt }: Failed, hasOutput: boolean): string {
  if (endedAt === undefined) return 'Stopped before it had a result.'
  const after = `after ${spanText(Date.parse(endedAt) - Date.parse(at))}`
  const above = hasOutput ? ' (output above)' : ''
  if (unfinished === 'stopped') return `Stopped by you ${after}${above}.`
  return unfinished === 'killed'
    ? `Stopped ${after}: the program ended${above}.`
    : 'You cancelled this.'
}
