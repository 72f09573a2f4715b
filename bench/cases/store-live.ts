/** What live indexing adds to a turn: the processor time of the store beside that of the turn itself. */
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Agent } from '../../src/engine/agent.ts'
import { createEngine } from '../../src/engine/engine.ts'
import { openDisk } from '../../src/fs/disk.ts'
import { createStore } from '../../src/store/store.ts'
import type { Case } from '../case.ts'
import { seededBy } from '../history.ts'
import { summaryOf, type Sample } from '../measure.ts'
import { timedAsync } from '../timed.ts'
import { converse } from '../../test/support/engine.ts'

const TURNS = 30
const TOOLS = 10
/** How long a fast model takes for one answer. */
const THINKING_MS = 50

export async function turns({ home }: { home: string }): Promise<Sample> {
  const fs = openDisk(home)
  const engine = createEngine({ cwd: process.cwd(), fs, agent: worker(), clientName: 'bench' })
  const store = createStore(fs, { cacheFolder: home })
  const { id } = await engine.create({ cwd: home })
  const whole: number[] = []
  const indexing: number[] = []
  for (let turn = 0; turn < TURNS; turn++) {
    whole.push((await timedAsync(() => converse(engine, id, { prompt: `turn ${turn}` }))).ms)
    store.follower.changed(id)
    indexing.push((await timedAsync(() => store.follower.settled())).ms)
  }
  await engine.stop()
  await store.close()
  const [turn, added] = [summaryOf(whole).median, summaryOf(indexing).median]
  return { turn, added, share: (added / turn) * 100 }
}

/** Eleven calls of a model, ten tools. */
function worker(): Agent {
  const seeded = seededBy(1)
  const say = (content: string) =>
    ({ draft: { type: 'assistant.message', data: { messageId: seeded.uuid(), content } } }) as const
  return {
    name: 'worker',
    async *run() {
      for (let tool = 0; tool < TOOLS; tool++) {
        await think()
        yield say(seeded.text(300))
        const toolCallId = seeded.uuid()
        const args = { command: `npm test ${tool}` }
        const data = { toolCallId, toolName: 'bash', arguments: args }
        yield { draft: { type: 'tool.execution_start', data } }
        const result = { content: seeded.text(2000) }
        const done = { toolCallId, success: true, result }
        yield { draft: { type: 'tool.execution_complete', data: done } }
      }
      await think()
      yield say(seeded.text(800))
    },
  }
}

const think = () => new Promise<void>((resolve) => setTimeout(resolve, THINKING_MS))

export const storeLiveCase: Case = {
  name: 'store-live',
  async figures({ scratch, measure }) {
    const home = join(scratch, 'live')
    const before = () => {
      rmSync(home, { recursive: true, force: true })
      mkdirSync(home, { mode: 0o700 })
    }
    const { live } = await measure(3, {
      live: { module: 'cases/store-live', probe: 'turns', args: { home }, before },
    })
    return [
      {
        name: 'live indexing of a turn with 10 tools, share of the turn',
        unit: '%',
        target: { atMost: 2 },
        measured: live('share'),
      },
      {
        name: 'live indexing of a turn with 10 tools',
        unit: 'ms',
        target: 'none',
        measured: live('added'),
        limit: { name: 'the turn itself', measured: live('turn') },
      },
    ]
  },
}
