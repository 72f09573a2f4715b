/** The part of `doctor` that is about all sessions together: the session store and the context board. */
import { howToTurnOn, isOn } from '../../config/features.ts'
import { readConfig } from '../../config/load.ts'
import { cacheFolder } from '../../lib/cache-folder.ts'
import { BoardBusy } from '../../store/board.ts'
import { StoreUnavailable } from '../../store/connection.ts'
import { examineStore, type StoreAilment, type StoreDiagnosis } from '../../store/doctor.ts'
import { explainSession, type SessionNote } from '../../store/doctor-session.ts'
import type { SessionId } from '../../format/ids.ts'
import type { Cli } from './command.ts'
import type { HomeFinding } from './layers.ts'
import { laterBoard } from './command-context.ts'
import { dim, green, red, yellow } from './render/span.ts'

type StoreVisit = { readonly diagnosis: StoreDiagnosis; readonly after?: StoreDiagnosis }

export async function visitStore(
  cli: Cli,
  { repair }: { readonly repair: boolean },
): Promise<StoreVisit> {
  const diagnosis = await examine(cli)
  const ill = diagnosis.ailments.filter(({ severity }) => severity !== 'note')
  if (!repair || ill.length === 0) return { diagnosis }
  try {
    if (ill.some(({ layer }) => layer === 'store')) {
      await (await cli.store()).reindex({ signal: cli.signal })
    }
    // After the store: a new one has to be given its copy of the board.
    using board = laterBoard(cli)
    await (await board.open()).mend()
  } catch (cause) {
    // It stays as ill as it is, and says so.
    if (!(cause instanceof StoreUnavailable) && !(cause instanceof BoardBusy)) throw cause
  }
  return { diagnosis, after: await examine(cli) }
}

async function examine(cli: Cli): Promise<StoreDiagnosis> {
  const { fs } = await cli.engine()
  const found = await examineStore(fs, { cacheFolder: cacheFolder(cli.host.env) })
  const config = await readConfig(fs).catch(() => ({})) // doctor looks at sessions all the same
  if (isOn(config, 'sessionStore')) return found
  // An index that nobody wants is behind, or not there, as it should be.
  const others = found.ailments.filter(
    ({ layer, severity }) => layer !== 'store' || severity === 'damage',
  )
  return { ...found, ailments: [...others, OFF] }
}

const OFF: StoreAilment = {
  layer: 'store',
  severity: 'note',
  message: `There is no index of sessions. ${howToTurnOn('sessionStore')}`,
}

export const explain = async (cli: Cli, id: SessionId): Promise<readonly SessionNote[]> =>
  explainSession((await cli.engine()).fs, id, { cacheFolder: cacheFolder(cli.host.env) })

export const isSound = ({ diagnosis, after }: StoreVisit): boolean => (after ?? diagnosis).healthy

const marks = { note: dim('·'), stale: yellow('!'), damage: red('✗') } as const

export function showNotes(
  { out }: Pick<Cli, 'out'>,
  notes: readonly (SessionNote | StoreAilment | HomeFinding)[],
): void {
  for (const { layer, severity, message, remedy } of notes) {
    out.line('  ', marks[severity], ' ', dim(`${layer}: `), message)
    if (remedy !== undefined) out.line('    ', dim(`${remedy} mends it.`))
  }
}

export function showStore(cli: Pick<Cli, 'out'>, { diagnosis, after }: StoreVisit): void {
  const told = diagnosis.ailments.filter(({ severity }) => severity !== 'note')
  if (told.length === 0) return
  cli.out.line('session store and board', after?.healthy === true ? green(' mended') : '')
  showNotes(cli, told)
}
