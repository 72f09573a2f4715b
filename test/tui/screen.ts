/** A real terminal emulator in this process, and the terminal surface running in it. */
import xterm from '@xterm/headless'
import { userTools } from '../../src/agents/user-tools.ts'
import type { Look } from '../../src/config/look-names.ts'
import { createEngine, type EngineOptions, type Engine } from '../../src/engine/engine.ts'
import { openMemory } from '../../src/fs/memory.ts'
import { defined } from '../../src/lib/defined.ts'
import { runTui } from '../../src/surfaces/tui/run.ts'
import type { Start, TuiOptions } from '../../src/surfaces/tui/options.ts'
import { say, scripted, type Script } from '../support/engine.ts'
import { createFakeTerminal, noPast } from './stand-ins.ts'

export type Screen = AsyncDisposable & {
  readonly engine: Engine
  /** What a person sees, without blanks at the ends of lines. */
  text(): string
  /** The same with its colours. */
  readonly emulator: InstanceType<typeof xterm.Terminal>
  /** Everything that was written to the terminal. */
  readonly written: string[]
  /** Keys as a terminal sends them. */
  type(data: string): void
  resize(columns: number, rows: number): void
  /** Resolves when the screen shows it; fails with the screen when it does not in time. */
  shows(wanted: string | RegExp): Promise<void>
  /** Resolves when what was asked for so far has been drawn. */
  drawn(): Promise<void>
  lacks(unwanted: string | RegExp): Promise<void>
  readonly ended: Promise<void>
}

export type ScreenOptions = {
  readonly columns?: number
  readonly rows?: number
  readonly script?: Script
  readonly engine?: Engine
  readonly start?: Start
  readonly env?: NodeJS.ProcessEnv
  readonly theme?: Look['theme']
  readonly options?: Partial<TuiOptions>
  readonly agents?: Partial<TuiOptions['agents']>
}

const DEADLINE_MS = 20_000
/** Two frames of the terminal library. */
const FRAME_MS = 35

export const memoryEngine = (script: Script, rules: Pick<EngineOptions, 'policy'> = {}): Engine =>
  createEngine({
    ...rules,
    fs: openMemory(),
    cwd: '/work/engine',
    agent: scripted(script),
    userTools: userTools(),
    answersQuestions: true,
    clock: clock(),
    newId: ids(),
  })

export function openScreen(given: ScreenOptions & { readonly script: Script }): Screen {
  const { columns = 80, rows = 24, script } = given
  const engine = given.engine ?? memoryEngine(script)
  const emulator = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true })
  const written: string[] = []
  const { terminal, press, resized } = createFakeTerminal({
    write(data) {
      written.push(data)
      emulator.write(data)
    },
    size: () => ({ columns: emulator.cols, rows: emulator.rows }),
  })
  const end = new AbortController()
  const ended = runTui(optionsFor(given, engine, end.signal), terminal)
  const text = () => screenText(emulator)
  const until = async (holds: () => boolean, what: string) => {
    const deadline = Date.now() + DEADLINE_MS
    while (!holds()) {
      if (Date.now() > deadline) throw new Error(`${what}; the screen:\n${text()}`)
      await new Promise((resolve) => emulator.write('', () => setTimeout(resolve, 5)))
    }
  }
  const has = (wanted: string | RegExp) =>
    typeof wanted === 'string' ? text().includes(wanted) : wanted.test(text())
  return {
    engine,
    emulator,
    text,
    written,
    type: press,
    resize(width, height) {
      emulator.resize(width, height)
      resized()
    },
    shows: (wanted) => until(() => has(wanted), `Not shown: ${wanted}`),
    drawn: () => new Promise((resolve) => setTimeout(() => emulator.write('', resolve), FRAME_MS)),
    lacks: (unwanted) => until(() => !has(unwanted), `Still shown: ${unwanted}`),
    ended,
    async [Symbol.asyncDispose]() {
      end.abort()
      await ended
      await engine.stop()
      emulator.dispose()
    },
  }
}

/** What both views are given. */
export const optionsFor = (
  given: ScreenOptions,
  engine: Engine,
  signal: AbortSignal,
): TuiOptions => ({
  engine,
  version: '1.0',
  home: '/home/ada/.reprise',
  cwd: '/work/engine',
  env: given.env ?? {},
  start: given.start ?? { kind: 'new' },
  permissions: { allowAll: false },
  signal,
  now: () => new Date('2026-01-01T12:00:00Z'),
  lookAround: async () => ({ agents: ['copilot'], others: 3 }),
  agents: {
    list: () => agentOptions,
    find: async () => agentOptions,
    usual: async () => 'copilot',
    models: async () => ({ offered: ['small', 'large'] }),
    test: async (name) => `${name} answered in 0.1 s.`,
    remember: async () => {},
    welcomed: async () => true,
    logins: () => Promise.reject(new Error('Nobody can log in.')),
    make: async (name) => ({ name, run: parrot }),
    answering: async ({ chosen = 'copilot' }) => ({ kind: 'agent', name: chosen, says: chosen }),
    ...given.agents,
  },
  listFiles: async () => ['src/main.ts', 'src/mill.ts', 'README.md'],
  pictures: { at: async () => undefined, inClipboard: async () => undefined },
  editOutside: async (text) => `${text} written outside`,
  copyOutside: async () => false,
  suspend: async () => {},
  past: noPast,
  settings: defined({ theme: given.theme }),
  saveLook: async () => {},
  seen: () => {},
  guests: {
    link: async (id, hours) => ({
      link: `http://127.0.0.1:1/#guest=${id.slice(0, 8)}`,
      expiresAt: `in ${hours} h`,
      isOwn: true,
    }),
  },
  allowedCommands: { has: async () => false, add: async () => {} },
  ...given.options,
})

const agentOptions = [
  { name: 'copilot', about: 'on this machine', isHere: true },
  { name: 'parrot', about: 'says everything twice', isHere: true },
  { name: 'claude', about: 'not installed: npm i -g claude', isHere: false },
]

/** Says how much it was given and what it heard last. */
const parrot: Script = async function* ({ context, message }) {
  yield say(`${context.messages.length} messages; ${message.content} ${message.content}`)
}

function screenText(emulator: InstanceType<typeof xterm.Terminal>): string {
  const { active } = emulator.buffer
  return Array.from({ length: emulator.rows }, (_, row) =>
    (active.getLine(active.viewportY + row)?.translateToString(true) ?? '').trimEnd(),
  ).join('\n')
}

function clock(): () => Date {
  let time = Date.parse('2026-01-01T10:00:00Z')
  return () => new Date((time += 1000))
}

function ids(): () => string {
  let next = 0
  return () => `00000000-0000-4000-8000-${String(++next).padStart(12, '0')}`
}
