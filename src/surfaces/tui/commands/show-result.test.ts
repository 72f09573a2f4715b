import assert from 'node:assert/strict'
import { test } from 'node:test'
import { remoteOff, remoteOn } from '../../../commands/remote.ts'
import type { CommandHost } from './command.ts'
import { tellResult } from './show-result.ts'

test('what has a block in it is a page, for its lines to stay; another change is said in a line', () => {
  const told: string[] = []
  const host = {
    now: () => new Date(0),
    page: async (title: string) => void told.push(`page: ${title}`),
    say: (text: string) => void told.push(text),
  } satisfies Partial<CommandHost> as Partial<CommandHost> as CommandHost
  const status = { id: 'one', server: 'http://there' } as const
  const on = {
    ...status,
    mode: 'export',
    state: 'active',
    url: 'http://there/sessions/one',
  } as const
  tellResult(host, remoteOn, { ...on, at: new Date(0) })
  tellResult(host, remoteOff, { ...status, mode: 'off', state: 'off' })
  assert.deepEqual(told, [
    'page: Remote on',
    'Nothing of this session is sent to http://there. /remote on keeps a copy there.',
  ])
})
