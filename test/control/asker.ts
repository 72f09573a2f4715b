/** People of a test, as the server knows them once their token was looked at. */
import { SCOPES, type Asker } from '../../src/control/people/scopes.ts'

export const asker = (person: string, more: Partial<Asker> = {}): Asker => ({
  tenant: 'main',
  person,
  role: 'member',
  token: `token-${person}`,
  machine: `machine-${person}`,
  scopes: SCOPES,
  ...more,
})

/** As a log has it. */
export const line = (id: string, parent: string | null, more: object = {}): Uint8Array =>
  Buffer.from(
    JSON.stringify({
      type: 'user.message',
      data: { content: `said ${id}`, ...more },
      id,
      timestamp: '2026-11-16T05:44:47.649Z',
      parentId: parent,
    }),
  )
