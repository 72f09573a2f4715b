import assert from 'node:assert/strict'
import { realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { test } from 'node:test'
import type { PermissionRequest } from '../agent.ts'
import { addGrant, newGrants, offerFor, revokeGrant } from './grants.ts'
import { subjectsOf } from './subjects.ts'

const cwd = realpathSync(tmpdir())

async function offered(fields: object): Promise<string | undefined> {
  const request = { toolCallId: 'c', ...fields } as PermissionRequest
  return offerFor(request, await subjectsOf(request, cwd))?.says
}

const shell = (fullCommandText: string) => offered({ kind: 'shell', fullCommandText })

test('always is the smallest that helps, in words', async () => {
  assert.deepEqual(
    await Promise.all([
      shell('git status --short'),
      shell('npm run build -- --watch'),
      shell('git push origin main'),
      shell('git status > out'),
      shell('git status; rm x'),
      shell('git status $x'),
      shell('FOO=1 git status'),
      offered({ kind: 'write', fileName: 'src/deep/a.ts' }),
      offered({ kind: 'write', fileName: 'a.ts' }),
      offered({ kind: 'write', fileName: 'src/../../x' }),
      offered({ kind: 'read', path: '/etc/hosts' }),
      offered({ kind: 'mcp', serverName: 'hub', toolName: 'search' }),
      offered({ kind: 'url', url: 'https://a.org/b?c' }),
      offered({ kind: 'hook', toolName: 'x' }),
    ]),
    [
      'commands that begin with `git status`',
      'commands that begin with `npm run build`',
      'exactly this command',
      'exactly this command',
      'exactly this command',
      'exactly this command',
      'exactly this command',
      'writes in src/deep/',
      'writing a.ts',
      'writing /x',
      'reading /etc/hosts',
      'search of hub',
      'addresses at https://a.org',
      undefined,
    ],
  )
})

test('what was allowed has a number of its own, and is taken back by it', () => {
  const grants = newGrants()
  const given = { givenBy: 'ann', givenAt: new Date(0) }
  const offer = (command: string) => ({ says: 'exactly this command', covers: { command, cwd } })
  assert.equal(addGrant(grants, offer('a'), given).number, 1)
  assert.equal(addGrant(grants, offer('b'), given).number, 2)
  assert.equal(addGrant(grants, offer('a'), given).number, 1)
  assert.deepEqual([revokeGrant(grants, 1), revokeGrant(grants, 1)], [true, false])
  assert.equal(addGrant(grants, offer('a'), given).number, 3)
  assert.deepEqual(
    grants.list.map(({ number, covers }) => [number, covers]),
    [
      [2, { command: 'b', cwd }],
      [3, { command: 'a', cwd }],
    ],
  )
})
