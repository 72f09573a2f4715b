/** What is bound to a wire by hand, in place of from its row: each with the reason. The lists may shrink. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { operationNames } from '../../src/engine/operations/table.ts'
import { methods } from '../../src/surfaces/rpc/methods.ts'

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

/** Methods under Copilot's names that are neither derived nor rows of `passOn`, by what they are about. */
const METHODS_BY_HAND: readonly {
  readonly of: string
  readonly why: string
  readonly most: number
}[] = [
  { of: 'server', most: 87, why: 'about the server, its home or several sessions, not about one' },
  {
    of: 'mcp tools ui shell provider commands canvas extensions plugins skills agent',
    most: 84,
    why: 'what clients, extensions and tool servers bring lives with the server, not in the session',
  },
  { of: 'permissions', most: 21, why: 'rules and modes hold as long as the server has it open' },
  {
    of: 'gitHubAuth completions lsp settings sandbox contentExclusion telemetry limitPrediction',
    most: 21,
    why: 'nothing of it is here: the same answer always, or what the client said',
  },
  {
    of: 'queue history tasks schedule workspaces plan metadata model mode name options usage',
    most: 68,
    why: 'several operations make one answer, or what the server holds is part of it',
  },
  {
    of: 'session remote eventLog fleet debug visibility autopilotObjective',
    most: 30,
    why: 'opening, leaving and sending, streams, files that the table does not know, Mission Control',
  },
]

test('methods under the names of Copilot that are bound by hand only become fewer', () => {
  const count = new Map<string, number>()
  for (const [name, { operation }] of Object.entries(methods)) {
    if (name.startsWith('reprise.session.') || operation !== undefined) continue
    const [first, group = '', member] = name.split('.')
    const of = first !== 'session' ? 'server' : member === undefined ? 'session' : group
    count.set(of, (count.get(of) ?? 0) + 1)
  }
  const known = METHODS_BY_HAND.map(({ of, why }) => {
    const groups = of.split(' ')
    const most = groups.reduce((sum, group) => sum + (count.get(group) ?? 0), 0)
    for (const group of groups) count.delete(group)
    return { of, why, most }
  })
  assert.deepEqual([...count.keys()], [])
  assert.deepEqual(known, METHODS_BY_HAND)
})
