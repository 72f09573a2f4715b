/** What was once found wrong in the terminal, each as a person met it. */
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { makePlace } from './cli.ts'
import { idle, openDesk, skip } from './tmux.ts'

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
    const window = await desk.ready()
    window.enter('!echo out; exit 3')
    await window.shows(/✗ ! echo out; exit 3\n +│ out\n +│ exit 3\n/)
    assert.doesNotMatch(window.text(), /✓|exited with/)
  })
})

describe('what is typed ahead', { skip }, () => {
  it('is done in the order of typing, from before the screen was up and behind a command', async () => {
    using desk = openDesk()
    const window = desk.open()
    // The shell’s own terminal makes a new line of every enter until the screen is up.
    window.type('history\rrun echo ahead\r')
    await window.shows(/❯ history\n[^]*❯ run echo ahead\n[^]*1\. Allow once/)
    window.press('Escape', 'Escape')
    await window.shows(idle)
    window.press('C-u')
    window.type('/new\rhistory\r')
    await window.shows(/^\n*❯ history\n\nNothing yet.*\n\n─/)
  })
})

describe('/copy', { skip }, () => {
  it('reaches the clipboard of tmux, which keeps the sequence of a program to itself', async () => {
    using desk = openDesk()
    const window = await desk.ready()
    await window.says('history', 'this is the first message')
    window.enter('/copy')
    await window.shows(/Copied \d+ line/)
    await window.until(() => desk.copied()?.includes('this is the first message') === true)
  })
})

describe('a command of a file', { skip }, () => {
  it('is there as soon as its file is, and takes words by their place', async () => {
    using desk = openDesk()
    const window = await desk.ready()
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

describe('what the agent asks for', { skip }, () => {
  it('is allowed by nobody who types, asked for each command, and what was allowed is listed', async () => {
    using desk = openDesk()
    const window = await desk.ready()
    window.enter('run seq 1 3')
    await window.shows('1. Allow once')
    window.type('also fix the tests')
    await window.shows(/^ also fix the tests/m)
    assert.match(window.text(), /1\. Allow once/)
    window.press('C-u')
    await window.shows('enter, or a number')
    window.press('2', 'Enter')
    await window.shows(/✓ bash seq 1 3/)
    await window.shows(idle)
    window.enter('run echo other')
    await window.shows('1. Allow once')
    window.press('Escape', 'Escape')
    await window.shows('You cancelled this.')
    await window.shows(idle)
    assert.equal(window.text().match(/cancelled this|denied|could not/g)?.length, 1)
    window.press('C-u')
    window.enter('/permissions')
    await window.shows('seq 1 3')
  })
})

describe('the list of sessions', { skip }, () => {
  it('is left with esc, and names hold nothing of what a prompt would do to a terminal', async () => {
    using desk = openDesk()
    using place = makePlace()
    const hostile = 'history \u001b[31mred\u001b[0m \u001b]0;title\u0007end'
    await place.run(['-p', hostile])
    const window = desk.open(['--resume'], { home: place.home })
    await window.shows(/history red end/)
    window.press('Escape')
    await window.ends()
    assert.doesNotMatch(window.text(), /\[31m|title/)
  })
})
