/** What happened besides talk and tools, in one line each. Every kind has its answer here; none is left out by being forgotten. */
import type { EntryOf, TranscriptEntry } from '../../../state/transcript.ts'
import { wentOnWords } from '../../../state/went-on-words.ts'

export type Brief = {
  readonly mark: '·' | '!' | '✗' | '✓' | '●' | '◌' | '◆' | '⇄'
  readonly colour: 'dim' | 'yellow' | 'red' | 'magenta' | 'cyan'
  readonly text: string
}

/** These are shown at length by each view. */
type Long = 'user' | 'assistant' | 'thought' | 'tool'
type BriefKind = Exclude<TranscriptEntry['kind'], Long>

const dim = (text: string): Brief => ({ mark: '·', colour: 'dim', text })
const warned = (text: string): Brief => ({ mark: '!', colour: 'yellow', text })
const wrong = (text: string): Brief => ({ mark: '✗', colour: 'red', text })

/** What is a sentence needs no heading. */
const remark = (topic: string, text: string): Brief =>
  dim(/[.!?]$/.test(text) ? text : `${topic.replaceAll('_', ' ')}: ${text}`)

const refused = (decision: string, by: string): string =>
  decision === 'cancelled' ? 'cancelled' : `not allowed: ${by}`

const briefs: {
  readonly [K in BriefKind]: (entry: EntryOf<K>) => Brief | undefined
} = {
  // What a person or the mode refused, or what was withdrawn, is told by the tool that did not run.
  permission: ({ what, decision, decidedBy }) =>
    decision === undefined ||
    decision.startsWith('approved') ||
    decision === 'denied-interactively-by-user' ||
    decidedBy === 'withdrawn' ||
    decidedBy?.startsWith('the mode ') === true
      ? undefined
      : wrong(
          `${what} · ${decidedBy === undefined ? decision.replaceAll('-', ' ') : refused(decision, decidedBy)}`,
        ),
  continuation: ({ by }) => dim(wentOnWords(by)),
  compaction: ({ status, checkpoint, error }) => {
    if (status === 'running') return { mark: '◌', colour: 'magenta', text: 'compacting…' }
    if (status === 'failed')
      return { mark: '✗', colour: 'magenta', text: `compaction failed: ${error ?? ''}` }
    const where = checkpoint === undefined ? '' : ` · checkpoint ${checkpoint}`
    return { mark: '◆', colour: 'magenta', text: `compacted${where} · /session checkpoints` }
  },
  info: ({ topic, text }) => remark(topic, text),
  warning: ({ text }) => warned(text),
  error: ({ text }) => wrong(text),
  model: ({ model, effort }) => dim(`model: ${model}${effort === undefined ? '' : ` (${effort})`}`),
  mode: ({ mode }) => dim(`mode: ${mode}`),
  plan: ({ operation }) => dim(`plan ${operation}d · /plan shows it`),
  file: ({ path, operation }) => dim(`file ${operation}d: ${path}`),
  resume: () => dim('resumed'),
  shutdown: ({ shutdownType, reason }) =>
    shutdownType === 'routine' ? undefined : warned(`ended: ${reason ?? shutdownType}`),
  abort: () => warned('cancelled'),
  handoff: ({ sourceType, text }) => ({
    mark: '⇄',
    colour: 'magenta',
    text: `handed over from ${sourceType}: ${text}`,
  }),
  subagent: ({ name, status }) => ({
    mark: ({ running: '●', failed: '✗', succeeded: '✓' } as const)[status],
    colour: 'cyan',
    text: `agent ${name}`,
  }),
  skill: ({ name }) => dim(`skill: ${name}`),
  hook: ({ hookType, status, error }) =>
    status === 'failed' ? wrong(`hook ${hookType}: ${error ?? ''}`) : undefined,
  stranger: () => undefined,
}

type BriefEntry = Extract<TranscriptEntry, { readonly kind: BriefKind }>

export const briefOf = (entry: BriefEntry): Brief | undefined =>
  (briefs[entry.kind] as (entry: BriefEntry) => Brief | undefined)(entry)
