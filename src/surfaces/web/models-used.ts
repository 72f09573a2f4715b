/** Models that sessions of this home used, as far as the store knows them. */
import { connect } from '../../store/connection.ts'
import { makeReport } from '../../store/reports/chronicle.ts'
import type { Web } from './route.ts'

export async function modelsUsed({ engine, store }: Web): Promise<readonly string[]> {
  if (store === undefined) return []
  try {
    // Refused where no store is wanted: none is made for this.
    await (await store.store()).path()
    const connection = connect(engine.fs, { cacheFolder: store.cacheFolder })
    try {
      const { json } = await makeReport(connection, 'cost', { now: new Date(), since: '90d' })
      const { models } = json as { readonly models?: unknown }
      if (!Array.isArray(models)) return []
      return models.flatMap((each: { readonly name?: unknown } | null) =>
        typeof each?.name === 'string' && each.name !== '' ? [each.name] : [],
      )
    } finally {
      connection.close()
    }
  } catch {
    // A store that cannot be read now: people type the name, or choose another.
    return []
  }
}
