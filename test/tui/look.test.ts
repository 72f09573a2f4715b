/** Colours and keys that a person chooses: at once on the screen, and kept for the next time. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Look } from '../../src/config/look-names.ts'
import { openScreen } from './screen.ts'
import { talk } from './script.ts'
import { send } from './views.ts'

const ENTER = '\r'
const ESCAPE = '\x1b'
const LIGHT_YELLOW = '\x1b[38;5;94m'
const OWN_YELLOW = '\x1b[33m'

/** A screen, and what it wanted to be kept. */
function openKept(settings: Partial<Look> = {}) {
  const kept: Partial<Look>[] = []
  const saveLook = async (look: Partial<Look>) => void kept.push(look)
  return { kept, screen: openScreen({ script: talk, options: { saveLook, settings } }) }
}

describe('/theme', () => {
  it('paints anew what is on the screen, and is kept', async () => {
    const { kept, screen: opened } = openKept()
    await using screen = opened
    await screen.shows('Type a message')
    assert.ok(screen.written.join('').includes(OWN_YELLOW))
    screen.written.length = 0
    await send(screen, '/theme light', 'Theme: light, here and in new sessions.')
    screen.type('x')
    await screen.drawn()
    assert.deepEqual(kept, [{ theme: 'light' }])
    await send(screen, 'y', /You said xy[^]*commands/)
    assert.ok(!screen.written.join('').includes(OWN_YELLOW))
  })

  it('is a list to choose from, and begins with what was kept', async () => {
    const { kept, screen: opened } = openKept({ theme: 'light' })
    await using screen = opened
    await screen.shows('Type a message')
    assert.ok(screen.written.join('').includes(LIGHT_YELLOW))
    await send(screen, '/theme', 'colours that are read well on a dark background')
    screen.type('3')
    await screen.shows('Theme: dark')
    assert.deepEqual(kept, [{ theme: 'dark' }])
  })

  it('is light by itself where the terminal tells of a light background', async () => {
    const { screen: opened } = openKept()
    await using screen = opened
    await screen.shows('Type a message')
    screen.written.length = 0
    screen.type('\x1b]11;rgb:ffff/ffff/ffff\x07')
    // A terminal may take its time: the test waits for it, up to its own limit.
    while (!screen.written.join('').includes(LIGHT_YELLOW)) await screen.drawn()
  })
})

describe('/keys vim', () => {
  it('leaves the text with esc, and sends with enter', async () => {
    const { kept, screen: opened } = openKept()
    await using screen = opened
    await send(screen, '/keys vim', 'Keys: vim')
    assert.deepEqual(kept, [{ keys: 'vim' }])
    for (const key of 'one two') screen.type(key)
    screen.type(ESCAPE)
    await screen.shows(' NORMAL ')
    for (const key of '0dw') screen.type(key)
    await screen.shows(/^ two$/m)
    screen.type(ENTER)
    await screen.shows(/You said two[^]*commands/)
    await screen.lacks(' NORMAL ')
  })

  it('cancels a turn with esc while nothing is written', async () => {
    const { screen: opened } = openKept({ keys: 'vim' })
    await using screen = opened
    await send(screen, 'wait', 'Thinking aloud')
    screen.type(ESCAPE)
    await screen.shows(/cancelled[^]*commands/)
  })
})
