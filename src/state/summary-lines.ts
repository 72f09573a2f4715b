/** What a transcript says for each section of a summary, one fact a line. */
import type { Section } from '../format/checkpoint-file.ts'
import { preview } from './preview.ts'
import { deedOf } from './tool-effects.ts'
import type { EntryOf, TranscriptEntry } from './transcript.ts'

export type SummaryOptions = {
  readonly planText?: string
  /** Paths of files that the session keeps in its own folder. */
  readonly files?: readonly string[]
}

export type SummaryLines = { readonly [S in Section]: readonly string[] }

export function linesOf(
  entries: readonly TranscriptEntry[],
  { planText = '', files = [] }: SummaryOptions,
): SummaryLines {
  const turns = turnsOf(entries)
  const tools = entries.filter((entry) => entry.kind === 'tool')
  const { written, read } = touchedFiles(tools)
  return {
    overview: overview(turns),
    history: turns.map(turnLine),
    work_done: [...fileLines(written), ...commandLines(tools)],
    technical_details: technicalDetails(entries, tools),
    important_files: [
      ...ranked(written)
        .slice(0, 12)
        .map(([path]) => `- ${path}`),
      ...ranked(read)
        .slice(0, 6)
        .map(([path]) => `- ${path} (read)`),
      ...files.slice(0, 12).map((path) => `- ${line(path)} (kept in the session's folder)`),
    ],
    next_steps: nextSteps(turns, tools, planText),
  }
}

type SummaryTurn = { readonly prompt: string; readonly entries: TranscriptEntry[] }

function turnsOf(entries: readonly TranscriptEntry[]): SummaryTurn[] {
  const turns: SummaryTurn[] = []
  for (const entry of entries) {
    const isPrompt = entry.kind === 'user' && !entry.isSteering && entry.agentId === undefined
    if (isPrompt) turns.push({ prompt: entry.text, entries: [] })
    else turns.at(-1)?.entries.push(entry)
  }
  return turns
}

function overview(turns: readonly SummaryTurn[]): string[] {
  const [first] = turns
  if (first === undefined) return []
  return [
    preview(first.prompt, 400),
    ...turns.slice(1, 3).map(({ prompt }) => `- then: ${preview(prompt, 200)}`),
  ]
}

function turnLine({ prompt, entries }: SummaryTurn): string {
  return `- ${preview(prompt, 120)} → ${outcomeOf(entries)}`
}

function outcomeOf(entries: readonly TranscriptEntry[]): string {
  const answer = answerOf(entries)
  const last = entries.findLast(({ kind }) => kind === 'abort' || kind === 'error')
  if (last?.kind === 'abort') return 'stopped by the user'
  if (answer !== undefined) return preview(answer, 160)
  if (last?.kind === 'error') return `failed: ${preview(last.text, 120)}`
  return 'no answer'
}

const answerOf = (entries: readonly TranscriptEntry[]): string | undefined =>
  entries.findLast(
    (entry): entry is EntryOf<'assistant'> =>
      entry.kind === 'assistant' && entry.agentId === undefined,
  )?.text

type Tool = EntryOf<'tool'>
type Counts = Map<string, number>

const count = (counts: Counts, key: string) => void counts.set(key, (counts.get(key) ?? 0) + 1)
const ranked = (counts: Counts) => [...counts].sort((a, b) => b[1] - a[1])
const line = (text: string) => preview(text, 160)

function touchedFiles(tools: readonly Tool[]): { written: Counts; read: Counts } {
  const written: Counts = new Map()
  const read: Counts = new Map()
  for (const tool of tools) {
    const deed = deedOf(tool.toolName, tool.arguments)
    if (tool.status !== 'succeeded' || !('paths' in deed)) continue
    for (const path of deed.paths) count(deed.kind === 'write' ? written : read, line(path))
  }
  return { written, read }
}

const fileLines = (written: Counts): string[] =>
  ranked(written).map(([path, times]) => `- wrote ${path}${times > 1 ? ` (${times} times)` : ''}`)

function commandLines(tools: readonly Tool[]): string[] {
  const runs = new Map<string, { ok: number; failed: number }>()
  for (const tool of tools) {
    const deed = deedOf(tool.toolName, tool.arguments)
    if (deed.kind !== 'command' || isPending(tool)) continue
    const command = line(deed.command)
    const { ok, failed } = runs.get(command) ?? { ok: 0, failed: 0 }
    runs.set(command, hasFailed(tool) ? { ok, failed: failed + 1 } : { ok: ok + 1, failed })
  }
  return Array.from(
    runs,
    ([command, { ok, failed }]) => `- ran \`${command}\` (${ok} ok, ${failed} failed)`,
  )
}

const isPending = ({ status }: Tool) => status === 'announced' || status === 'running'
const hasFailed = ({ status }: Tool) => status !== 'succeeded'

/** A line of technical details that records what happened and teaches the next session nothing. */
export const isRecordLine = (text: string): boolean =>
  /^- (?:models: |agents: |error \(|\S+ failed: )/.test(text)

function technicalDetails(entries: readonly TranscriptEntry[], tools: readonly Tool[]): string[] {
  const models = new Set<string>()
  const agents = new Set<string>()
  const errors: string[] = []
  for (const entry of entries) {
    if ('model' in entry && entry.model !== undefined) models.add(line(entry.model))
    if (entry.kind === 'subagent') agents.add(line(entry.name))
    if (entry.kind === 'error') errors.push(`- error (${line(entry.topic)}): ${line(entry.text)}`)
  }
  const failures = tools.filter(({ status, exitCode = 0 }) => status === 'failed' && exitCode === 0)
  return [
    ...(models.size > 0 ? [`- models: ${[...models].join(', ')}`] : []),
    ...(agents.size > 0 ? [`- agents: ${[...agents].join(', ')}`] : []),
    ...errors,
    ...failures.map(
      ({ toolName, output = 'without a message', toldModel = output }) =>
        `- ${line(toolName)} failed: ${line(toldModel)}`,
    ),
  ]
}

function nextSteps(
  turns: readonly SummaryTurn[],
  tools: readonly Tool[],
  planText: string,
): string[] {
  const last = turns.at(-1)
  const isUnanswered = last !== undefined && answerOf(last.entries) === undefined
  const pending = tools.filter(isPending)
  const plan = planText.split('\n').filter((each) => /^\s*[-*] \[ \]/.test(each))
  return [
    ...(isUnanswered ? [`- answer: ${preview(last.prompt, 400)}`] : []),
    ...pending.map((tool) => `- ${line(tool.toolName)} was not finished`),
    ...plan.map((each) => line(each.replace(/^\s*[*]/, '-'))),
  ]
}
