/** The main views, each brought onto a screen of the given size and given as text. */
import { tmpdir } from 'node:os'
import type { Look } from '../../src/config/look-names.ts'
import type { SessionId } from '../../src/format/ids.ts'
import { openScreen } from './screen.ts'
import { talk } from './script.ts'
import { converse } from '../support/engine.ts'

type Size = {
  readonly columns: number
  readonly rows: number
  readonly theme?: Look['theme']
}
/** What is taken of the screen once it shows the view; its text, unless it is said otherwise. */
type View = (size: Size, take?: (screen: Screen) => string) => Promise<string>

const textOf = (screen: Screen): string => screen.text()

const ENTER = '\r'

export const views: Readonly<Record<string, View>> = {
  async greeting(size, take = textOf) {
    const unchosen = { kind: 'offline', name: 'offline', says: 'nobody', isChosen: false } as const
    const agents = { welcomed: async () => false, answering: async () => unchosen }
    await using screen = openScreen({ ...size, script: talk, agents })
    await screen.shows(/of the Copilot CLI[^]*Who shall answer\?/)
    await screen.shows('no model · interactive')
    return take(screen)
  },
  async conversation(size, take = textOf) {
    await using screen = openScreen({ ...size, script: talk })
    await send(screen, 'code', '- two')
    await screen.shows(/42%.*commands/)
    return take(screen)
  },
  async 'permission-with-a-diff'(size, take = textOf) {
    await using screen = openScreen({ ...size, script: talk })
    await send(screen, 'edit', 'enter, or a number')
    await screen.shows(/^(?:edit|copilot).*esc cancels/m)
    return take(screen)
  },
  async 'tool-card-with-a-diff'(size, take = textOf) {
    await using screen = openScreen({ ...size, script: talk })
    await send(screen, 'edit', 'enter, or a number')
    screen.type(ENTER)
    await screen.shows(/Changed\.[^]*commands/)
    return take(screen)
  },
  async question(size, take = textOf) {
    await using screen = openScreen({ ...size, script: talk })
    await send(screen, 'ask', /2\. blue[^]*a number, or/)
    await screen.shows(/^(?:ask|copilot).*esc cancels/m)
    return take(screen)
  },
  async 'folded-output-and-a-queue'(size, take = textOf) {
    await using screen = openScreen({ ...size, script: talk })
    await send(screen, 'long', /Counted\.[^]*commands/)
    await send(screen, 'wait', 'Thinking aloud')
    await send(screen, 'and then this', 'Queued (1): “and then this”')
    return take(screen)
  },
  async 'a-command-of-your-own'(size, take = textOf) {
    await using screen = openScreen({ ...size, script: talk, options: { cwd: tmpdir() } })
    await send(screen, '!printf "one\\ntwo\\n"', /│ two[^]*commands/)
    return take(screen)
  },
  async context(size, take = textOf) {
    await using screen = openScreen({ ...size, script: talk })
    await send(screen, 'a word of mine', /You said a word[^]*commands/)
    await send(screen, 'another one', /You said another[^]*commands/)
    screen.type('/context')
    screen.type(ENTER)
    await screen.shows(/makes room|up\/down/)
    return take(screen)
  },
  async agents(size, take = textOf) {
    await using screen = openScreen({ ...size, script: talk })
    await send(screen, 'first', /You said first[^]*commands/)
    screen.type('/agent')
    screen.type(ENTER)
    await screen.shows('says everything twice')
    return take(screen)
  },
  async rewind(size, take = textOf) {
    await using screen = openScreen({ ...size, script: talk })
    await send(screen, 'first', 'You said first')
    await send(screen, 'second', /You said second[^]*commands/)
    screen.type('/rewind')
    screen.type(ENTER)
    await screen.shows('takes back 1 turn')
    return take(screen)
  },
  async 'slash-completion'(size, take = textOf) {
    await using screen = openScreen({ ...size, script: talk })
    await screen.shows('of the Copilot CLI')
    for (const key of '/se') screen.type(key)
    await screen.shows(/→ \/session[^]*\/search/)
    return take(screen)
  },
  async picker(size, take = textOf) {
    await using screen = openScreen({ ...size, script: talk })
    await make(screen.engine, ['fix the pump', 'oil the gears', 'paint the mill'])
    await screen.shows('of the Copilot CLI')
    screen.type('/resume')
    screen.type(ENTER)
    await screen.shows('You said **paint the mill')
    return take(screen)
  },
  async help(size, take = textOf) {
    await using screen = openScreen({ ...size, script: talk })
    await screen.shows('of the Copilot CLI')
    screen.type('?')
    await screen.shows('Help')
    return take(screen)
  },
}

type Screen = ReturnType<typeof openScreen>

export async function send(screen: Screen, text: string, shows: string | RegExp): Promise<void> {
  await screen.shows(/commands · \? help|enter queues/)
  screen.type(text)
  screen.type(ENTER)
  await screen.shows(shows)
}

export async function make(
  engine: Screen['engine'],
  prompts: readonly string[],
): Promise<SessionId[]> {
  const made: SessionId[] = []
  for (const prompt of prompts) {
    const { id } = await engine.create({ cwd: '/work/engine' })
    await converse(engine, id, { prompt })
    made.push(id)
  }
  return made
}
