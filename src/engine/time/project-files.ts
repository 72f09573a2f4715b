/**
 * The user's project of a session, with the record of what its agent changed. Opened with the first tool that may
 * change something; a project that cannot be watched is told of once and costs a turn nothing.
 */
import { homedir } from 'node:os'
import { dirname } from 'node:path'
import { openTimeTravel } from '../../project/time-travel.ts'
import type { TimeTravel } from '../../project/time-travel.ts'
import { errorText } from '../../lib/error-text.ts'
import type { EngineContext } from '../context.ts'
import type { LiveSession } from '../live/live-session.ts'

export async function projectFiles(
  engine: EngineContext,
  session: LiveSession,
): Promise<TimeTravel | undefined> {
  if (!engine.trackFiles) return undefined
  session.files ??= open(engine, session)
  return session.files
}

async function open(engine: EngineContext, session: LiveSession): Promise<TimeTravel | undefined> {
  const root = session.project.gitRoot ?? session.project.cwd
  if (isTooWide(root)) return undefined
  try {
    return await openTimeTravel({
      fs: engine.fs,
      sessionDir: session.dir,
      root,
      clock: engine.clock,
      limits: { waitMs: LONGEST_WAIT_MS },
    })
  } catch (error) {
    session.feed.tell({
      type: 'session.error',
      data: {
        errorType: 'file_tracking',
        message: `Changes of files are not recorded (${errorText(error)}). A rewind cannot take them back.`,
      },
    })
    return undefined
  }
}

/** A tool is not held back for longer: what was not read by then is named as not covered. */
const LONGEST_WAIT_MS = 2_000

/** A home or a disk is not a project: reading it would take hours. */
const isTooWide = (root: string): boolean => root === homedir() || dirname(root) === root
