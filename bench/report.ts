/** The table of figures, for the terminal and for RESULTS.md. */
import { statfsSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { amount, isMet, ratioOf, targetText, type Figure } from './figure.ts'

const HEAD = ['figure', 'target', 'measured (min … p95)', 'physical limit, same run', 'ratio', '']

export function table(figures: readonly Figure[]): string {
  const rows = [HEAD, ...figures.map(row)]
  const widths = HEAD.map((_, column) => Math.max(...rows.map((cells) => cells[column]!.length)))
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |\n`
  const rule = `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|\n`
  return [line(HEAD), rule, ...rows.slice(1).map(line)].join('')
}

function row(figure: Figure): string[] {
  const { name, unit, measured, limit } = figure
  const ratio = ratioOf(figure)
  return [
    name,
    targetText(figure),
    `${amount(measured.median, unit)} (${amount(measured.min, unit)} … ${amount(measured.p95, unit)})`,
    limit === undefined ? '–' : `${limit.name}: ${amount(limit.measured.median, unit)}`,
    ratio === undefined ? '–' : `${ratio.toFixed(2)} ×`,
    verdict(figure),
  ]
}

function verdict(figure: Figure): string {
  const met = isMet(figure)
  if (met === undefined) return ''
  return met ? 'ok' : 'miss'
}

type Given = {
  readonly command: string
  readonly dataFolder: string
  /** Figures of cases that are measured only when they are named, by the heading that they have. */
  readonly named: ReadonlyMap<string, readonly Figure[]>
}

/** RESULTS.md with what was measured in place of what was measured before; everything else in it stays. */
export function results(before: string, figures: readonly Figure[], given: Given): string {
  const [head = '', ...sections] = before.split(/^(?=## )/m)
  const kept = new Map(sections.map((section) => [headingOf(section), section]))
  if (figures.length > 0) kept.set(HOW, howToRead)
  for (const [heading, measured] of given.named)
    kept.set(heading, `## ${heading}\n\n${about(given)}\n${table(measured)}\n`)
  const main = figures.length === 0 ? head : `# Results\n\n${about(given)}\n${table(figures)}\n`
  return `${[main, ...kept.values()].map((part) => part.trimEnd()).join('\n\n')}\n`
}

const headingOf = (section: string): string => section.slice(3, section.indexOf('\n'))

function about({ command, dataFolder }: Given): string {
  const [cpu] = cpus()
  return `- Date: ${new Date().toISOString().slice(0, 10)}
- Command: \`${command}\`
- Machine: ${cpus().length} × ${cpu?.model.trim() ?? 'unknown'}, ${Math.round(totalmem() / 2 ** 30)} GiB of memory, ${process.platform} ${process.arch}, ${fileSystem(dataFolder)}
- Node ${process.versions.node}
`
}

const HOW = 'How to read it'
const howToRead = `## ${HOW}

- Each run is a process of its own, and what it is compared with takes turns with it. The figure is the median of the runs; behind it stand the fastest and the 95th percentile (with few runs, the slowest).
- The physical limit is what the same machine needs, in the same minute, for the bytes and system calls alone. The ratio is what we add. A slow or busy machine moves both; the ratio stays.
- "ok" and "miss" compare the median with the target. A line without a target is told for the context.
- The files are in the page cache, as those of a session that somebody works on are. Memory is the most that the process ever held, Node's own share included.
- The data is made by \`bench/data.ts\`, the same every time: 1,000 and 10,000 sessions of 19 events (9 KB), one session of 100,000 events (11,111 turns, 103 MiB), and with \`--huge\` one log of 1 GiB.
`

const FILE_SYSTEMS: Readonly<Record<number, string>> = {
  0xef53: 'ext4',
  0x58465342: 'xfs',
  0x9123683e: 'btrfs',
  0x01021994: 'tmpfs',
  0x794c7630: 'overlayfs',
  0x1a: 'apfs',
}

function fileSystem(folder: string): string {
  const { type } = statfsSync(folder)
  return FILE_SYSTEMS[type] ?? `file system type 0x${type.toString(16)}`
}
