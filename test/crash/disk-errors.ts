/** A turn during which one system call fails, as it would on a full or a broken disk. */
import assert from 'node:assert/strict'
import { play, type Point, type Stage } from './crash-points.ts'
import { requireSyncedBeforeTold } from './told-order.ts'
import { acknowledgedBy, requireSurvival } from './survivors.ts'

export type DiskError = { readonly point: Point; readonly error: 'EIO' | 'ENOSPC' }

export const isOfLog = ({ path }: Point): boolean => path.endsWith('/events.jsonl')

/** The calls of these names, each with what is likely to go wrong there. */
export const errorsAt = (points: readonly Point[]): readonly DiskError[] =>
  points.flatMap((point): DiskError[] => {
    if (point.name === 'fdatasync' || point.name === 'fsync') return [{ point, error: 'EIO' }]
    return /^p?write/.test(point.name) ? [{ point, error: 'ENOSPC' }] : []
  })

/**
 * Trouble with the log is told and tried again until it passes. Trouble with another file may end the turn;
 * what was acknowledged stays, and the next turn works.
 */
export async function failAt(stage: Stage, disk: DiskError): Promise<void> {
  for (let tried = 0; tried < MOST_TRIES; tried += 1) if (await failOnce(stage, disk)) return
  assert.fail(`the fault never met ${disk.point.path}`)
}

/** What is told while a turn streams is written when it is time for it, so the count of a call may be another's. */
const MOST_TRIES = 10

/** False when the fault met another file. */
async function failOnce(stage: Stage, { point, error }: DiskError): Promise<boolean> {
  let isMet = false
  await play(
    stage,
    [`${point.name}:error=${error}:when=${point.nth}`],
    async ({ home, lines, calls }) => {
      const met = calls.filter(({ name, nth }) => name === point.name && nth === point.nth)
      isMet = met.some(({ args }) => isOfLog({ ...point, path: pathIn(args) })) === isOfLog(point)
      requireSyncedBeforeTold(calls)
      if (isMet && isOfLog(point)) {
        assert.ok(lines.includes('notice persistence'), 'nobody was told of the trouble')
        assert.match(lines.at(-1) ?? '', /^done send /)
      }
      await requireSurvival(home, stage.id, acknowledgedBy(lines))
    },
  )
  return isMet
}

/** Of a call on a file that is open, as strace spells it: `17</the/path>, …`. */
const pathIn = (args: string): string => /^\d+<([^>]*)>/.exec(args)?.[1] ?? ''
