/** What stands where a terminal, and what is known over all sessions, would be. Loads nothing but types. */
import type { Terminal } from '@earendil-works/pi-tui'
import type { TuiOptions } from '../../src/surfaces/tui/options.ts'

export type FakeTerminal = {
  readonly terminal: Terminal
  /** Keys as a terminal sends them. */
  press(data: string): void
  /** To be called when `size` has another answer. */
  resized(): void
}

/** Gives everything that is drawn to `write`. */
export function createFakeTerminal(options: {
  readonly write: (data: string) => void
  readonly size: () => { readonly columns: number; readonly rows: number }
}): FakeTerminal {
  let input: (data: string) => void = () => {}
  let resized: () => void = () => {}
  const terminal: Terminal = {
    start: (onInput, onResize) => {
      input = onInput
      resized = onResize
    },
    stop() {},
    drainInput: async () => {},
    write: options.write,
    get columns() {
      return options.size().columns
    },
    get rows() {
      return options.size().rows
    },
    kittyProtocolActive: false,
    moveBy() {},
    hideCursor() {},
    showCursor() {},
    clearLine() {},
    clearFromCursor() {},
    clearScreen() {},
    setTitle() {},
    setProgress() {},
  }
  return { terminal, press: (data) => input(data), resized: () => resized() }
}

/** Nothing is known over all sessions. */
export const noPast: TuiOptions['past'] = {
  store: () => Promise.reject(new Error('There is no store.')),
  board: () => Promise.reject(new Error('There is no board.')),
  redactor: () => Promise.reject(new Error('There are no rules.')),
  cacheFolder: '/nowhere',
}
