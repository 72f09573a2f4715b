/** A disk that fills up, for real. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fillDuringTurn } from './full-disk.ts'
import { cannotMount, mountSmallDisk } from './small-disk.ts'

test(
  'a full disk is told, leaves no half record, and the turn goes on once there is room',
  { skip: cannotMount },
  async () => {
    await using disk = await mountSmallDisk(1024)
    assert.ok((await fillDuringTurn(disk, 16 * 1024)) > 0)
  },
)
