/** What is bound to a wire by hand, in place of from its row: each with the reason. The lists may shrink. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { operationNames } from '../../src/engine/operations/table.ts'

const BY_HAND: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'src/engine/handle.ts': {},
  'src/remote/client/remote-session.ts': {
    send: 'its promise of the end does not travel: the copy tells the end',
    cancel: 'a machine refuses where nothing runs; the handle answers false',
    queue: 'no part of the copy: who may only watch sees an empty one',
    metadata: 'Mission Control knows a new name before the copy does',
    nameByDefault: 'the machine names its sessions',
    tasks: 'the copy tells the steps of sub-agents',
    agentOptions: 'the agent runs on the machine',
  },
}

test('operations that a wire binds by hand are these, each with its reason', () => {
  const groups = new Set(operationNames.map((name) => name.split('.')[0]))
  for (const [file, reasons] of Object.entries(BY_HAND)) {
    const text = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')
    const members = [...text.matchAll(/^ {4}(?:async )?(\w+)[:(]/gm)].map(([, name = '']) => name)
    assert.deepEqual(members.filter((name) => groups.has(name)).sort(), Object.keys(reasons).sort())
  }
})
