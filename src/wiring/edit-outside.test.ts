import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { editOutside } from './edit-outside.ts'

test('what an editor saves comes back, and nothing does when it fails', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'reprise-editor-'))
  try {
    const program = join(folder, 'editor')
    writeFileSync(program, '#!/bin/sh\nprintf " and more" >> "$2"\n')
    chmodSync(program, 0o700)
    assert.equal(await editOutside('some', { EDITOR: `${program} --wait` }), 'some and more')
    await assert.rejects(
      editOutside('some', { EDITOR: 'false' }),
      /\(false\) ended with 1\. The message/,
    )
    await assert.rejects(editOutside('some', { EDITOR: '/no/ed' }), /could not be started/)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
