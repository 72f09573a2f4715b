/** Pictures in the terminal: dropped, pasted, sent along, named with their size, and drawn where the terminal can. */
import assert from 'node:assert/strict'
import { afterEach, describe, it } from 'node:test'
import {
  getCapabilities,
  resetCapabilitiesCache,
  setCapabilities,
  type ImageProtocol,
} from '@earendil-works/pi-tui'
import { EngineError } from '../../src/engine/errors.ts'
import { say, type Script } from '../support/engine.ts'
import { openScreen } from './screen.ts'
import { send } from './views.ts'

const ENTER = '\r'
const CTRL_V = '\x16'
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAQAAAAECAYAAACp8Z5+AAAAFUlEQVR42mNk+M9Qz4AEGEEEA2kAAE8PA/8cV3NBAAAAAElFTkSuQmCC',
  'base64',
)
const CTRL_U = '\x15'
/** One path of a shot. */
const SHOT = /^(?:'[^']*shot[^']*'|(?:\\.|[^'\s])*shot(?:\\.|[^'\s])*)$/
const idle = /commands · \? help/

/** Says what came along with a message. */
const attached: Script = async function* ({ message }) {
  const files = message.attachments ?? []
  yield say(
    `Got ${files.map((each) => `${each.type} ${JSON.stringify(each).length > 100}`).join()}`,
  )
}

function openWith(images: ImageProtocol) {
  setCapabilities({ ...getCapabilities(), images })
  const picture = (name: string) => ({ name, mimeType: 'image/png', bytes: PNG })
  const pictures = {
    async at(path: string) {
      if (path === '/a/large.png') throw new EngineError('invalid', 'large.png is too large')
      return SHOT.test(path) ? picture('shot one.png') : undefined
    },
    inClipboard: async () => picture('clipboard.png'),
  }
  return openScreen({ script: attached, options: { pictures } })
}

const paste = (text: string) => `\x1b[200~${text}\x1b[201~`

afterEach(resetCapabilitiesCache)

describe('a picture', () => {
  it('that is dropped by its path goes along and is named with its size', async () => {
    await using screen = openWith(null)
    await screen.shows(idle)
    screen.type(paste("'/home/ada/shot one.png'"))
    await screen.shows('[shot-one.png 78 B]')
    screen.type('what is it?')
    screen.type(ENTER)
    await screen.shows(/▣ shot-one\.png · 4×4 · 78 B[^]*Got blob true[^]*commands/)
    assert.ok(!screen.written.join('').includes('\x1b_G'))
  })

  it('comes with others that are dropped together, and is said to be too large', async () => {
    await using screen = openWith(null)
    await screen.shows(idle)
    screen.type(paste("/a/shot.png '/b/shot two.png' /c/shot\\ 3.png"))
    await screen.shows('[shot-one.png 78 B] [shot-one-2.png 78 B] [shot-one-3.png 78 B]')
    screen.type(CTRL_U)
    screen.type(paste('/a/shot.png /b/other.png'))
    await screen.shows(/^ \/a\/shot\.png \/b\/other\.png$/m)
    screen.type(CTRL_U)
    screen.type(paste('/a/large.png'))
    await screen.shows(/^ \/a\/large\.png$[^]*large\.png is too large/m)
  })

  it('of the clipboard comes by ctrl+v and by an empty paste, each under its own name', async () => {
    await using screen = openWith(null)
    await screen.shows(idle)
    screen.type(CTRL_V)
    await screen.shows('[clipboard.png 78 B]')
    screen.type(paste(''))
    await screen.shows('[clipboard-2.png 78 B]')
    screen.type(ENTER)
    await screen.shows('Got blob true,blob true')
  })

  it('is drawn by the protocol of the terminal, and its name stands above it', async () => {
    for (const [protocol, sign] of [
      ['kitty', '\x1b_G'],
      ['iterm2', '\x1b]1337;File='],
    ] as const) {
      await using screen = openWith(protocol)
      await screen.shows(idle)
      screen.type(CTRL_V)
      await screen.shows('[clipboard.png 78 B]')
      screen.type(ENTER)
      await screen.shows(/▣ clipboard\.png · 4×4[^]*Got blob/)
      assert.ok(screen.written.join('').includes(sign), protocol)
    }
  })

  it('that is no picture stays the text that was pasted', async () => {
    await using screen = openWith(null)
    await screen.shows(idle)
    screen.type(paste('/not/there.png'))
    await screen.shows(/^ \/not\/there\.png$/m)
    await send(screen, ' is missing', 'Got')
  })
})
