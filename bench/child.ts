/** Runs one probe and prints what it gave, with the most memory that this process ever held. */
import { readFileSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Sample } from './measure.ts'

const [childPath = '', modulePath = '', probe = '', args = '{}'] = process.argv.slice(1)
// As the program does: what an operation loads when it is first asked for was compiled by an earlier run.
enableCompileCache(join(dirname(childPath), 'compile-cache'))
const module: Record<string, (args: unknown) => Promise<Sample>> = await import(
  pathToFileURL(modulePath).href
)
const sample = await module[probe]?.(JSON.parse(args))
process.stdout.write(JSON.stringify({ ...sample, rssMb: peakRssMb() }))

/**
 * Linux counts what the parent held at the fork into a child's resource usage; the high-water mark of the
 * address space is the child's alone.
 */
function peakRssMb(): number {
  if (process.platform === 'linux') {
    const [, kib] = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
    if (kib !== undefined) return Number(kib) / 1024
  }
  return process.resourceUsage().maxRSS / 1024
}
