/** Names live in workspace.yaml; they are for people and for --resume, and need not be unique. */
import { dropFromCatalogue } from '../catalogue/catalogue-drop.ts'
import { changeMetadata } from './change-metadata.ts'
import type { EngineContext } from '../engine-context.ts'
import { EngineError } from '../errors.ts'
import type { SessionId } from '../../format/ids.ts'
import { asLogged } from '../live/as-logged.ts'
import { requireSession } from '../live/not-found-reason.ts'

const MAX_NAME = 100

export async function rename(engine: EngineContext, id: SessionId, name: string): Promise<string> {
  const given = await nameToKeep(engine, name)
  await requireSession(engine, id)
  const now = engine.clock().toISOString()
  await changeMetadata(engine.fs, id, (file) => ({
    ...file,
    name: given,
    user_named: true,
    updated_at: now,
  }))
  // Its rows may hold the old name until they are written anew.
  await dropFromCatalogue(engine.fs, [id])
  engine.changes.tell({ kind: 'renamed', id })
  engine.live.get(id)?.feed.tell({ type: 'session.title_changed', data: { title: given } })
  return given
}

/** As it is kept: without secrets where logs are. */
export const nameToKeep = (engine: EngineContext, name: string): Promise<string> =>
  asLogged(engine, checkName(name))

function checkName(name: string): string {
  const given = name.trim().normalize('NFC')
  if (given === '')
    throw new EngineError('invalid', 'A session name must not be empty. Nothing was changed.')
  if ([...given].length > MAX_NAME) {
    throw new EngineError(
      'invalid',
      `A session name has at most ${MAX_NAME} characters. Nothing was changed.`,
    )
  }
  if (/\p{Cc}|\p{Cs}|[\u2028\u2029\u202a-\u202e\u2066-\u2069]/u.test(given)) {
    throw new EngineError(
      'invalid',
      'A session name must not hold control characters. Nothing was changed.',
    )
  }
  return given
}
