/** What other agents are about to purge and is not here yet. */
import { join } from 'node:path'
import type { Engine } from '../engine/engine.ts'
import { agentTitles } from './convert/readers.ts'
import type { AgentName } from './convert/port.ts'
import { fieldsOf } from '../lib/fields.ts'
import { finders } from './finders.ts'
import { isUnreadable, type Surroundings } from './found.ts'
import { importedId } from './ids.ts'
import { objectAt } from './scan-folders.ts'
import { readAbout } from './raw.ts'
import { hasService } from './user-service.ts'

export type Due = {
  readonly agent: AgentName
  readonly title: string
  /** How long it keeps them. */
  readonly days: number
  /** Not here, or not as they are there now. */
  readonly sessions: number
  /** Of these, those that go within a week. */
  readonly soon: number
  /** A service of the user takes them over by itself. */
  readonly isWatched: boolean
}

const DAY_MS = 86_400_000
const SOON_DAYS = 7
const USUAL_DAYS = 30

/** Their own settings say how long; nothing is changed in them. */
const keeps: Readonly<Partial<Record<AgentName, (around: Surroundings) => Promise<number>>>> = {
  claude: async ({ env, home }) => {
    const folder = env['CLAUDE_CONFIG_DIR'] || join(home, '.claude')
    const days = (await objectAt(join(folder, 'settings.json')))?.['cleanupPeriodDays']
    return typeof days === 'number' ? days : USUAL_DAYS
  },
  gemini: async ({ env, home }) => {
    const path = join(env['GEMINI_CLI_HOME'] || home, '.gemini/settings.json')
    const settings = fieldsOf((await objectAt(path))?.['general'])
    const { enabled = true, maxAge } = fieldsOf(settings['sessionRetention'])
    return enabled === false ? Infinity : (daysIn(maxAge) ?? USUAL_DAYS)
  },
}

const UNIT_DAYS: Readonly<Record<string, number>> = { h: 1 / 24, d: 1, w: 7, m: 30 }

/** As it writes it: `30d`, `2w`. */
function daysIn(text: unknown): number | undefined {
  const [, count, unit = ''] = /^(\d+)([hdwm])$/.exec(String(text)) ?? []
  return count === undefined ? undefined : Number(count) * (UNIT_DAYS[unit] ?? 1)
}

export async function duePurges(
  engine: Engine,
  around: Surroundings,
  now: Date,
): Promise<readonly Due[]> {
  const due: Due[] = []
  const isWatched = await hasService(around)
  for (const [name, daysOf] of Object.entries(keeps)) {
    const agent = name as AgentName
    const days = await daysOf(around)
    if (!Number.isFinite(days)) continue
    let sessions = 0
    let soon = 0
    for await (const found of finders[agent].find(around)) {
      if (isUnreadable(found)) continue
      const about = await readAbout(engine.fs, importedId(agent, found.nativeId))
      if (about?.stamp === found.stamp) continue
      sessions += 1
      const oldest = Math.min(...found.files.map(({ mtimeMs }) => mtimeMs))
      if (oldest + (days - SOON_DAYS) * DAY_MS < now.getTime()) soon += 1
    }
    if (sessions > 0)
      due.push({ agent, title: agentTitles[agent], days, sessions, soon, isWatched })
  }
  return due
}
