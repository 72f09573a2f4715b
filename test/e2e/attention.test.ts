/** What wants a person is listed first: what asks, then what came while nobody looked. Through the real program. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { PROGRAM } from '../support/program.ts'
import { idle, openDesk, skip, type Desk } from './tmux.ts'

const FOCUS_IN = ['Escape', '[', 'I'] as const
const FOCUS_OUT = ['Escape', '[', 'O'] as const

function listed({ home, project }: Desk, ...args: string[]): string {
  const { stdout } = spawnSync(PROGRAM, ['sessions', 'list', ...args], {
    cwd: project,
    encoding: 'utf8',
    env: { ...process.env, REPRISE_HOME: home, REPRISE_AGENT: 'offline' },
  })
  return stdout
}

/** Waits for what another process is about to write. */
async function lists(desk: Desk, wanted: RegExp): Promise<void> {
  const deadline = Date.now() + 30_000
  while (!wanted.test(listed(desk))) if (Date.now() > deadline) assert.match(listed(desk), wanted)
}

describe('what wants a person', { skip }, () => {
  it('comes first in the list and in the picker, with its mark, and is gone when it was seen', async () => {
    using desk = openDesk()
    mkdirSync(join(desk.project, 'src'))
    const first = await desk.ready()
    first.enter('read src')
    await first.shows(idle)
    // The person turns to another window, and the turn ends.
    first.press(...FOCUS_OUT)
    first.enter('list src')
    await first.shows(/list src[^]*commands · \? help/)
    await lists(desk, /^Done, not seen yet\n.*✓ read src/m)
    const asking = await desk.ready()
    asking.enter('run ls')
    await asking.shows('Allow once')
    await lists(desk, /^Waits for you\n.*\? run ls[^]*^Done, not seen yet\n.*✓ read src/m)
    const third = desk.open(['--resume'])
    await third.shows(
      /Waits for you[^]*\? run ls[^]*waits for you[^]*Done, not seen yet[^]*✓ read src/,
    )
    // Back again: it has been seen.
    first.press(...FOCUS_IN)
    await lists(desk, /^This directory\n.* read src/m)
  })
})
