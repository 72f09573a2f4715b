/**
 * A summary of a session made from its log alone, without a model: what was asked, what was done, what is
 * left. It is at most 16 KiB however long the history, and carries on what an earlier summary said.
 */
import {
  parseSummary,
  printSummary,
  sections,
  type Section,
  type Summary,
} from '../format/checkpoint-file.ts'
import type { Placed } from './positioned-event.ts'
import { preview } from './preview.ts'
import { linesOf, type SummaryLines, type SummaryOptions } from './summary-lines.ts'
import { projectTranscript } from './transcript-folder.ts'

/** Bytes of text for each section. The sum leaves room for tags, and for tags in texts that are escaped. */
const room: Record<Section, number> = {
  overview: 1900,
  history: 4500,
  work_done: 2600,
  technical_details: 1800,
  important_files: 1400,
  next_steps: 1900,
}

export function composeSummary(records: Iterable<Placed>, options: SummaryOptions = {}): string {
  const entries = projectTranscript(records)
  const earlier = earlierSummary(entries)
  const lines = linesOf(entries, options)
  return printSummary(
    Object.fromEntries(sections.map((section) => [section, sectionText(section, earlier, lines)])),
  )
}

/** The summary in force where the records start: the last that succeeded. */
function earlierSummary(entries: ReturnType<typeof projectTranscript>): Summary {
  const last = entries.findLast(
    (entry) =>
      entry.kind === 'compaction' && entry.status === 'succeeded' && entry.summary !== undefined,
  )
  return last?.kind === 'compaction' ? parseSummary(last.summary ?? '') : {}
}

/** What is next is only what is next now; everything else goes on from the earlier summary. */
function sectionText(section: Section, earlier: Summary, lines: SummaryLines): string {
  const before = section === 'next_steps' ? [] : (earlier[section] ?? '').split('\n')
  const all = [...before, ...lines[section]].map(clipped).filter((line) => line !== '')
  return fitted([...new Set(all)], room[section])
}

const LONGEST_LINE = 400

const clipped = (line: string) =>
  line.length <= LONGEST_LINE ? line.trimEnd() : preview(line, LONGEST_LINE)

const OMITTED = (count: number) => `- … ${count} more …`

/** Whole lines from both ends; the middle is what can be missed. */
function fitted(lines: readonly string[], limit: number): string {
  if (bytes(lines.join('\n')) <= limit) return lines.join('\n')
  const head: string[] = []
  const tail: string[] = []
  let left = limit - bytes(OMITTED(lines.length)) - 1
  for (let from = 0, to = lines.length - 1; from <= to;) {
    const isTail = tail.length <= head.length
    const line = lines[isTail ? to : from] ?? ''
    left -= bytes(line) + 1
    if (left < 0) break
    if (isTail) {
      tail.unshift(line)
      to--
    } else {
      head.push(line)
      from++
    }
  }
  return [...head, OMITTED(lines.length - head.length - tail.length), ...tail].join('\n')
}

const bytes = (text: string) => new TextEncoder().encode(text).length
