/** What a home costs that holds ten and a hundred times as many sessions: whole processes, and the memory they take. */
import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Case } from '../case.ts'
import { engineAt } from '../engine-at.ts'
import type { Figure } from '../figure.ts'
import { measureWall, type Sample } from '../measure.ts'
import { timedAsync } from '../timed.ts'

const HERE = { cwd: '/home/dev/owner-1/project-1', repository: 'owner-1/project-1' }

/** The fifty nearest, as `sessions list` and the picker ask for them. */
export async function nearest({ home }: { home: string }): Promise<Sample> {
  const engine = engineAt(home)
  const { ms } = await timedAsync(() => engine.nearest(HERE, { limit: 50 }))
  return { ms, mb: process.resourceUsage().maxRSS / 1024 }
}

/** The one that `--continue` means. */
export async function goOn({ home }: { home: string }): Promise<Sample> {
  const engine = engineAt(home)
  const { ms } = await timedAsync(() => engine.latestFor(HERE))
  return { ms }
}

const COUNTS = [1_000, 10_000, 100_000]
const AT_MOST = { list: 200, reindex: 1000, memory: 120, goOn: 300 }

export const manyCase: Case = {
  name: 'many',
  async figures({ homes, measure }) {
    const reprise = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'bin', 'reprise')
    const figures: Figure[] = []
    for (const count of COUNTS) {
      const home = homes.many(count)
      const command = (...args: string[]) => ({ file: reprise, args: ['--home', home, ...args] })
      // What was never listed or indexed is made first, outside the measured time.
      spawnSync(reprise, command('reindex').args)
      spawnSync(reprise, command('sessions', 'list').args)
      const { list, reindex } = await measureWall(5, {
        list: command('sessions', 'list', '--limit', '50'),
        reindex: command('reindex'),
      })
      const { near, next } = await measure(5, {
        near: { module: 'cases/many', probe: 'nearest', args: { home } },
        next: { module: 'cases/many', probe: 'goOn', args: { home } },
      })
      const of = `of ${count.toLocaleString('en')}`
      const ms = (name: string, atMost: number, measured: Figure['measured']): Figure => ({
        name: `${name} ${of}`,
        unit: 'ms',
        target: { atMost },
        measured,
      })
      figures.push(
        ms('sessions list, 50 rows', AT_MOST.list, list('ms')),
        ms('reindex, nothing to do,', AT_MOST.reindex, reindex('ms')),
        ms('the session to continue', AT_MOST.goOn, next('ms')),
        ms('the fifty nearest, in process', AT_MOST.list, near('ms')),
        {
          name: `memory of that ${of}`,
          unit: 'MB',
          target: { atMost: AT_MOST.memory },
          measured: near('mb'),
        },
      )
    }
    return figures
  },
}
