/** The terminal in a home of 100,000 sessions: the list of them; and what a line that moves costs while an agent thinks. */
import { performance } from 'node:perf_hooks'
import type { Agent, AgentItem } from '../../src/engine/agent.ts'
import type { Case } from '../case.ts'
import { engineAt } from '../engine-at.ts'
import type { Sample } from '../measure.ts'
import { openTerminal } from './tui.ts'

const COUNT = 100_000
const CTRL_P = '\x10'

/** Says nothing, until it is cancelled. */
const thinking: Agent = {
  name: 'thinking',
  async *run(_turn, signal): AsyncGenerator<AgentItem> {
    yield* []
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
  },
}

/** What was never listed is read first, as any earlier list did. */
export async function listed({ home }: { home: string }): Promise<Sample> {
  await engineAt(home).nearest({}, { limit: 1 })
  return {}
}

/** From the key to the rows. */
export async function picker({ home }: { home: string }): Promise<Sample> {
  await using opened = openTerminal({ home, start: { kind: 'new' } }, thinking)
  const { press, writes } = opened
  await writes('in this project')
  const shown = writes('Other sessions')
  const [startedAt, cpu] = [performance.now(), process.cpuUsage()]
  press(CTRL_P)
  await shown
  const { user, system } = process.cpuUsage(cpu)
  return { ms: performance.now() - startedAt, cpuMs: (user + system) / 1000 }
}

const SPAN_MS = 10_000
const BEGIN_MS = 1_000

/** Processor time of a turn that waits, of one core, beside that of a terminal in which nothing moves. */
export async function spinner({ home }: { home: string }): Promise<Sample> {
  await using opened = openTerminal({ home, start: { kind: 'new' } }, thinking)
  const { press, writes } = opened
  await writes('commands')
  const still = await costOfSpan()
  press('go')
  press('\r')
  await writes('waiting for')
  // What begins a turn is no part of what moves while it waits.
  await new Promise((resolve) => setTimeout(resolve, BEGIN_MS))
  const moving = await costOfSpan()
  press('\x1b')
  return { percent: Math.max(0, moving - still), still }
}

async function costOfSpan(): Promise<number> {
  const before = process.cpuUsage()
  await new Promise((resolve) => setTimeout(resolve, SPAN_MS))
  const { user, system } = process.cpuUsage(before)
  return ((user + system) / 1000 / SPAN_MS) * 100
}

export const tuiManyCase: Case = {
  name: 'tui-many',
  async figures({ homes, measure, scratch }) {
    const home = homes.many(COUNT)
    await measure(1, { first: { module: 'cases/tui-many', probe: 'listed', args: { home } } })
    const { many } = await measure(5, {
      many: { module: 'cases/tui-many', probe: 'picker', args: { home } },
    })
    const { moving } = await measure(3, {
      moving: { module: 'cases/tui-many', probe: 'spinner', args: { home: `${scratch}/spinner` } },
    })
    return [
      {
        name: 'list of sessions in the terminal, of 100,000',
        unit: 'ms',
        target: { atMost: 300 },
        measured: many('ms'),
      },
      {
        name: 'the same in processor time, which others on the machine do not stretch',
        unit: 'ms',
        target: { atMost: 300 },
        measured: many('cpuMs'),
      },
      {
        name: 'the line that moves while a turn waits, of a core',
        unit: '%',
        target: { atMost: 1 },
        measured: moving('percent'),
      },
    ]
  },
}
