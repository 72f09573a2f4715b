/** The real program in a real terminal: tmux holds it, types into it and tells what it shows. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PROGRAM } from '../support/program.ts'

const hasTmux = spawnSync('tmux', ['-V']).status === 0
export const skip = hasTmux ? false : 'tmux is not installed'
/** The end of the status line when nothing goes on. */
export const idle = /commands · \? help/

// Shared by all: without it each program would compile the sources anew.
const cache = mkdtempSync(join(tmpdir(), 'reprise-tmux-cache-'))
process.on('exit', () => rmSync(cache, { recursive: true, force: true }))

/** Only a failure waits for so long; a machine that does other things takes its time. */
const DEADLINE_MS = 60_000

type OpenOptions = {
  readonly home?: string
  readonly env?: Readonly<Record<string, string>>
  /** What the terminal is said to be: tmux has its own word for it. */
  readonly term?: string
}

export interface Desk extends Disposable {
  readonly home: string
  readonly project: string
  /** What was copied last, as tmux has it; undefined when nothing was. */
  copied(): string | undefined
  open(args?: readonly string[], options?: OpenOptions): Window
  /** Opened, and waiting for a message. */
  ready(args?: readonly string[], options?: OpenOptions): Promise<Window>
}

export interface Window {
  /** Of the program in it. */
  pid(): number
  /** Names of keys as tmux has them: `Enter`, `Escape`, `C-c`. */
  press(...keys: readonly string[]): void
  type(text: string): void
  enter(text: string): void
  /** Enters it and waits for what it leads to, and for the end of its turn. */
  says(text: string, wanted: string | RegExp): Promise<void>
  paste(text: string): void
  resize(columns: number, rows: number): void
  text(): string
  /** Something that is not on the screen. */
  until(holds: () => boolean): Promise<void>
  shows(wanted: string | RegExp): Promise<void>
  lacks(unwanted: string | RegExp): Promise<void>
  /** Resolves when the program has ended. */
  ends(): Promise<void>
  kill(signal: NodeJS.Signals): void
  /** Takes the terminal away. */
  close(): void
}

export function openDesk(): Desk {
  const base = mkdtempSync(join(tmpdir(), 'reprise-tmux-'))
  const [home, project] = [join(base, 'home'), join(base, 'project')]
  mkdirSync(project)
  const [socket, config] = [join(base, 'tmux'), join(base, 'tmux.conf')]
  // A server that ends with its last window would race with the next one that is opened.
  writeFileSync(config, 'set -g exit-empty off\nset -g remain-on-exit on\n')
  let next = 0
  const tmux = (...args: readonly string[]) => {
    const { status, stdout, stderr } = spawnSync('tmux', ['-S', socket, '-f', config, ...args], {
      encoding: 'utf8',
    })
    if (status !== 0) throw new Error(`tmux ${args[0]}: ${stderr}`)
    return stdout
  }
  const open = (args: readonly string[] = [], given: OpenOptions = {}): Window => {
    const name = `w${next++}`
    const env = {
      HOME: base,
      XDG_CACHE_HOME: cache,
      REPRISE_HOME: given.home ?? home,
      REPRISE_AGENT: 'offline',
      NODE_NO_WARNINGS: '1',
      ...given.env,
    }
    tmux(
      'new-session',
      '-d',
      '-s',
      name,
      '-x',
      '80',
      '-y',
      '24',
      '-c',
      project,
      ...Object.entries(env).flatMap(([key, value]) => ['-e', `${key}=${value}`]),
      '--',
      // These two are tmux's own in what it starts.
      'env',
      ...(given.term === undefined ? [] : [`TERM=${given.term}`]),
      ...(given.env?.['PATH'] === undefined ? [] : [`PATH=${given.env['PATH']}`]),
      PROGRAM,
      ...args,
    )
    // The word that a program has ended pushes the first line of the screen into what was scrolled away.
    const text = () =>
      tmux(
        'if-shell',
        '-F',
        '-t',
        name,
        '#{pane_dead}',
        `capture-pane -p -S - -t ${name}`,
        `capture-pane -p -t ${name}`,
      )
    const until = async (holds: () => boolean, what: string) => {
      const deadline = Date.now() + DEADLINE_MS
      while (!holds()) {
        if (Date.now() > deadline) throw new Error(`${what}; the screen:\n${text()}`)
        await new Promise((resolve) => setTimeout(resolve, 40))
      }
    }
    const has = (wanted: string | RegExp) =>
      typeof wanted === 'string' ? text().includes(wanted) : wanted.test(text())
    const type = (words: string) => void tmux('send-keys', '-t', name, '-l', '--', words)
    const enter = (words: string) => {
      type(words)
      tmux('send-keys', '-t', name, 'Enter')
    }
    const shows = (wanted: string | RegExp) => until(() => has(wanted), `Not shown: ${wanted}`)
    const pid = () => Number(tmux('display-message', '-p', '-t', name, '#{pane_pid}'))
    return {
      pid,
      press: (...keys) => void tmux('send-keys', '-t', name, ...keys),
      type,
      enter,
      async says(words, wanted) {
        enter(words)
        await shows(wanted)
        await shows(idle)
      },
      paste(words) {
        const { status } = spawnSync('tmux', ['-S', socket, 'load-buffer', '-'], { input: words })
        if (status !== 0) throw new Error('tmux load-buffer failed')
        tmux('paste-buffer', '-p', '-t', name)
      },
      resize: (columns, rows) =>
        void tmux('resize-window', '-t', name, '-x', String(columns), '-y', String(rows)),
      text,
      until: (holds) => until(holds, 'It does not come'),
      shows,
      lacks: (unwanted) => until(() => !has(unwanted), `Still shown: ${unwanted}`),
      ends: () =>
        until(
          () => tmux('display-message', '-p', '-t', name, '#{pane_dead}').trim() === '1',
          'The program goes on',
        ),
      kill: (signal) => process.kill(pid(), signal),
      close: () => void tmux('kill-session', '-t', name),
    }
  }
  return {
    home,
    project,
    copied: () => (tmux('list-buffers') === '' ? undefined : tmux('show-buffer')),
    open,
    async ready(args, given) {
      const window = open(args, given)
      await window.shows(idle)
      return window
    },
    [Symbol.dispose]() {
      spawnSync('tmux', ['-S', socket, 'kill-server'])
      rmSync(base, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
    },
  }
}
