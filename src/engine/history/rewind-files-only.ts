/**
 * Files as they were before a message, while the conversation goes on: in one step, told by the log, and brought back by
 * a redo for as long as nothing else was said.
 */
import type { EventId } from '../../format/ids.ts'
import { counted } from '../../lib/quantities.ts'
import type { RestorePlan } from '../../project/restore-plan.ts'
import type { EngineContext } from '../engine-context.ts'
import { EngineError } from '../errors.ts'
import { commit } from '../live/commit.ts'
import { readEvents } from '../live/events.ts'
import { stateOf, type LiveSession } from '../live/live-session.ts'
import { planFiles, removedBy, skippedLost, type RewoundFiles } from './rewind-files.ts'
import { recordedFiles } from './session-files.ts'

const TAKEN_BACK = 'files_taken_back'

/** `cutAt`: where the log would be cut if the conversation were taken back, too. */
export async function takeFilesBack(
  engine: EngineContext,
  session: LiveSession,
  { eventId, cutAt }: { readonly eventId: EventId; readonly cutAt: number },
): Promise<RewoundFiles> {
  const project = await recordedFiles(engine, session)
  const whole = await planFiles(engine, session, cutAt)
  const { project: plan, foreign } = whole
  if (project === undefined || plan === undefined)
    return { restoredFiles: [], skippedFiles: [], filesUnrecorded: true }
  const result = await project.apply(plan)
  if (result.outcome !== 'success') throw failed(result.error ?? result.outcome)
  const { restoredFiles, skippedFiles } = result
  const { turns } = stateOf(session)
  const first = turns.findIndex((turn) => turn.eventId === eventId)
  const turn = turns[first]?.index ?? first
  if (restoredFiles.length > 0)
    await tell(
      engine,
      session,
      `A person took ${counted(restoredFiles.length, 'file')} back to before turn ${turn + 1}.`,
      TAKEN_BACK,
    )
  return {
    restoredFiles,
    skippedFiles: [...skippedFiles, ...skippedLost(whole)],
    filesUnrecorded: false,
    ...(whole.lost.isPartial && { isRecordDamaged: true as const }),
    ...removedBy(plan, restoredFiles),
    ...(foreign.length > 0 && { foreignFiles: foreign }),
  }
}

/** Undefined when the last thing that happened was another one. */
export async function bringFilesBack(
  engine: EngineContext,
  session: LiveSession,
): Promise<Omit<RewoundFiles, 'filesUnrecorded'> | undefined> {
  const { events } = await readEvents(engine, session.id, { direction: 'backward', limit: 1 })
  const [last] = events
  if (last === undefined || 'stranger' in last || last.type !== 'session.info') return undefined
  if (last.data.infoType !== TAKEN_BACK) return undefined
  const project = await recordedFiles(engine, session)
  const plan: RestorePlan | undefined = await project?.planRedo()
  if (project === undefined || plan === undefined) return undefined
  const result = await project.apply(plan)
  if (result.outcome !== 'success') throw failed(result.error ?? result.outcome)
  const { restoredFiles, skippedFiles } = result
  await tell(
    engine,
    session,
    `A person brought ${counted(restoredFiles.length, 'file')} back.`,
    'files_brought_back',
  )
  return {
    restoredFiles,
    skippedFiles,
    ...removedBy({ ...plan, root: project.root }, restoredFiles),
  }
}

const tell = (engine: EngineContext, session: LiveSession, message: string, infoType: string) =>
  commit(engine, session, [{ type: 'session.info', data: { infoType, message } }])

const failed = (why: string): EngineError =>
  new EngineError(
    'conflict',
    `Files could not be taken back (${why}). They are as they were, and so is the conversation.`,
  )
