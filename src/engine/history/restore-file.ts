/**
 * One file as it was before a turn, and nothing else: the conversation goes on, and the log tells that a person did it.
 * Refused where the file was changed by others since, or where no earlier version was kept.
 */
import type { EventId } from '../../format/ids.ts'
import type { EngineContext } from '../engine-context.ts'
import { EngineError } from '../errors.ts'
import { commit } from '../live/commit.ts'
import { requireIdle, stateOf, type LiveSession } from '../live/live-session.ts'
import { withWriter } from '../live/writer.ts'
import { noTurn } from './file-changes.ts'
import { planFiles } from './rewind-files.ts'
import { recordedFiles, settleFiles } from './session-files.ts'

type RestoreFile = {
  /** The user.message of the turn before which it is to be as it was. */
  readonly eventId: EventId
  /** Relative to the root of the project. */
  readonly path: string
}

type RestoredFile = { readonly path: string; readonly outcome: 'restored' | 'already' }

export async function restoreFile(
  engine: EngineContext,
  session: LiveSession,
  { eventId, path }: RestoreFile,
): Promise<RestoredFile> {
  requireIdle(session, 'restore a file')
  return withWriter(engine, session, {}, async () => {
    await settleFiles(engine, session)
    const { turns } = stateOf(session)
    const first = turns.findIndex((turn) => turn.eventId === eventId)
    if (first === -1) throw noTurn(eventId)
    const project = await recordedFiles(engine, session)
    const { project: plan, lost } = await planFiles(engine, session, turns[first]?.start ?? 0)
    const item = plan?.items.find((each) => each.path === path)
    if (item === undefined && lost.paths.includes(path))
      throw new EngineError('conflict', `${path} ${WHY.notCovered}`)
    if (project === undefined || plan === undefined || item === undefined)
      throw new EngineError('not_found', `${path} was not changed since that turn. ${UNTOUCHED}`)
    if (item.verdict === 'already') return { path, outcome: 'already' }
    if (item.verdict !== 'restore')
      throw new EngineError('conflict', `${path} ${WHY[item.verdict]}`)
    const { outcome, error = outcome } = await project.apply({ ...plan, items: [item] })
    if (outcome !== 'success')
      throw new EngineError('conflict', `${path} could not be restored (${error}). ${UNTOUCHED}`)
    const turn = turns[first]?.index ?? first
    const message = `A person restored ${path} to what it was before turn ${turn + 1}.`
    await commit(engine, session, [
      { type: 'session.info', data: { infoType: 'file_restored', message } },
    ])
    return { path, outcome: 'restored' }
  })
}

const UNTOUCHED = 'Nothing was changed.'
const WHY = {
  drifted: `was changed outside this session since. ${UNTOUCHED}`,
  notCovered: `has no earlier version that was kept. ${UNTOUCHED}`,
} as const
