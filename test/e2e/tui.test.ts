/** The terminal end to end: typed into, waited for, killed, resized, as a person would. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { manySessions } from '../tui/many-sessions.ts'
import { hasTmux, openDesk } from './tmux.ts'

const skip = hasTmux ? false : 'tmux is not installed'
const idle = /commands · \? help/

describe('reprise in a terminal', { skip }, () => {
  it('greets, sends, asks before a command, runs it and keeps it', async () => {
    using desk = openDesk()
    const window = desk.open()
    await window.shows('No sessions yet')
    await window.shows(idle)
    window.enter('run echo hel""lo')
    await window.shows('y allow')
    window.press('y')
    await window.shows(/│ hello/)
    await window.shows(idle)
    window.enter('/exit')
    await window.shows(/reprise --resume [0-9a-f]{8} goes on/)
    const [id = ''] = readdirSync(join(desk.home, 'session-state'))
    assert.match(
      readFileSync(join(desk.home, 'session-state', id, 'events.jsonl'), 'utf8'),
      /hel\\"\\"lo/,
    )
  })

  it('cancels a command with escape and takes the turn back with its file', async () => {
    using desk = openDesk()
    const window = desk.open(['--allow-all'])
    await window.shows(idle)
    window.enter('write notes.txt: remember')
    await window.shows('Wrote')
    await window.shows(idle)
    window.enter('run sleep 600')
    await window.shows('esc cancels')
    await window.shows('● bash')
    window.press('Escape')
    await window.shows('! cancelled')
    await window.shows(idle)
    const file = join(desk.project, 'notes.txt')
    assert.ok(existsSync(file))
    window.enter('/undo 2')
    await window.shows('Took back 2 turns')
    assert.ok(!existsSync(file))
    window.press('C-u')
    window.enter('/redo')
    await window.shows('came back')
    assert.equal(readFileSync(file, 'utf8').trim(), 'remember')
  })

  it('runs a command behind a ! without asking and takes it back with the turn before it', async () => {
    using desk = openDesk()
    const window = desk.open()
    await window.shows(idle)
    window.enter('history')
    await window.shows('this is the first message')
    await window.shows(idle)
    window.enter('!echo mine > mine.txt; cat mine.txt')
    await window.shows(/✓ ! echo mine[^]*│ mine/)
    await window.shows(idle)
    const file = join(desk.project, 'mine.txt')
    assert.ok(existsSync(file))
    window.enter('/undo')
    await window.shows('Took back 1 turn')
    assert.ok(!existsSync(file))
  })

  it('finds what was said in another session and opens it there', async () => {
    using desk = openDesk()
    const first = desk.open()
    await first.shows(idle)
    first.enter('history')
    await first.shows('this is the first message')
    await first.shows(idle)
    first.enter('remember the lighthouse')
    await first.shows('A file name with blanks')
    await first.shows(idle)
    first.enter('/exit')
    await first.ends()
    const second = desk.open()
    await second.shows(idle)
    second.enter('/search lighthouse')
    await second.shows('the [lighthouse]')
    second.press('Enter')
    await second.shows('❯ remember the lighthouse')
  })

  it('goes on after kill -9 with everything that was shown', async () => {
    using desk = openDesk()
    const first = desk.open(['--allow-all'])
    await first.shows(idle)
    first.enter('run echo one')
    await first.shows(/│ one/)
    await first.shows(idle)
    first.enter('run sleep 600')
    await first.shows('● bash')
    first.kill('SIGKILL')
    const second = desk.open(['--continue', '--allow-all'])
    await second.shows(/│ one/)
    await second.shows('interrupted')
    await second.shows(idle)
    second.enter('run echo two')
    await second.shows(/│ two/)
  })

  it('settles the turn when the terminal is lost', async () => {
    using desk = openDesk()
    const first = desk.open(['--allow-all'])
    await first.shows(idle)
    first.enter('run sleep 600')
    await first.shows('● bash')
    first.close()
    const second = desk.open(['--continue'])
    await second.shows(/interrupted|cancelled/)
    await second.shows(idle)
  })

  it('forks, and is followed by another terminal', async () => {
    using desk = openDesk()
    const first = desk.open(['--allow-all'])
    await first.shows(idle)
    first.enter('run echo here')
    await first.shows(/│ here/)
    await first.shows(idle)
    const second = desk.open(['--continue', '--allow-all'])
    await second.shows(/│ here/)
    first.enter('run echo live')
    await second.shows(/│ live/)
    await first.shows(idle)
    await second.shows(idle)
    second.enter('run echo back')
    await first.shows(/│ back/)
    first.enter('/fork aside')
    await first.shows('This is "aside"')
  })

  it('lists 10,000 sessions and finds one of them', async () => {
    using desk = openDesk()
    manySessions(join(desk.home, 'session-state'), 10_000)
    const window = desk.open(['--resume'])
    await window.shows('10000')
    window.type('number 4711')
    await window.shows('1 of 10000')
    window.press('Enter')
    await window.shows('❯ session number 4711')
  })

  it('takes a paste of 5 MB, a resize and hostile text', async () => {
    using desk = openDesk()
    const window = desk.open(['--allow-all'])
    await window.shows(idle)
    window.paste(`${'lorem ipsum dolor\n'.repeat(280_000)}`)
    await window.shows(/\[pasted-\w+\.txt 4\.8 MB\]/)
    window.press('Enter')
    await window.shows('I do what is spelled out')
    await window.shows(idle)
    const [id = ''] = readdirSync(join(desk.home, 'session-state'))
    const files = join(desk.home, 'session-state', id, 'files')
    assert.deepEqual(
      readdirSync(files).map((name) => statSync(join(files, name)).size),
      [18 * 280_000],
    )
    writeFileSync(
      join(desk.project, 'evil.txt'),
      '\x1b[2J\x1b]2;owned\x07\x1b[31mevil\u202e text\n',
    )
    window.enter('run cat evil.txt')
    await window.shows(/│ evil text/)
    window.resize(120, 40)
    await window.shows(/─{120}/)
    window.resize(60, 15)
    await window.shows(/(^|\n)─{60}\n/)
    await window.shows('evil text')
  })

  it('works line by line with --plain', async () => {
    using desk = openDesk()
    const window = desk.open(['--plain'])
    await window.shows('Type a message')
    window.enter('run echo pl""ain')
    await window.shows('Allow it?')
    window.enter('yes')
    await window.shows(/\nplain\n/)
    window.enter('/exit')
    await window.ends()
  })
})
