import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutPlaces } from './machine-paths.ts'

test('where something was done is left out, in requests for permission too; what was done stays', () => {
  const at = '/home/ann/project'
  const started = { sessionId: 's', context: { cwd: at, gitRoot: at, branch: 'main' } }
  const asked = {
    kind: 'shell',
    fullCommandText: 'cat notes.txt',
    resolvedWorkingDirectory: at,
    resolvedPaths: { 'notes.txt': `${at}/notes.txt` },
  }
  const writes = { kind: 'write', fileName: 'a.txt', resolvedPath: `${at}/a.txt` }
  assert.deepEqual(withoutPlaces([started, { permissionRequest: asked }, writes]), [
    { sessionId: 's', context: { branch: 'main' } },
    { permissionRequest: { kind: 'shell', fullCommandText: 'cat notes.txt' } },
    { kind: 'write', fileName: 'a.txt' },
  ])
})
