/** Operations of a session under a namespace of our own: `reprise.session.<name>`, the parameters beside the id. */
import { z } from 'zod'
import { operationNames, readParams, rowOf } from '../../../engine/operations/table.ts'
import { sessionMethod, type Methods } from '../method.ts'

export const operationMethods: Methods = Object.fromEntries(
  operationNames.map((name) => {
    const row = rowOf(name)
    const method = sessionMethod(
      row.summary,
      {},
      async ({ ops }, { sessionId: _id, ...params }) => {
        const result = await ops.perform(name, readParams(name, row, params))
        return (row.toJson === undefined ? result : row.toJson(result as never)) ?? null
      },
    )
    const params = z.intersection(z.looseObject({ sessionId: z.string() }), row.takes)
    return [`reprise.session.${name}`, { ...method, params }]
  }),
)
