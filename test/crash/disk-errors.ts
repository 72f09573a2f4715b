/** A turn during which one system call fails, as it would on a full or a broken disk. */
import assert from 'node:assert/strict'
import { play } from './crash-points.ts'
import type { Point, Stage } from './crash-points.ts'
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
export async function failAt(stage: Stage, { point, error }: DiskError): Promise<void> {
  await play(
    stage,
    [`${point.name}:error=${error}:when=${point.nth}`],
    async ({ home, lines, calls }) => {
      requireSyncedBeforeTold(calls)
      if (isOfLog(point)) {
        assert.ok(lines.includes('notice persistence'), 'nobody was told of the trouble')
        assert.match(lines.at(-1) ?? '', /^done send /)
      }
      await requireSurvival(home, stage.id, acknowledgedBy(lines))
    },
  )
}
