/** The table of figures, for the terminal and for RESULTS.md. */
import { statfsSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { amount, isMet, ratioOf, targetText } from './figure.ts'
import type { Figure } from './figure.ts'

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

export function results(
  figures: readonly Figure[],
  { command, dataFolder }: { command: string; dataFolder: string },
): string {
  const [cpu] = cpus()
  return `# Results

- Date: ${new Date().toISOString().slice(0, 10)}
- Command: \`${command}\`
- Machine: ${cpus().length} × ${cpu?.model.trim() ?? 'unknown'}, ${Math.round(totalmem() / 2 ** 30)} GiB of memory, ${process.platform} ${process.arch}, ${fileSystem(dataFolder)}
- Node ${process.versions.node}

${table(figures)}
## How to read it

- Each run is a process of its own, and what it is compared with takes turns with it. The figure is the median of the runs; behind it stand the fastest and the 95th percentile (with few runs, the slowest).
- The physical limit is what the same machine needs, in the same minute, for the bytes and system calls alone. The ratio is what we add. A slow or busy machine moves both; the ratio stays.
- "ok" and "miss" compare the median with the target. A line without a target is told for the context.
- The files are in the page cache, as those of a session that somebody works on are. Memory is the most that the process ever held, Node's own share included.
- The data is made by \`bench/data.ts\`, the same every time: 1,000 and 10,000 sessions of 19 events (9 KB), one session of 100,000 events (11,111 turns, 103 MiB), and with \`--huge\` one log of 1 GiB.
`
}

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
