/** What was once found wrong in the terminal, each as a person met it. */
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { makePlace } from './cli.ts'
import { hasTmux, openDesk } from './tmux.ts'

const skip = hasTmux ? false : 'tmux is not installed'
const idle = /commands · \? help/

describe('a command that ends with another number than 0', () => {
  it('is not marked as done while it runs, nor in any record of it', async () => {
    using place = makePlace()
    const ran = await place.run(['-p', 'run echo out; exit 3', '--allow-all'])
    assert.match(ran.stderr, /^✗ exit 3 out$/m)
    const { stdout: shown } = await place.run(['sessions', 'show', '@latest', '--transcript'])
    assert.match(shown, /^✗ bash echo out; exit 3$/m)
    const { stdout: page } = await place.run(['export', '@latest', '--html'])
    assert.match(page, /<details class="tool failed">/)
  })

  it('is not marked as done on the screen', { skip }, async () => {
    using desk = openDesk()
    const window = desk.open()
    await window.shows(idle)
    window.enter('!echo out; exit 3')
    await window.shows(/✗ ! echo out; exit 3\n +│ out\n +│ exit 3\n/)
    assert.doesNotMatch(window.text(), /✓|exited with/)
  })
})

describe('/copy', { skip }, () => {
  it('reaches the clipboard of tmux, which keeps the sequence of a program to itself', async () => {
    using desk = openDesk()
    const window = desk.open()
    await window.shows(idle)
    window.enter('history')
    await window.shows('this is the first message')
    await window.shows(idle)
    window.enter('/copy')
    await window.shows(/Copied \d+ line/)
    await window.until(() => desk.copied()?.includes('this is the first message') === true)
  })
})

describe('a command of a file', { skip }, () => {
  it('is there as soon as its file is, and takes words by their place', async () => {
    using desk = openDesk()
    const window = desk.open()
    await window.shows(idle)
    mkdirSync(join(desk.home, 'commands'), { recursive: true })
    writeFileSync(join(desk.home, 'commands', 'shout.md'), 'run echo $2 $1\n')
    window.type('/sho')
    await window.shows('run echo $2 $1')
    window.press('C-u')
    window.enter('/shout one two')
    await window.shows(/Do what it says:\s+run echo two one/)
  })
})

describe('a terminal that can move no cursor', { skip }, () => {
  it('is worked in line by line, and told no keys that it has not', async () => {
    using desk = openDesk()
    const program = desk.open([], { term: 'dumb' })
    await program.shows('Type a message; /help lists the commands')
    program.enter('!exit 3')
    await program.shows('Tool: exit 3: no output')
    assert.doesNotMatch(program.text(), /ctrl\+p|─/)
  })
})
