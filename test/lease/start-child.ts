/** Starts a process that takes leases, and keeps what it tells until a test asks for it. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { ChildOrder, ChildReport } from './child.ts'

export type LeaseChild = {
  readonly pid: number
  order(order: ChildOrder): void
  /** The next report of one of these kinds; others before it are dropped. */
  next(...kinds: readonly ChildReport['told'][]): Promise<ChildReport>
  signal(signal: NodeJS.Signals): void
  /** Returns when the process is gone. */
  kill(signal: NodeJS.Signals): Promise<void>
  end(): Promise<void>
}

export async function startChild(home: string, session: string): Promise<LeaseChild> {
  const process = fork(new URL('child.ts', import.meta.url), [home, session])
  const reports: ChildReport[] = []
  let wake = (): void => {}
  process.on('message', (report: ChildReport) => {
    reports.push(report)
    wake()
  })
  process.on('exit', () => wake())

  const next: LeaseChild['next'] = async (...kinds) => {
    for (;;) {
      const report = reports.shift()
      if (report !== undefined && kinds.includes(report.told)) return report
      if (report !== undefined) continue
      if (process.exitCode !== null || process.signalCode !== null)
        throw new Error('the child has ended')
      await new Promise<void>((resolve) => (wake = resolve))
    }
  }
  const kill: LeaseChild['kill'] = async (signal) => {
    if (process.exitCode !== null || process.signalCode !== null) return
    const gone = once(process, 'exit')
    process.kill(signal)
    await gone
  }
  await next('ready')
  return {
    pid: process.pid ?? 0,
    order: (order) => void process.send(order),
    next,
    signal: (signal) => void process.kill(signal),
    kill,
    end: () => kill('SIGTERM'),
  }
}
