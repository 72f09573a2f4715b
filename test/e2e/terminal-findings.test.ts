/** What was once found wrong in the terminal, each as a person met it. */
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
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

describe('what is typed right before the end', { skip }, () => {
  it('is in the log when the next word leaves the session, or the terminal', async () => {
    using desk = openDesk()
    const window = await desk.ready()
    window.type('history\r/new\r')
    await window.shows(/1 session, in this project[^]*new session · [^]*commands · \? help/)
    assert.doesNotMatch(window.text(), /take turns back/)
    await window.says('!echo first', '✓ ! echo first')
    window.type('history of the second\r/exit\r')
    await window.ends()
    const another = await desk.ready()
    another.type('history of the third\r')
    another.press('C-d')
    await another.ends()
    const logs = readdirSync(join(desk.home, 'session-state')).map((id) =>
      readFileSync(join(desk.home, 'session-state', id, 'events.jsonl'), 'utf8'),
    )
    const said = logs.flatMap((log) => log.match(/"content":"history[^"]*"/g) ?? [])
    assert.deepEqual(
      new Set(said),
      new Set(['', ' of the second', ' of the third'].map((rest) => `"content":"history${rest}"`)),
    )
    assert.equal(logs.length, 3)
  })

  it('comes back by one key when it was never sent', async () => {
    using desk = openDesk()
    const window = await desk.ready()
    window.type('half a thought')
    await window.shows(/^ half a thought/m)
    window.press('C-c')
    await window.shows('up brings the text back')
    window.press('Up')
    await window.shows(/^ half a thought/m)
    window.kill('SIGTERM')
    await window.ends()
    const next = await desk.ready()
    // What was typed in earlier terminals is read once the screen is up.
    await next.until(() => {
      next.press('Up')
      return /^ half a thought/m.test(next.text())
    })
  })
})

describe('a session of commands that a person ran', { skip }, () => {
  it('is called by the first of them, until something is said', async () => {
    using desk = openDesk()
    const window = await desk.ready()
    await window.says('!echo first; true', '✓ ! echo first')
    await window.says('!echo second', '✓ ! echo second')
    window.press('C-p')
    await window.shows(/! echo first; true/)
    window.press('Escape')
    await window.says('history', 'this is the first message')
    window.press('C-p')
    await window.shows(/❯.*history/)
  })
})

describe('shift+tab', { skip }, () => {
  it('goes through the modes, as far as it is pressed, and says what each does', async () => {
    using desk = openDesk()
    const window = await desk.ready()
    window.press('BTab')
    await window.shows(/· plan +plan: think and write a plan, change nothing$/m)
    window.press('BTab', 'BTab')
    await window.shows(/interactive: ask before anything is changed/)
    window.press('BTab', 'BTab', 'BTab', 'BTab')
    await window.shows(/plan: think/)
    await window.says('run touch made', 'plan mode')
    assert.equal(existsSync(join(desk.project, 'made')), false)
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
    program.enter('history')
    await program.shows('this is the first message')
    program.enter('/copy')
    // The terminal itself repeats what is typed, before the prompt or behind it.
    await program.shows(/\/copy>?\s+Copied \d+ lines?\./)
    assert.match(desk.copied() ?? '', /this is the first message/)
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

describe('what is read on a terminal', { skip }, () => {
  it('names folders that undo removed, what failed, the file of an export, and the setting that was meant', async () => {
    using desk = openDesk()
    const window = await desk.ready(['--allow-all'])
    await window.says('run mkdir -p notes/deep empty && echo x > notes/deep/a.txt', '✓ bash')
    window.enter('/undo')
    await window.shows(/Files removed: notes\/deep\/a\.txt\. Folders removed: empty, notes\./)
    assert.deepEqual(readdirSync(desk.project), [])
    window.press('C-u')
    await window.says('run exit 3', '✗ bash exit 3')
    window.enter('/exit')
    await window.ends()
    const standup = desk.open(['chronicle', 'standup'])
    await standup.shows(/Blocked[^]*run exit 3[^]*exit 3 ended with exit code 3/)
    assert.doesNotMatch(standup.text(), /not over/)
    const exported = desk.open(['export', '@latest'])
    await exported.shows(/Written to .*reprise-\w+\.html/)
    assert.doesNotMatch(exported.text(), /<html/)
    const setting = desk.open(['config', 'set', 'modle.baseUrl', 'x'])
    await setting.shows(/There is no setting "modle\.baseUrl"\. Did you mean\s+model\.baseUrl\?/)
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
