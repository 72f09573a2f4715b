/** One person at the terminal, by either view: what is done has the same name, only the keys differ. */
import type { Engine } from '../../src/engine/engine.ts'
import type { Script } from '../support/engine.ts'
import { openLines } from './lines.ts'
import { openScreen, type ScreenOptions } from './screen.ts'

export type Person = AsyncDisposable & {
  readonly engine: Engine
  /** Types a message or a command when the terminal is ready, and waits for what it leads to. */
  says(text: string, shows: string | RegExp): Promise<void>
  /** Sends a message whose turn goes on until it is cancelled. */
  begins(text: string): Promise<void>
  /** Types while a turn runs. */
  adds(text: string, shows: string | RegExp): Promise<void>
  /** Answers what asks for a text. */
  answers(text: string): void
  /** Takes the one at a place of a list, from 1 on; `key` is what else can be done with it. */
  takes(place: number, key?: string): void
  /** Leaves of a list of sessions what has these words. */
  narrows(words: string): void
  yes(): void
  no(): void
  cancels(): void
  /** Leaves a list without a choice. */
  leaves(): void
  /** Closes what was opened to be read. */
  closes(): void
  shows(wanted: string | RegExp): Promise<void>
  /** What can be read now: the screen, or all lines. */
  text(): string
  /** Resolves when the next message would be sent at once. */
  rests(): Promise<void>
  /** What was given back to be sent again or not. */
  hasBack(text: string): Promise<void>
}

export type OpenPerson = (given: ScreenOptions & { readonly script: Script }) => Person

const ENTER = '\r'
const DOWN = '\x1b[B'
const PAGE_UP = '\x1b[5~'
const ESCAPE = '\x1b'
const CLEAR = '\x15'
/** In the list of sessions the screen has keys where lines have words. */
const sessionKeys: Readonly<Record<string, string>> = { rename: '\x12', delete: '\x04' }
const idle = /commands · \? help/

const onScreen: OpenPerson = (given) => {
  const screen = openScreen(given)
  const submit = (text: string) => {
    screen.type(text)
    screen.type(ENTER)
  }
  const adds: Person['adds'] = async (text, shows) => {
    submit(text)
    await screen.shows(shows)
  }
  return {
    engine: screen.engine,
    adds,
    async says(text, shows) {
      await screen.shows(idle)
      await adds(text, shows)
    },
    async begins(text) {
      await screen.shows(idle)
      await adds(text, 'Thinking aloud')
    },
    answers(text) {
      screen.type(CLEAR)
      for (const key of text) screen.type(key)
      screen.type(ENTER)
    },
    takes(place, key) {
      screen.type(PAGE_UP)
      for (let at = 1; at < place; at++) screen.type(DOWN)
      screen.type(key === undefined ? ENTER : (sessionKeys[key] ?? key))
    },
    narrows(words) {
      for (const key of words) screen.type(key)
    },
    // What the agent asks is answered by the number of an answer, what a command asks by a letter.
    yes: () => screen.type(/(\d)\. Allow once$/m.exec(screen.text())?.[1] ?? 'y'),
    no: () => screen.type(/(\d)\. No$/m.exec(screen.text())?.[1] ?? 'n'),
    cancels: () => screen.type(ESCAPE),
    leaves: () => screen.type(ESCAPE),
    closes: () => screen.type('q'),
    shows: screen.shows,
    text: screen.text,
    rests: () => screen.shows(idle),
    async hasBack(text) {
      await screen.shows(new RegExp(`^ ${text}$`, 'm'))
      screen.type(CLEAR)
    },
    [Symbol.asyncDispose]: () => screen[Symbol.asyncDispose](),
  }
}

const byLines: OpenPerson = (given) => {
  const lines = openLines(given)
  const adds: Person['adds'] = async (text, shows) => {
    lines.type(text)
    await lines.shows(shows)
  }
  const rests = () => lines.shows(/> $/)
  return {
    engine: lines.engine,
    adds,
    async says(text, shows) {
      await rests()
      await adds(text, shows)
    },
    async begins(text) {
      await rests()
      const begun = Promise.withResolvers<void>()
      using _changes = lines.engine.subscribe(({ kind }) => kind === 'records' && begun.resolve())
      lines.type(text)
      await begun.promise
    },
    answers: lines.type,
    takes: (place, key = '') => lines.type(`${place} ${key}`.trim()),
    narrows: lines.type,
    yes: () => lines.type('yes'),
    no: () => lines.type('no'),
    cancels: () => void lines.interrupt(),
    leaves: () => lines.type(''),
    closes() {},
    shows: lines.shows,
    text: lines.text,
    rests,
    hasBack: (text) => lines.shows(`Your message was: ${text}\n`),
    [Symbol.asyncDispose]: () => lines[Symbol.asyncDispose](),
  }
}

export const views: readonly (readonly [name: string, open: OpenPerson])[] = [
  ['on the whole screen', onScreen],
  ['line by line', byLines],
]
