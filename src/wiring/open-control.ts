/** Opens the database of Mission Control: a folder of this machine, or PostgreSQL by its URL. */
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import {
  ControlError,
  isFull,
  noDatabase,
  unavailable,
  type ControlErrorCode,
} from '../control/control-error.ts'
import type { Database, Opener } from '../control/database/port.ts'
import type { PostgresOptions } from '../control/postgres/open.ts'
import { addTenant, tenantsOf } from '../control/people/people.ts'
import { EngineError, type ErrorCode } from '../engine/errors.ts'
import { homeFolder } from '../format/paths.ts'
import { errorText } from '../lib/error-text.ts'
import type { ControlPlace } from '../surfaces/cli/control.ts'

export const FIRST_TENANT = 'main'

export async function openControlDatabase(
  { home, cwd, data, database, tenant, noNotify }: ControlPlace,
  as: Opener,
  onTrouble: (message: string) => void,
): Promise<Database> {
  if (data !== undefined && database !== undefined)
    throw new ControlError('invalid', 'Give --data or --database, not both. Nothing was started.')
  if (data === '') throw new ControlError('invalid', '--data wants a folder. Nothing was started.')
  const db = await (database === undefined
    ? openFolder(data === undefined ? defaultFolder(home.path) : resolve(cwd, data), as)
    : openUrl({ url: database, as, notify: noNotify !== true, onTrouble }))
  // A database that is for others has no team of its own.
  if ((tenant ?? FIRST_TENANT) === FIRST_TENANT && (await tenantsOf(db.query)).length === 0)
    await addTenant(db.query, { id: FIRST_TENANT, name: 'Team' }, Date.now())
  return db
}

const defaultFolder = (home: string): string => join(home, homeFolder('controlLock'))

async function openFolder(folder: string, as: Opener): Promise<Database> {
  const { openSqlite } = await import('../control/sqlite/open.ts')
  if (as === 'visitor' && !existsSync(join(folder, 'control.db'))) throw noDatabase(folder)
  if (as !== 'visitor') await makeFolder(folder)
  return openSqlite({ folder, as })
}

async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
  } catch (cause) {
    throw new ControlError(
      'invalid',
      `The folder of the database cannot be made (${errorText(cause)}). Nothing was started.`,
      { cause },
    )
  }
}

async function openUrl(options: PostgresOptions): Promise<Database> {
  if (!/^postgres(?:ql)?:\/\//.test(options.url))
    throw new ControlError('invalid', '--database wants postgres://… Nothing was started.')
  const { openPostgres } = await import('../control/postgres/open.ts')
  return openPostgres(options)
}

const codes: Partial<Record<ControlErrorCode, ErrorCode>> = {
  not_found: 'not_found',
  conflict: 'conflict',
  in_use: 'in_use',
  expired: 'expired',
  unavailable: 'unreachable',
}

/** As the command line tells failures. */
export async function asEngineErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const told = isFull(error) ? unavailable(error) : error
    if (!(told instanceof ControlError)) throw error
    throw new EngineError(codes[told.code] ?? 'invalid', told.message, { cause: error })
  }
}
